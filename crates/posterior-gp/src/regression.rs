//! Regression: the process given noisy values, exactly.
