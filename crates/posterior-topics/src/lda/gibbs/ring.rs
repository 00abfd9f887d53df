//! The same chain for a corpus in parts: larger than memory, or shared out over processes.
//!
//! The block sampler cuts a corpus by groups of documents and groups of words ([`LdaGibbs`](super::LdaGibbs)
//! says why this is exact). Here a process holds some groups of documents, whose blocks are read from its
//! [`Storage`], swept, and written back, while groups of words go round the ring of all processes: after each
//! diagonal a process passes one group on, and takes one. The draw of a block depends on the seed, the sweep
//! and its place alone, so that **the result has the same bits** in memory, out of core, and on any number of
//! processes and threads; only the number of [groups](super::LdaGibbsOptions::groups) shapes it.
//!
//! [`RingFit`] is a fit, [`RingPlan`] says beforehand what one takes. [`InMemory`] and [`InFolder`] are
//! places for the parts; [`OneProcess`] is a ring of one, and any other carrier of bytes is a
//! [`Collectives`].
//!
//! # The parts
//! A part is a run of frames: the length of the payload (8 bytes, little-endian), its CRC-32 (4 bytes), the
//! payload. Numbers are varints (7 bits a byte, the lowest first) unless said otherwise.
//!
//! | part | payload |
//! |---|---|
//! | `structure-I-G` | of each chunk of documents: its first document, the number of its spans; of each span the step from the word before, its tokens, and of each of them the step from the document before |
//! | `topics-I-G` | the topic of each token, 2 bytes, little-endian |
//! | `documents-I` | of each document the number of its topics, and each topic with its count |
//! | `pooled-I` | the same, summed over the states that are pooled |
//! | `words-G` | the number of the group, the tokens of each topic, and of each word its count in each topic: 4 bytes each, little-endian |
//! | `sums-G` | of each word the sum over pooled states of its count in each topic: 8 bytes each, little-endian |
//!
//! `I` is a group of documents and `G` one of words. The folder of checkpoints has the last five of all
//! groups in `sweep-N`, and `commit.json`, their record.

mod chain;
mod checkpoint;
mod collectives;
mod diagonal;
mod fit;
mod fitted;
mod frames;
mod layout;
mod parts;
mod plan;
mod progress;
mod start;
mod storage;

pub use collectives::{Collectives, CountedCollectives, OneProcess, Place, Traffic};
pub use fit::{Next, RingFit};
pub use fitted::RingFitted;
pub use plan::{RingLink, RingPlan, RingSizes};
pub use storage::{InFolder, InMemory, Storage};
