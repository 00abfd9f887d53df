//! Gradients, EM, standard errors.
