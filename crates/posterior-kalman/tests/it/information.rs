//! Precisions against covariances.
