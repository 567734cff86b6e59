"""Rule sets that ship with the product: one TOML file a jurisdiction, in a folder per game. Data only."""
