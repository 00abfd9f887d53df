//! Conjugate priors of the parameters of a Gaussian.

mod gaussian;
mod gaussian_known;
mod prior_density;
