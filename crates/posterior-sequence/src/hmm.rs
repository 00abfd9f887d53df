//! Hidden Markov models: what is seen, and the states behind it.
