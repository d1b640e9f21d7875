"""From text to CORE: lex, structure, parse, load, assemble, resolve."""
