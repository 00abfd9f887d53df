//! Tags of words by counting: a supervised hidden Markov model.
