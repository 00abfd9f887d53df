//! As many states as the data ask for: the sticky hierarchical Dirichlet process.
