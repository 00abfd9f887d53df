//! What is promised of concentration.
