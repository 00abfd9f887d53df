//! The chain of one process: its groups of documents stay, groups of words come by.

use std::ops::Range;

use posterior_dist::stream::stream;

use super::collectives::Collectives;
use super::diagonal::Diagonal;
use super::frames::{framed, payloads};
use super::layout::Layout;
use super::parts::{self, Entries, group_part};
use super::start::Start;
use super::storage::Storage;
use crate::Error;
use crate::corpus::StoredCorpus;
use crate::lda::gibbs::blocks::WordGroup;
use crate::lda::gibbs::collapsed_gibbs::{CONCENTRATIONS, INITIAL, masses};
use crate::lda::gibbs::options::{LdaGibbsOptions, TopicSampler};
use crate::lda::gibbs::prior::{TopicPrior, WordPrior};
use crate::lda::gibbs::token_topics::TokenTopics;
use crate::lda::tally::Tally;
use crate::lda::word_concentrations::WordConcentrations;
use crate::lda::{ConcentrationPrior, hyperparameters, joint};

/// Bytes of documents that a process sends at a time.
pub(super) const PIECE: usize = 1 << 20;

/// A chain of topic assignments of a corpus in parts: the same chain, to the bit, as
/// [`LdaGibbs`](super::super::LdaGibbs) with as many groups.
pub(super) struct RingGibbs<'a, S, C> {
    pub(super) layout: Layout,
    pub(super) storage: &'a S,
    pub(super) collectives: &'a mut C,
    /// The groups of documents of this process, and of words before a sweep and after it.
    pub(super) own: Range<usize>,
    /// Those groups of words.
    pub(super) words: Vec<WordGroup>,
    /// The priors of all groups of words.
    priors: Vec<WordPrior>,
    concentrations: WordConcentrations,
    pub(super) alpha: Vec<f64>,
    seed: u64,
    sampler: TopicSampler,
    threads: usize,
    pub(super) sweeps: usize,
}

