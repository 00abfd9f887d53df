//! The filter in precisions, and the smoother from two filters.
