//! What is promised of ladder.
