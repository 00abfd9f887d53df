//! Automation of the workspace.

fn main() {}
