//! Gradients, EM, standard errors.

mod expectation_maximization;
mod maximize;
mod score;
