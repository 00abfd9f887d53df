//! What is promised of k means.
