//! Maximum likelihood and most probable parameters of hidden Markov models, by expectation maximisation.
