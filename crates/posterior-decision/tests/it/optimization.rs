//! What is promised of optimization.
