//! What is promised of loss.
