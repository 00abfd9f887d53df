//! The binary as its users meet it.

mod bad_input;
mod contract;
mod program;
mod resume;
mod text;
