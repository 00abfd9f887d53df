//! The hierarchical Pitman-Yor model of sequences.
