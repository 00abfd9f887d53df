//! Probabilistic machine learning: one crate that re-exports the workspace.
