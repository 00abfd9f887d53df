//! What is promised of polya gamma.
