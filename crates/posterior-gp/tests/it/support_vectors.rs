//! The support vector machine and its limits.
