//! Mixtures by Gibbs sampling, blocked and collapsed.
