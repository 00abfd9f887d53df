//! What is promised of network.
