//! Bandits: which arm to play next.
