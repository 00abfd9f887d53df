//! The support vector machine as a limit, for comparison.
