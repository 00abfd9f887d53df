//! Noise of observations: one variance, or one for each.
