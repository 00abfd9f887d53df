//! The command line of posterior.

fn main() {}
