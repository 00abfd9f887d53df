//! Corpora and topic models through the public interface.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod corpus;
mod lda;
