//! Draws of states against the smoother's moments.
