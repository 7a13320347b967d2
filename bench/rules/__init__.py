"""The rules of the benchmark's workloads, as a rules author writes them for the engine."""
