//! The blocks of one diagonal that a process has, swept while the next are read and the last are written.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use posterior_dist::stream::stream;

use super::frames::{framed, payloads};
use super::layout::Layout;
use super::parts::{self, Shape, block_part, group_part};
use super::storage::Storage;
use crate::Error;
use crate::lda::gibbs::blocks::{Sweep, WordGroup};
use crate::lda::gibbs::collapsed_gibbs::TOKENS;
use crate::lda::gibbs::options::TopicSampler;
use crate::lda::gibbs::prior::TopicPrior;
use crate::lda::gibbs::vectors::on_machine;

/// Blocks that share no documents and no words.
pub(super) struct Diagonal<'a, S> {
    pub(super) layout: &'a Layout,
    pub(super) storage: &'a S,
    pub(super) prior: &'a TopicPrior,
    pub(super) sampler: TopicSampler,
    pub(super) seed: u64,
    pub(super) sweep: u64,
    /// The number of the diagonal.
    pub(super) number: usize,
    /// The first group of documents of this process.
    pub(super) first: usize,
    pub(super) threads: usize,
}

/// A block as it was read.
struct Read {
    /// The group of documents, counted from the first of this process.
    place: usize,
    structure: Vec<u8>,
    topics: Vec<u8>,
    documents: Vec<u8>,
}

/// What a block leaves: parts and their bytes.
type Written = [(String, Vec<u8>); 2];

impl<S: Storage> Diagonal<'_, S> {
    /// Sweeps the block of each group of documents of this process with one of these groups of words.
    ///
    /// Memory: of each thread a block and the counts of its documents; beside them one block that is read and
    /// one that is written.
    pub(super) fn run(&self, words: &mut [WordGroup]) -> Result<(), Error> {
        let blocks = words.len();
        let words: Vec<Mutex<&mut WordGroup>> = words.iter_mut().map(Mutex::new).collect();
        let threads = self.threads.clamp(1, blocks.max(1));
        let (to_sweep, next) = sync_channel::<Read>(0);
        let (to_write, written) = sync_channel::<Written>(0);
        // Who sweeps owns the blocks to come: when no one is left, the reader has no one to wait for.
        let next = Arc::new(Mutex::new(next));
        thread::scope(|scope| {
            let reader = scope.spawn(move || self.read(blocks, &to_sweep));
            let writer = scope.spawn(move || self.write(&written));
            let words = &words;
            let others: Vec<_> = (1..threads)
                .map(|_| {
                    let (next, to_write) = (Arc::clone(&next), to_write.clone());
                    scope.spawn(move || self.sweep_all(&next, words, &to_write))
                })
                .collect();
            let mut outcome = self.sweep_all(&next, words, &to_write);
            drop((next, to_write));
            for other in others {
                outcome = outcome.and(joined(other));
            }
            outcome.and(joined(writer)).and(joined(reader))
        })
    }

    fn read(&self, blocks: usize, to_sweep: &SyncSender<Read>) -> Result<(), Error> {
        for place in 0..blocks {
            let (i, g) = self.block(place);
            let block = Read {
                place,
                structure: self.storage.read(&block_part("structure", i, g))?,
                topics: self.storage.read(&block_part("topics", i, g))?,
                documents: self.storage.read(&group_part("documents", i))?,
            };
            // Nobody waits for it where a thread has failed, which says why.
            if to_sweep.send(block).is_err() {
                break;
            }
        }
        Ok(())
    }

    fn write(&self, written: &Receiver<Written>) -> Result<(), Error> {
        for parts in written {
            for (part, bytes) in parts {
                self.storage.write(&part, &framed(&bytes))?;
            }
        }
        Ok(())
    }

    /// Sweeps blocks as they come, until there are no more.
    fn sweep_all(
        &self,
        next: &Mutex<Receiver<Read>>,
        words: &[Mutex<&mut WordGroup>],
        to_write: &SyncSender<Written>,
    ) -> Result<(), Error> {
        loop {
            let received = next.lock().unwrap_or_else(PoisonError::into_inner).recv();
            let Ok(block) = received else { return Ok(()) };
            let mut words = words[block.place].lock().unwrap_or_else(PoisonError::into_inner);
            let parts = self.sweep(&block, &mut words)?;
            // The writer is gone where it has failed, and it says why.
            if to_write.send(parts).is_err() {
                return Ok(());
            }
        }
    }

    fn sweep(&self, read: &Read, words: &mut WordGroup) -> Result<Written, Error> {
        let (i, g) = self.block(read.place);
        let Layout { topics, stride, .. } = *self.layout;
        let (documents, of_words) =
            (self.layout.documents.members[i].len(), self.layout.words.members[g].len());
        let shape = Shape { topics, stride, lists: self.sampler == TopicSampler::Sparse };
        let [structure, tokens, counts] =
            [block_part("structure", i, g), block_part("topics", i, g), group_part("documents", i)];
        let structure = payloads(&self.storage.path(&structure), &read.structure)?;
        let path = self.storage.path(&tokens);
        let assigned = payloads(&path, &read.topics)?;
        let mut block = parts::block(&path, &structure, &assigned, (documents, of_words, topics))?;
        let path = self.storage.path(&counts);
        let mut group = parts::documents(&path, &payloads(&path, &read.documents)?, documents, shape)?;
        let mut rng = stream(self.seed, &[TOKENS, self.sweep, self.number as u64, i as u64]);
        let sweep =
            Sweep { block: &mut block, documents: &mut group, words, prior: self.prior, rng: &mut rng };
        on_machine((sweep, self.sampler));
        let is_over = self.number + 1 == self.layout.groups;
        let counts_now = parts::documents_as_bytes(&group, documents, shape, is_over);
        Ok([(tokens, parts::topics(&block.topics)), (counts, counts_now)])
    }

    /// The groups of documents and of words of a block.
    fn block(&self, place: usize) -> (usize, usize) {
        let i = self.first + place;
        (i, (i + self.number) % self.layout.groups)
    }
}

fn joined(thread: thread::ScopedJoinHandle<'_, Result<(), Error>>) -> Result<(), Error> {
    match thread.join() {
        Ok(outcome) => outcome,
        Err(panic) => std::panic::resume_unwind(panic),
    }
}
