//! What is promised of dirichlet process.
