//! What is promised of learnt features.
