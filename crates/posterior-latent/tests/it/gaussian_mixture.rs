//! What is promised of gaussian mixture.
