//! What is promised of selection.
