//! What is promised of stopping.