impl<'a, S: Storage, C: Collectives> RingGibbs<'a, S, C> {
    /// A chain at its first state; or, where `is_resumed`, one whose topics and counts are still to be put in
    /// their place.
    pub(super) fn new(
        corpus: &StoredCorpus,
        options: &LdaGibbsOptions,
        (storage, collectives): (&'a S, &'a mut C),
        is_resumed: bool,
    ) -> Result<Self, Error> {
        let layout = Layout::new(corpus, options)?;
        let own = layout.own(collectives.place())?;
        let concentrations =
            options.word_weights.concentrations(options.topics, layout.sizes.words, options.beta)?;
        let priors: Vec<WordPrior> = layout
            .words
            .members
            .iter()
            .map(|members| WordPrior::new(&concentrations, members, layout.stride))
            .collect();
        let rng = (!is_resumed).then(|| stream(options.seed, &[INITIAL]));
        let start = Start { layout: &layout, storage, own: own.clone(), rng };
        let counts = start.write(corpus)?;
        let words = counts.into_iter().zip(own.clone()).map(|(counts, g)| {
            let mut totals = vec![0; layout.stride];
            for row in counts.chunks_exact(layout.stride) {
                totals.iter_mut().zip(row).for_each(|(total, &count)| *total += count);
            }
            word_group(counts, totals, priors[g].clone())
        });
        let words = words.collect();
        let threads = match options.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        };
        Ok(Self {
            alpha: options.alpha.of_topics(options.topics)?,
            sampler: options.resolved_sampler(),
            seed: options.seed,
            sweeps: 0,
            layout,
            storage,
            collectives,
            own,
            words,
            priors,
            concentrations,
            threads,
        })
    }

    /// Draws a new topic for every token once.
    pub(super) fn sweep(&mut self) -> Result<(), Error> {
        let Layout { groups, stride, .. } = self.layout;
        let masses = self.draw_masses()?;
        let prior = TopicPrior::new(&self.alpha, stride);
        for number in 0..groups {
            for (place, words) in self.words.iter_mut().enumerate() {
                let g = (self.own.start + place + number) % groups;
                for (mass, of_groups) in words.mass.iter_mut().zip(&masses) {
                    *mass = of_groups[g];
                }
            }
            let diagonal = Diagonal {
                layout: &self.layout,
                storage: self.storage,
                prior: &prior,
                sampler: self.sampler,
                seed: self.seed,
                sweep: self.sweeps as u64,
                number,
                first: self.own.start,
                threads: self.threads,
            };
            diagonal.run(&mut self.words)?;
            self.shift(number)?;
        }
        self.sweeps += 1;
        Ok(())
    }

    /// Passes the first group of words on, and takes that which comes next: after the last diagonal all are
    /// back.
    fn shift(&mut self, number: usize) -> Result<(), Error> {
        self.words.rotate_left(1);
        if self.collectives.place().ranks == 1 {
            return Ok(());
        }
        let Layout { groups, topics, stride, .. } = self.layout;
        let last = self.words.len() - 1;
        let leaves = (self.own.start + number) % groups;
        let bytes = framed(&parts::words_as_bytes(leaves, &self.words[last], topics));
        let bytes = self.collectives.shift(bytes)?;
        let comes = (self.own.end + number) % groups;
        self.words[last] = self.group_of_words(&group_part("words", comes), &bytes, comes)?;
        debug_assert_eq!(self.words[last].totals.len(), stride);
        Ok(())
    }

    /// The group of words with this number, from a frame.
    pub(super) fn group_of_words(&self, part: &str, bytes: &[u8], g: usize) -> Result<WordGroup, Error> {
        let path = self.storage.path(part);
        let Layout { topics, stride, .. } = self.layout;
        let payload = payloads(&path, bytes)?.concat();
        let of_group = (g, self.layout.words.members[g].len());
        let (totals, counts) = parts::words(&path, &payload, of_group, (topics, stride))?;
        Ok(word_group(counts, totals, self.priors[g].clone()))
    }

    /// For each topic the proportions of the groups of words, the same at every process.
    fn draw_masses(&mut self) -> Result<Vec<Vec<f64>>, Error> {
        let Layout { groups, topics, .. } = self.layout;
        let totals = self.totals_of_groups()?;
        Ok(masses(self.seed, self.sweeps, (groups, topics), |g, k| {
            self.priors[g].sums()[k] + totals[g * topics + k] as f64
        }))
    }

    /// Groups of words x topics: tokens.
    fn totals_of_groups(&mut self) -> Result<Vec<u64>, Error> {
        let Layout { groups, topics, .. } = self.layout;
        let mut totals = vec![0; groups * topics];
        for (g, words) in self.own.clone().zip(&self.words) {
            let own = totals[g * topics..].iter_mut().zip(&words.totals[..topics]);
            own.for_each(|(total, &count)| *total = u64::from(count));
        }
        self.collectives.add(&mut totals)?;
        Ok(totals)
    }

    /// Tokens by topic.
    fn totals(&mut self) -> Result<Vec<u64>, Error> {
        let topics = self.layout.topics;
        let of_groups = self.totals_of_groups()?;
        Ok((0..topics).map(|k| of_groups[k..].iter().step_by(topics).sum()).collect())
    }

    /// How often there is each count, in all documents and words.
    fn tally(&mut self) -> Result<Tally, Error> {
        let mut tally = Tally::new(self.layout.topics);
        for i in self.own.clone() {
            self.for_each_document(i, |entries| {
                tally.push_document(entries.iter().map(|&(topic, count)| (usize::from(topic), count)));
            })?;
        }
        for words in &self.words {
            tally.push_word(&words.counts);
        }
        self.tally_of_all(&tally)
    }

    /// The sum of the tallies of all processes.
    fn tally_of_all(&mut self, own: &Tally) -> Result<Tally, Error> {
        let bytes = |tally: &Tally| tally.numbers().into_iter().flat_map(u64::to_le_bytes).collect();
        let gathered = self.collectives.gather(bytes(own))?;
        let mut all = Tally::new(self.layout.topics);
        gathered.iter().try_for_each(|bytes| add_to_tally(&mut all, bytes))?;
        let sum = self.collectives.broadcast(bytes(&all))?;
        let mut all = Tally::new(self.layout.topics);
        add_to_tally(&mut all, &sum)?;
        Ok(all)
    }

    /// Visits the documents of a group, each with its topics and their counts.
    pub(super) fn for_each_document(
        &self,
        i: usize,
        mut visit: impl FnMut(&[(u16, u32)]),
    ) -> Result<(), Error> {
        let part = group_part("documents", i);
        let (path, bytes) = (self.storage.path(&part), self.storage.read(&part)?);
        parts::for_each_document(&path, &payloads(&path, &bytes)?, self.layout.topics, |_, entries| {
            visit(entries);
        })
    }

    /// ln p(W, Z | alpha, beta), with the order of tokens given.
    pub(super) fn ln_joint(&mut self) -> Result<f64, Error> {
        let tally = self.tally()?;
        let totals = self.totals()?;
        let stride = self.layout.stride;
        let members = &self.layout.words.members;
        let unequal = self.own.clone().zip(&self.words).flat_map(|(g, words)| {
            let rows = members[g].iter().zip(words.counts.chunks_exact(stride));
            let rows = rows.map(|(&v, row)| (v as usize, row));
            joint::ln_unequal_words(rows, &self.concentrations).to_le_bytes()
        });
        let unequal = self.collectives.gather(unequal.collect())?.concat();
        let unequal = self.collectives.broadcast(unequal)?;
        let unequal: Vec<f64> =
            unequal.as_chunks::<8>().0.iter().map(|&eight| f64::from_le_bytes(eight)).collect();
        Ok(joint::ln_joint(&tally, totals.into_iter(), &self.alpha, &self.concentrations, &unequal))
    }

    /// As of the chain in memory: the first process sees the counts of all documents, some of each process at
    /// a time, and how often there is each count of a word, and says what it has found.
    pub(super) fn optimize_hyperparameters(&mut self) -> Result<(), Error> {
        let totals = self.totals()?;
        let mut histograms = hyperparameters::DocumentHistograms::new(&totals);
        self.for_each_of_all(|entries| histograms.push(entries))?;
        let is_first = self.collectives.place().rank == 0;
        let mut numbers = if is_first { histograms.improve(&self.alpha) } else { Vec::new() };
        drop(histograms);
        if self.concentrations.is_equal() {
            let Layout { topics, stride, ref sizes, .. } = self.layout;
            let mut counts = Tally::new(topics);
            for row in self.words.iter().flat_map(|words| words.counts.chunks_exact(stride)) {
                counts.push_document(row[..topics].iter().copied().enumerate());
            }
            let words = sizes.words;
            let counts = self.tally_of_all(&counts)?;
            let improved = || hyperparameters::improve_beta_of(&counts.topics, words, self.beta());
            numbers.extend(is_first.then(improved));
        }
        let bytes = numbers.into_iter().flat_map(f64::to_le_bytes).collect();
        let bytes = self.collectives.broadcast(bytes)?;
        let numbers = bytes.as_chunks::<8>().0.iter().map(|&eight| f64::from_le_bytes(eight));
        let mut numbers: Vec<f64> = numbers.collect();
        if numbers.len() < self.alpha.len() {
            return Err(Error::Corpus("a process has sent something else than concentrations".to_owned()));
        }
        if let Some(beta) = numbers.get(self.alpha.len()).copied() {
            self.set_beta(beta);
        }
        numbers.truncate(self.alpha.len());
        self.alpha = numbers;
        Ok(())
    }

    /// Visits the documents of all processes at the first one, in any order.
    fn for_each_of_all(&mut self, mut visit: impl FnMut(&[(u16, u32)])) -> Result<(), Error> {
        let path = self.storage.path("documents");
        for place in 0..self.layout.groups.div_ceil(self.collectives.place().ranks) {
            let mut left = match self.own.clone().nth(place) {
                Some(i) => self.documents_in_pieces(i)?,
                None => Vec::new(),
            };
            loop {
                let mut pieces = [left.len() as u64];
                self.collectives.add(&mut pieces)?;
                if pieces == [0] {
                    break;
                }
                let piece = left.pop().unwrap_or_default();
                for bytes in self.collectives.gather(piece)? {
                    parts::for_each_document(&path, &[&bytes], self.layout.topics, |_, own| visit(own))?;
                }
            }
        }
        Ok(())
    }

    /// The documents of a group as bytes, in pieces of about so many.
    fn documents_in_pieces(&self, i: usize) -> Result<Vec<Vec<u8>>, Error> {
        let mut pieces = vec![Vec::new()];
        self.for_each_document(i, |entries| {
            if pieces.last().is_none_or(|piece| piece.len() >= PIECE) {
                pieces.push(Vec::new());
            }
            if let Some(piece) = pieces.last_mut() {
                parts::put_document(piece, entries.iter().copied());
            }
        })?;
        Ok(pieces)
    }

    /// As of the chain in memory.
    pub(super) fn draw_hyperparameters(&mut self, prior: &ConcentrationPrior) -> Result<(), Error> {
        prior.check(&self.alpha)?;
        let mut rng = stream(self.seed, &[CONCENTRATIONS, self.sweeps as u64]);
        let tally = self.tally()?;
        let totals = self.totals()?;
        prior.draw_alpha(&tally, &mut self.alpha, &mut rng);
        if self.concentrations.is_equal() {
            let tally = (&tally, self.layout.sizes.words);
            let beta = prior.draw_beta(tally, totals.into_iter(), self.beta(), &mut rng);
            self.set_beta(beta);
        }
        Ok(())
    }

    pub(super) fn beta(&self) -> f64 {
        self.concentrations.least()
    }

    /// Changes the concentration of words that have none of their own.
    pub(super) fn set_beta(&mut self, beta: f64) {
        self.concentrations.set_equal(beta);
        self.priors.iter_mut().for_each(|prior| prior.set_beta(beta));
        self.words.iter_mut().for_each(|words| words.prior.set_beta(beta));
    }

    pub(super) fn concentrations(&self) -> &WordConcentrations {
        &self.concentrations
    }

    /// Adds the counts of the documents of a group to those that were pooled.
    pub(super) fn pool_documents(&self, i: usize) -> Result<(), Error> {
        let part = group_part("pooled", i);
        let (path, before) = (self.storage.path(&part), self.storage.read(&part)?);
        let before = payloads(&path, &before)?.concat();
        let mut pooled = parts::Sums::new(&before);
        let mut bytes = Vec::with_capacity(before.len());
        let mut sums: Entries<u32> = Vec::new();
        let mut ok = true;
        self.for_each_document(i, |entries| {
            ok &= pooled.next_with(entries, self.layout.topics, &mut sums).is_some();
            parts::put_document(&mut bytes, sums.iter().copied());
        })?;
        if !ok {
            return Err(super::frames::foreign(&path));
        }
        self.storage.write(&part, &framed(&bytes))
    }
}

/// Adds what another process has counted.
fn add_to_tally(tally: &mut Tally, bytes: &[u8]) -> Result<(), Error> {
    let (numbers, rest) = bytes.as_chunks::<8>();
    let numbers: Vec<u64> = numbers.iter().map(|&eight| u64::from_le_bytes(eight)).collect();
    let ok = rest.is_empty() && tally.add_numbers(&numbers);
    if ok { Ok(()) } else { Err(Error::Corpus("a process has sent something else than counts".to_owned())) }
}

/// A group of words with its counts.
fn word_group(counts: Vec<u32>, totals: Vec<u32>, prior: WordPrior) -> WordGroup {
    let mass = vec![1.0; totals.len()];
    WordGroup { counts, totals, mass, prior, tokens: TokenTopics::default() }
}
