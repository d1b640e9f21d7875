"""Sources, spans, diagnostics and their rendering: the layer everything else stands on."""
