//! Generalised linear models.
