"""What stands before everything else: the home page, search, the tiles, what is there offline."""
