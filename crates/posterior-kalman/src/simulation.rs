//! States and observations drawn from a model, and states drawn given the observations.
