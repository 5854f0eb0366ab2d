"""Speed, measured as ratios within one run: machines are noisy, and a figure alone tells little."""
