"""What the games of d100 tests share: tests and their degrees, and luck with a failed one."""
