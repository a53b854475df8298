"""Contract suites, the memory twin and the manual clock, for embedders and for us."""
