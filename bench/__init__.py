"""The benchmark: the engine beside its peers on workloads that all of them can compute."""
