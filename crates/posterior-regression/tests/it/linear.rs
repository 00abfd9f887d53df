//! What is promised of linear.
