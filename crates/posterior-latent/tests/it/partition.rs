//! What is promised of partition.
