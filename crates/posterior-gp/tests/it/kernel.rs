//! Kernels: worked numbers, positive semidefinite Gram matrices, gradients, expressions.

mod any_kernel;
mod explicit_features;
mod expressions;
mod gradients;
mod gram;
mod hostile;
mod tent;
mod transformations;
mod worked_numbers;
