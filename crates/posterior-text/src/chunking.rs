//! Chunks of tokens, as labels tell them, and how many of them were found.

mod chunk;
mod scores;

pub use chunk::{Chunk, chunks};
pub use scores::{ChunkCounts, ChunkScores};
