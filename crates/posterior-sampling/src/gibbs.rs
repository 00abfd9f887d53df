//! Gibbs sampling: each block from its conditional law.
