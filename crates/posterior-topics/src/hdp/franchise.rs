//! The Chinese restaurant franchise: the chain over tables of tokens and topics of tables.

use posterior_dist::stream::stream;
use pulp::{Arch, Simd, WithSimd};
use rand::{Rng, RngExt};
use serde::{Deserialize, Serialize};

use super::concentrations::Concentrations;
use super::direct_assignment::{SWEEP, mean_sticks, numbered, optimize_beta};
use super::joint;
use super::options::HdpOptions;
use super::start::{check, initial_topics};
use super::table_weights::TableWeights;
use super::topic_counts::{Tokens, TopicCounts};
use crate::checkpoint::contradiction;
use crate::lane_weights::LaneWeights;
use crate::lanes::LANES;
use crate::{Corpus, Error};

/// The chain of [`Franchise`] without what its corpus and its options say.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct FranchiseState {
    /// The table of each token in its document.
    pub(super) seats: Vec<u32>,
    /// The slot of each table of each document.
    pub(super) documents: Vec<Vec<u32>>,
    pub(super) slots: usize,
    pub(super) beta: f64,
    pub(super) concentrations: Concentrations,
}

/// A table of a document: no customers if it is not in use.
#[derive(Debug, Clone, Copy, Default)]
struct Table {
    topic: u32,
    customers: u32,
}

/// The tables of each document.
type Documents = Vec<Vec<Table>>;

/// A chain over the tables at which the tokens of each document sit, the topics of the tables, and the
/// concentrations (Teh et al. 2006, section 5.1).
///
/// A sweep seats each token anew, at a table with weight `customers x f_k(w)` or at a new one with weight
/// `α₀`; then it draws the topic of each table given all of its tokens, so that many tokens of a document can
/// change their topic at once; and the concentrations. The weights of the topics in the corpus are integrated
/// out. Serial, so that threads cannot change it. Cost: tokens x (topics + tables of the document).
#[derive(Debug, Clone)]
pub struct Franchise<'a> {
    corpus: &'a Corpus,
    options: HdpOptions,
    tokens: Tokens,
    /// The table of each token in its document.
    seats: Vec<u32>,
    documents: Documents,
    counts: TopicCounts,
    /// Tables of each topic in all documents, by slot.
    tables: Vec<u32>,
    concentrations: Concentrations,
    lanes: LaneWeights,
    weights: TableWeights,
    sweeps: usize,
}

impl<'a> Franchise<'a> {
    /// A chain that starts from documents of one table each, alike ones with the same topic.
    ///
    /// # Errors
    /// Options out of range, or a corpus of 2^31 tokens or more.
    pub fn new(corpus: &'a Corpus, options: &HdpOptions) -> Result<Self, Error> {
        let topics = initial_topics(corpus, options)?;
        Self::from_assignments(corpus, options, &topics)
    }

    /// A chain that starts from the given topics, one a token in the order of documents, of words within a
    /// document, and of repetitions, with one table for each topic of a document. The names of the topics do
    /// not matter.
    ///
    /// # Errors
    /// As [`Franchise::new`]; or another number of topics than there are tokens.
    pub fn from_assignments(corpus: &'a Corpus, options: &HdpOptions, topics: &[u32]) -> Result<Self, Error> {
        check(corpus, options)?;
        let (topics, used) = numbered(corpus, topics)?;
        let mut seats = Vec::with_capacity(topics.len());
        let mut documents = Vec::with_capacity(corpus.documents());
        for range in Tokens::of(corpus).starts.windows(2) {
            let mut document: Vec<u32> = Vec::new();
            let mut table_of = vec![None; used];
            for &topic in &topics[range[0]..range[1]] {
                let seat = *table_of[topic as usize].get_or_insert_with(|| {
                    document.push(topic);
                    document.len() - 1
                });
                seats.push(seat as u32);
            }
            documents.push(document);
        }
        let (slots, concentrations) = (used.next_multiple_of(LANES), Concentrations::of(options));
        let state = FranchiseState { seats, documents, slots, beta: options.beta, concentrations };
        Self::restore(corpus, options, &state, 0)
    }

    /// Draws everything once.
    pub fn sweep(&mut self) {
        let mut rng = stream(self.options.seed, &[SWEEP, self.sweeps as u64]);
        Arch::new().dispatch(Seating { chain: self, rng: &mut rng });
        self.concentrations.draw(&self.options, self.tokens.lengths(), &self.tables, &mut rng);
        self.sweeps += 1;
        if self.options.is_optimized(self.sweeps) {
            optimize_beta(&mut self.counts);
        }
    }

