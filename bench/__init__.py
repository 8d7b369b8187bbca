"""How fast the engine is, measured in one run beside other mahjong libraries: `make bench`."""
