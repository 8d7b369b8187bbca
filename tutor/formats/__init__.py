"""How the site writes numbers and days, where Django has it otherwise."""
