//! What is promised of reference.