    /// The corpus.
    pub fn corpus(&self) -> &'a Corpus {
        self.corpus
    }

    /// Sweeps done so far.
    pub fn sweeps(&self) -> usize {
        self.sweeps
    }

    /// The number of topics that have tokens.
    pub fn topics(&self) -> usize {
        self.counts.used().len()
    }

    /// The number of tables in all documents.
    pub fn tables(&self) -> u64 {
        self.tables.iter().map(|&m| u64::from(m)).sum()
    }

    /// The concentrations of the process.
    pub fn concentrations(&self) -> Concentrations {
        self.concentrations
    }

    /// The Dirichlet concentration of each word in a topic.
    pub fn beta(&self) -> f64 {
        self.counts.beta
    }

    /// The topic of each token, in the order of [`from_assignments`](Self::from_assignments). Topics may have
    /// any numbers, which say nothing but which tokens share a topic.
    pub fn assignments(&self) -> Vec<u32> {
        let mut topics = Vec::with_capacity(self.seats.len());
        for (document, range) in self.documents.iter().zip(self.tokens.starts.windows(2)) {
            topics.extend(self.seats[range[0]..range[1]].iter().map(|&seat| document[seat as usize].topic));
        }
        topics
    }

    /// ln p(W, Z | b, α₀, beta) at the mean of the weights b given the tables, with the order of tokens
    /// given. Costs one pass over the tokens.
    pub fn ln_joint(&self) -> f64 {
        let sticks = mean_sticks(&self.tables, self.concentrations.gamma);
        let topics = self.assignments();
        joint::ln_joint(&self.tokens, &topics, &self.counts, &sticks, self.concentrations.alpha)
    }

    pub(super) fn state(&self) -> (Vec<u32>, &TopicCounts, &[u32]) {
        (self.assignments(), &self.counts, &self.tables)
    }

    pub(super) fn save(&self) -> FranchiseState {
        let topics = |document: &Vec<Table>| document.iter().map(|table| table.topic).collect();
        FranchiseState {
            seats: self.seats.clone(),
            documents: self.documents.iter().map(topics).collect(),
            slots: self.counts.slots,
            beta: self.counts.beta,
            concentrations: self.concentrations,
        }
    }

    /// The chain as it was after so many sweeps.
    pub(super) fn restore(
        corpus: &'a Corpus,
        options: &HdpOptions,
        state: &FranchiseState,
        sweeps: usize,
    ) -> Result<Self, Error> {
        check(corpus, options)?;
        let tokens = Tokens::of(corpus);
        let (documents, topics) = seated(&tokens, state).ok_or_else(contradiction)?;
        let slots = state.slots;
        let counts = TopicCounts::restore(&tokens, &topics, corpus, slots, state.beta)?;
        let mut tables = vec![0; slots];
        for table in documents.iter().flatten() {
            let number = tables.get_mut(table.topic as usize).ok_or_else(contradiction)?;
            *number += u32::from(table.customers > 0);
        }
        if !state.concentrations.are_bounded() {
            return Err(contradiction());
        }
        let mut lanes = LaneWeights::default();
        lanes.resize(slots);
        Ok(Self {
            corpus,
            options: options.clone(),
            tokens,
            seats: state.seats.clone(),
            documents,
            counts,
            tables,
            concentrations: state.concentrations,
            lanes,
            weights: TableWeights::default(),
            sweeps,
        })
    }
}

/// The tables of a checkpoint with their customers, and the topics of these; `None` if somebody has no seat.
fn seated(tokens: &Tokens, state: &FranchiseState) -> Option<(Documents, Vec<u32>)> {
    if state.seats.len() != tokens.words.len() || state.documents.len() != tokens.documents() {
        return None;
    }
    let table = |&topic: &u32| Table { topic, customers: 0 };
    let mut documents: Documents =
        state.documents.iter().map(|topics| topics.iter().map(table).collect()).collect();
    let mut topics = Vec::with_capacity(state.seats.len());
    for (document, range) in documents.iter_mut().zip(tokens.starts.windows(2)) {
        for &seat in &state.seats[range[0]..range[1]] {
            let table = document.get_mut(seat as usize)?;
            table.customers += 1;
            topics.push(table.topic);
        }
    }
    Some((documents, topics))
}

/// One pass over all tokens and tables.
struct Seating<'s, 'a, R: ?Sized> {
    chain: &'s mut Franchise<'a>,
    rng: &'s mut R,
}

impl<R: Rng + ?Sized> WithSimd for Seating<'_, '_, R> {
    type Output = ();

    #[expect(clippy::inline_always, reason = "has to be compiled with the vector instructions of its caller")]
    #[inline(always)]
    fn with_simd<S: Simd>(mut self, _: S) {
        let mut served = Vec::new();
        for d in 0..self.chain.documents.len() {
            let tokens = self.chain.tokens.starts[d]..self.chain.tokens.starts[d + 1];
            for token in tokens.clone() {
                self.seat(d, token);
            }
            served.clear();
            served.resize(self.chain.documents[d].len(), Vec::new());
            for token in tokens {
                served[self.chain.seats[token] as usize].push(self.chain.tokens.words[token]);
            }
            for (table, words) in served.iter().enumerate().filter(|(_, words)| !words.is_empty()) {
                self.serve(d, table, words);
            }
        }
    }
}

