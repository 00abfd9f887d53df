//! Development only: reference tables, laws of the core traits and statistical tests.
