//! Bayesian neural networks by Laplace approximation.
