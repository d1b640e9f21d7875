"""The fast judge: a ruleset compiled to an automaton over the deck's components."""
