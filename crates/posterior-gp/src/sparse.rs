//! Inducing points.
