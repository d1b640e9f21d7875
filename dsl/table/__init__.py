"""The table: a deal from the first tile to the settlement, by the flow of the rules alone."""
