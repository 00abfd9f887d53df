//! n-gram models of symbols, and their smoothing.
