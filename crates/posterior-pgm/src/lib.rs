//! Discrete models on graphs: tables, Bayesian networks, Markov random fields, evidence, and the files they come in.
//!
//! *Refuses:* inference. What a model implies, `posterior-inference` works out.
