"""paigui: a language for the rules of Chinese strip-card games, and its interpreter."""
