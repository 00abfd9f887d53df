//! Features: what a linear model sees of its inputs.
