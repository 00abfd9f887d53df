//! Inducing points: bounds, and the exact case.
