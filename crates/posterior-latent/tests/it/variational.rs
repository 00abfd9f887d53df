//! What is promised of variational.
