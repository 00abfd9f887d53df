//! What is promised of truth table.
