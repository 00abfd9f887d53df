//! Substitution ciphers, solved by a hidden Markov model.
