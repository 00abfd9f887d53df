//! Bandits whose arms have features.
