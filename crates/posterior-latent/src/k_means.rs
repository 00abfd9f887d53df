//! k-means: clusters by the nearest centre.
