//! Markov chains learnt from sequences of symbols.