impl<R: Rng + ?Sized> Seating<'_, '_, R> {
    /// Seats one token anew.
    #[expect(clippy::inline_always, reason = "has to be compiled with the vector instructions of its caller")]
    #[inline(always)]
    fn seat(&mut self, d: usize, token: usize) {
        let chain = &mut *self.chain;
        let word = chain.tokens.words[token] as usize;
        let document = &mut chain.documents[d];
        let table = &mut document[chain.seats[token] as usize];
        table.customers -= 1;
        chain.counts.shift(word, table.topic as usize, -1);
        if table.customers == 0 {
            chain.tables[table.topic as usize] -= 1;
        }
        // What a new table would be worth: its topic is drawn from those of all tables, or new.
        let known = menu_weights(&mut chain.lanes, &chain.counts, &chain.tables, word);
        let new_topic = chain.concentrations.gamma / chain.counts.words as f64;
        let all_tables = f64::from(chain.tables.iter().sum::<u32>());
        let new_table =
            chain.concentrations.alpha * (known + new_topic) / (all_tables + chain.concentrations.gamma);
        let weight =
            |table: &Table| f64::from(table.customers) * chain.counts.likelihood(word, table.topic as usize);
        let occupied: f64 = document.iter().map(weight).sum();
        let mut target = self.rng.random::<f64>() * (occupied + new_table);
        let mut seat = None;
        if target < occupied {
            for (number, table) in document.iter().enumerate().filter(|(_, table)| table.customers > 0) {
                seat = Some(number);
                target -= weight(table);
                if target < 0.0 {
                    break;
                }
            }
        }
        let number = seat.unwrap_or_else(|| {
            let target = self.rng.random::<f64>() * (known + new_topic);
            let topic = if target < known { chain.lanes.pick(target) } else { chain.counts.open() };
            chain.tables.resize(chain.counts.slots, 0);
            chain.lanes.resize(chain.counts.slots);
            chain.tables[topic] += 1;
            let table = Table { topic: topic as u32, customers: 0 };
            let free = document.iter().position(|table| table.customers == 0);
            let number = free.unwrap_or(document.len());
            if free.is_none() {
                document.push(table);
            }
            document[number] = table;
            number
        });
        let table = &mut document[number];
        table.customers += 1;
        chain.counts.shift(word, table.topic as usize, 1);
        chain.seats[token] = number as u32;
    }

    /// Draws the topic of a table, of which these are the words in increasing order.
    #[expect(clippy::inline_always, reason = "has to be compiled with the vector instructions of its caller")]
    #[inline(always)]
    fn serve(&mut self, d: usize, table: usize, words: &[u32]) {
        let chain = &mut *self.chain;
        let old = chain.documents[d][table].topic as usize;
        for &word in words {
            chain.counts.shift(word as usize, old, -1);
        }
        chain.tables[old] -= 1;
        let menu: Vec<f64> = chain.tables.iter().map(|&m| f64::from(m)).collect();
        let gamma = chain.concentrations.gamma;
        let (known, new) = chain.weights.weigh(&chain.counts, words, &menu, gamma);
        let (runs, _) = known.as_chunks::<LANES>();
        let known = chain.lanes.fill(runs.iter().copied());
        let target = self.rng.random::<f64>() * (known + new);
        let topic = if target >= known && new > 0.0 { chain.counts.open() } else { chain.lanes.pick(target) };
        chain.tables.resize(chain.counts.slots, 0);
        chain.lanes.resize(chain.counts.slots);
        chain.tables[topic] += 1;
        chain.documents[d][table].topic = topic as u32;
        for &word in words {
            chain.counts.shift(word as usize, topic, 1);
        }
    }
}

/// Fills in `m_k f_k(w)` and returns the sum.
#[expect(clippy::inline_always, reason = "has to be compiled with the vector instructions of its caller")]
#[inline(always)]
fn menu_weights(lanes: &mut LaneWeights, counts: &TopicCounts, tables: &[u32], word: usize) -> f64 {
    let (row, _) = counts.row(word).as_chunks::<LANES>();
    let (scale, _) = counts.scale.as_chunks::<LANES>();
    let (tables, _) = tables.as_chunks::<LANES>();
    let runs = row.iter().zip(scale).zip(tables).map(|((row, scale), tables)| {
        let mut run = [0.0; LANES];
        for lane in 0..LANES {
            let likelihood = (f64::from(row[lane].cast_signed()) + counts.beta) * scale[lane];
            run[lane] = f64::from(tables[lane].cast_signed()) * likelihood;
        }
        run
    });
    lanes.fill(runs)
}
