//! Exact regression: worked numbers and laws.
