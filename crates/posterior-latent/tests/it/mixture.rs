//! What is promised of mixture.
