//! The tables of 30 digits.

mod regression;
