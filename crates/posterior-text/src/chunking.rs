//! Chunks of tokens, as labels tell them, which labels are consistent, and how many chunks were found.

mod chunk;
mod scheme;
mod scores;

pub use chunk::{Chunk, chunks};
pub use scheme::ChunkScheme;
pub use scores::{ChunkCounts, ChunkScores};
