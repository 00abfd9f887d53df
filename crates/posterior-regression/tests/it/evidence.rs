//! What is promised of evidence.
