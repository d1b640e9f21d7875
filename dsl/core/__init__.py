"""The checked game (CORE) and its reference meaning."""
