//! Chains whose weights leave the range of floating-point numbers.
