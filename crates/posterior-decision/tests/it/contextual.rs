//! What is promised of contextual.
