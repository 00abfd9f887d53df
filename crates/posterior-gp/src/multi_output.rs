//! Several outputs that depend on each other: linear coregionalisation.
