//! Gradients, EM, standard errors.

mod score;
