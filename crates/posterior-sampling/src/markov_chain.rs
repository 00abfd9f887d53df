//! Markov chains on finitely many states: the theory that samplers rest on, as matrices.
