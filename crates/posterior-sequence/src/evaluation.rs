//! How good tags are: accuracy, confusion, chunks.
