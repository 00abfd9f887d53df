//! Kernels: worked numbers, positive semidefinite Gram matrices, gradients, expressions.
