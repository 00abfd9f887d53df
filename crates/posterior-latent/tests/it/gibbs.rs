//! What is promised of gibbs.
