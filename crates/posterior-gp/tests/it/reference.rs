//! The tables of 30 digits.

mod laplace;
mod regression;
