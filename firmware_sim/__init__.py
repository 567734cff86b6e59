"""The far ends of the cables: reference firmware, a simulated table and a dealer who makes mistakes."""
