//! The recursions of filtering and smoothing on finitely many states, and the equation of Chapman and Kolmogorov.
