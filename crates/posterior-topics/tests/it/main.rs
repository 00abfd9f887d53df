//! Corpora and topic models through the public interface.

mod corpus;
mod lda;
