//! What is promised of features.
