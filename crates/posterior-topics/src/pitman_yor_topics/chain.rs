//! Collapsed Gibbs sampling: the chain over topics of tokens and tables of topics.

use posterior_dist::stream::stream;
use posterior_dist::{PitmanYor, PitmanYorPrior, Seats};
use posterior_math::special::{ln_pochhammer, ln_rising_factorial};
use pulp::{Arch, Simd, WithSimd};
use rand::{Rng, RngExt};

use super::base::BaseRestaurant;
use super::options::{Base, NAME, PitmanYorTopicsOptions};
use crate::checks::topics_of_tokens;
use crate::lane_weights::LaneWeights;
use crate::lanes::LANES;
use crate::lda::improve_alpha;
use crate::{Corpus, Error};

const INITIAL: u64 = 0;
const SWEEP: u64 = 1;

/// A chain over the topics of all tokens, the tables at which the tokens of a word sit in their topic, the
/// tables of the shared base, discounts and concentrations.
///
/// A sweep takes each token from its table, draws its topic with weight
///
/// ```text
/// (n_dk + alpha_k) [n_kw - d t_kw + (θ + d t_k) H_w] / (n_k + θ)
/// ```
///
/// and its table in the topic; then discounts and concentrations are drawn. Serial, so that threads cannot
/// change it. Cost: tokens x topics, eight topics at a time; memory: 32 bytes x words x topics.
#[derive(Debug, Clone)]
pub struct PitmanYorGibbs<'a> {
    corpus: &'a Corpus,
    seed: u64,
    prior: Option<PitmanYorPrior>,
    level: PitmanYor,
    alpha: Vec<f64>,
    /// Topics, padded to whole lanes.
    stride: usize,
    /// Of each token, in the order of documents, words and repetitions.
    assignments: Vec<u32>,
    /// Documents x stride.
    documents: Vec<u32>,
    /// Words x stride: customers, tables and their sizes.
    customers: Vec<u32>,
    tables: Vec<u32>,
    sizes: Vec<Vec<u32>>,
    /// By topic.
    all_customers: Vec<u32>,
    all_tables: Vec<u32>,
    base: BaseRestaurant,
    sweeps: usize,
}

impl<'a> PitmanYorGibbs<'a> {
    /// A chain that starts from topics drawn uniformly.
    ///
    /// # Errors
    /// Options out of range, or a corpus of 2^31 tokens or more.
    pub fn new(corpus: &'a Corpus, options: &PitmanYorTopicsOptions) -> Result<Self, Error> {
        check(corpus, options)?;
        let mut rng = stream(options.seed, &[INITIAL, 1]);
        let topics: Vec<u32> =
            (0..corpus.tokens()).map(|_| rng.random_range(0..options.topics as u32)).collect();
        Self::from_assignments(corpus, options, &topics)
    }

    /// A chain that starts from the given topics, one a token in the order of documents, of words within a
    /// document, and of repetitions; tables are drawn.
    ///
    /// # Errors
    /// As [`PitmanYorGibbs::new`]; or another number of topics than there are tokens, or a topic out of
    /// range.
    pub fn from_assignments(
        corpus: &'a Corpus,
        options: &PitmanYorTopicsOptions,
        topics: &[u32],
    ) -> Result<Self, Error> {
        check(corpus, options)?;
        topics_of_tokens(corpus.tokens(), topics, options.topics)?;
        let stride = options.topics.next_multiple_of(LANES);
        let words = corpus.vocabulary().len();
        let mut chain = Self {
            corpus,
            seed: options.seed,
            prior: options.prior,
            level: options.level,
            alpha: options.alpha.of_topics_in(NAME, options.topics)?,
            stride,
            assignments: topics.to_vec(),
            documents: vec![0; corpus.documents() * stride],
            customers: vec![0; words * stride],
            tables: vec![0; words * stride],
            sizes: vec![Vec::new(); words * stride],
            all_customers: vec![0; stride],
            all_tables: vec![0; stride],
            base: BaseRestaurant::new(options.base, options.base_level, words),
            sweeps: 0,
        };
        let mut rng = stream(options.seed, &[INITIAL]);
        let mut next = topics.iter().map(|&topic| topic as usize);
        for (d, document) in corpus.iter().enumerate() {
            for (&word, &count) in document.words.iter().zip(document.counts) {
                for k in next.by_ref().take(count as usize) {
                    chain.documents[d * stride + k] += 1;
                    chain.seat(word as usize, k, &mut rng);
                }
            }
        }
        Ok(chain)
    }

    /// Draws everything once.
    pub fn sweep(&mut self) {
        let mut rng = stream(self.seed, &[SWEEP, self.sweeps as u64]);
        Arch::new().dispatch(Sweep { chain: self, rng: &mut rng });
        if let Some(prior) = self.prior {
            self.draw_parameters(&prior, &mut rng);
        }
        self.sweeps += 1;
    }

    /// Draws discounts and concentrations given the tables.
    fn draw_parameters(&mut self, prior: &PitmanYorPrior, rng: &mut impl Rng) {
        let topics = (0..self.alpha.len()).map(|k| Seats {
            customers: self.all_customers[k],
            tables: self.all_tables[k],
            sizes: self.sizes.iter().skip(k).step_by(self.stride).flatten(),
        });
        self.level = prior.draw(self.level, topics, rng).expect("invariant: the options are checked");
        if self.base.base == Base::Shared {
            let (customers, tables) = (self.base.all_customers, self.base.all_tables);
            let base = Seats { customers, tables, sizes: self.base.dishes.iter().flatten() };
            self.base.level = prior
                .draw(self.base.level, std::iter::once(base), rng)
                .expect("invariant: the options are checked");
        }
    }

    /// Moves `alpha` uphill in the likelihood of the topics.
    pub fn optimize_hyperparameters(&mut self) {
        let topics = self.alpha.len();
        let rows = self.documents.chunks_exact(self.stride).map(|row| &row[..topics]);
        self.alpha = improve_alpha(rows, &self.alpha);
    }

    /// Seats a token of a word in a topic.
    fn seat<R: Rng + ?Sized>(&mut self, word: usize, k: usize, rng: &mut R) {
        let at = word * self.stride + k;
        let kept = self.level.kept(self.customers[at], self.tables[at]);
        let new = self.level.new_table(self.all_tables[k]) * self.base.probability(word);
        if self.level.seat(&mut self.sizes[at], kept, new, rng) {
            self.tables[at] += 1;
            self.all_tables[k] += 1;
            self.base.add(word, rng);
        }
        self.customers[at] += 1;
        self.all_customers[k] += 1;
    }

    /// Takes a token of a word out of a topic.
    fn unseat<R: Rng + ?Sized>(&mut self, word: usize, k: usize, rng: &mut R) {
        let at = word * self.stride + k;
        if PitmanYor::unseat(&mut self.sizes[at], self.customers[at], rng) {
            self.tables[at] -= 1;
            self.all_tables[k] -= 1;
            self.base.remove(word, rng);
        }
        self.customers[at] -= 1;
        self.all_customers[k] -= 1;
    }

    /// The corpus.
    pub fn corpus(&self) -> &'a Corpus {
        self.corpus
    }

    /// Sweeps done so far.
    pub fn sweeps(&self) -> usize {
        self.sweeps
    }

    /// The topic of each token, in the order of [`from_assignments`](Self::from_assignments).
    pub fn assignments(&self) -> &[u32] {
        &self.assignments
    }

    /// The Dirichlet concentration of each topic in a document.
    pub fn alpha(&self) -> &[f64] {
        &self.alpha
    }

    /// Discount and concentration of the topics.
    pub fn level(&self) -> PitmanYor {
        self.level
    }

    /// Discount and concentration of the base, where it is shared.
    pub fn base_level(&self) -> Option<PitmanYor> {
        (self.base.base == Base::Shared).then_some(self.base.level)
    }

    /// Topic counts of document `d`.
    ///
    /// # Panics
    /// When there is no such document.
    #[track_caller]
    pub fn document_counts(&self, d: usize) -> &[u32] {
        &self.documents[d * self.stride..][..self.alpha.len()]
    }

    /// Tokens of each topic.
    pub fn topic_counts(&self) -> &[u32] {
        &self.all_customers[..self.alpha.len()]
    }

    /// The probability of a word in each topic, given the tables.
    ///
    /// # Panics
    /// When there is no such word.
    #[track_caller]
    pub fn word_probabilities(&self, word: usize) -> Vec<f64> {
        let base = self.base.probability(word);
        let probability = |k: usize| {
            let at = word * self.stride + k;
            let kept = self.level.kept(self.customers[at], self.tables[at]);
            let new = self.level.new_table(self.all_tables[k]);
            (kept + new * base) / (f64::from(self.all_customers[k]) + self.level.concentration())
        };
        (0..self.alpha.len()).map(probability).collect()
    }

    /// ln p(W, Z, tables | parameters), with the order of tokens given. Costs one pass over the counts.
    pub fn ln_joint(&self) -> f64 {
        let all: f64 = self.alpha.iter().sum();
        let mut ln = 0.0;
        for own in self.documents.chunks_exact(self.stride) {
            let topics = own.iter().zip(&self.alpha).filter(|&(&n, _)| n > 0);
            ln += topics.map(|(&n, &alpha)| ln_rising_factorial(alpha, u64::from(n))).sum::<f64>();
            ln -= ln_rising_factorial(all, own.iter().map(|&n| u64::from(n)).sum());
        }
        for k in 0..self.alpha.len() {
            ln += ln_restaurant(self.level, self.all_customers[k], self.all_tables[k]);
        }
        ln += self.sizes.iter().flatten().map(|&n| ln_table(self.level, n)).sum::<f64>();
        let uniform = -(self.base.dishes.len() as f64).ln();
        match self.base.base {
            Base::Uniform => ln + f64::from(self.base.all_customers) * uniform,
            Base::Shared => {
                let level = self.base.level;
                let sizes = self.base.dishes.iter().flatten();
                ln + ln_restaurant(level, self.base.all_customers, self.base.all_tables)
                    + sizes.map(|&n| ln_table(level, n)).sum::<f64>()
                    + f64::from(self.base.all_tables) * uniform
            }
        }
    }
}

/// ln of (θ + d) (θ + 2d) … (θ + (t - 1) d) over (θ + 1) … (θ + c - 1).
fn ln_restaurant(level: PitmanYor, customers: u32, tables: u32) -> f64 {
    if customers == 0 {
        return 0.0;
    }
    let opened: f64 = (1..tables).map(|i| level.new_table(i).ln()).sum();
    opened - ln_rising_factorial(level.concentration() + 1.0, u64::from(customers - 1))
}

/// ln of (1 - d) (2 - d) … (n - 1 - d).
fn ln_table(level: PitmanYor, customers: u32) -> f64 {
    ln_pochhammer(1.0 - level.discount(), f64::from(customers - 1))
}

fn check(corpus: &Corpus, options: &PitmanYorTopicsOptions) -> Result<(), Error> {
    options.check()?;
    crate::checks::sampleable(corpus)
}

/// One pass over all tokens.
struct Sweep<'s, 'a, R: ?Sized> {
    chain: &'s mut PitmanYorGibbs<'a>,
    rng: &'s mut R,
}

impl<R: Rng + ?Sized> WithSimd for Sweep<'_, '_, R> {
    type Output = ();

    #[expect(clippy::inline_always, reason = "has to be compiled with the vector instructions of its caller")]
    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self { chain, rng } = self;
        let mut factors = Factors::new(chain);
        let mut token = 0;
        for (d, document) in chain.corpus.iter().enumerate() {
            let row = d * chain.stride;
            factors.start(&chain.documents[row..][..chain.stride], &chain.alpha);
            for (&word, &count) in document.words.iter().zip(document.counts) {
                let word = word as usize;
                for _ in 0..count {
                    let old = chain.assignments[token] as usize;
                    chain.unseat(word, old, rng);
                    chain.documents[row + old] -= 1;
                    factors.refresh(chain, row, old);
                    let total = factors.weigh(chain, word);
                    let drawn = factors.lanes.pick(rng.random::<f64>() * total);
                    chain.seat(word, drawn, rng);
                    chain.documents[row + drawn] += 1;
                    factors.refresh(chain, row, drawn);
                    chain.assignments[token] = drawn as u32;
                    token += 1;
                }
            }
        }
    }
}

/// What the kernel keeps up to date while topics change, one entry a topic; zeros in the padding.
struct Factors {
    /// `n_dk + alpha_k`.
    document: Vec<f64>,
    /// `1 / (n_k + θ)`.
    scale: Vec<f64>,
    /// `(θ + d t_k) / (n_k + θ)`.
    new: Vec<f64>,
    lanes: LaneWeights,
}

impl Factors {
    fn new(chain: &PitmanYorGibbs<'_>) -> Self {
        let mut lanes = LaneWeights::default();
        lanes.resize(chain.stride);
        let zeros = vec![0.0; chain.stride];
        let mut factors = Self { document: zeros.clone(), scale: zeros.clone(), new: zeros, lanes };
        for k in 0..chain.alpha.len() {
            factors.refresh_topic(chain, k);
        }
        factors
    }

    fn start(&mut self, own: &[u32], alpha: &[f64]) {
        for ((factor, &n), alpha) in self.document.iter_mut().zip(own).zip(alpha) {
            *factor = f64::from(n) + alpha;
        }
    }

    #[expect(clippy::inline_always, reason = "has to be compiled with the vector instructions of its caller")]
    #[inline(always)]
    fn refresh(&mut self, chain: &PitmanYorGibbs<'_>, row: usize, k: usize) {
        self.document[k] = f64::from(chain.documents[row + k]) + chain.alpha[k];
        self.refresh_topic(chain, k);
    }

    fn refresh_topic(&mut self, chain: &PitmanYorGibbs<'_>, k: usize) {
        self.scale[k] = 1.0 / (f64::from(chain.all_customers[k]) + chain.level.concentration());
        self.new[k] = chain.level.new_table(chain.all_tables[k]) * self.scale[k];
    }

    /// Fills in the weights of the topics for a word and returns their sum.
    #[expect(clippy::inline_always, reason = "has to be compiled with the vector instructions of its caller")]
    #[inline(always)]
    fn weigh(&mut self, chain: &PitmanYorGibbs<'_>, word: usize) -> f64 {
        let (base, discount) = (chain.base.probability(word), chain.level.discount());
        let row = word * chain.stride..(word + 1) * chain.stride;
        let (customers, _) = chain.customers[row.clone()].as_chunks::<LANES>();
        let (tables, _) = chain.tables[row].as_chunks::<LANES>();
        let (document, _) = self.document.as_chunks::<LANES>();
        let (scale, _) = self.scale.as_chunks::<LANES>();
        let (new, _) = self.new.as_chunks::<LANES>();
        let runs = customers.iter().zip(tables).zip(document).zip(scale).zip(new);
        self.lanes.fill(runs.map(|((((customers, tables), document), scale), new)| {
            let mut run = [0.0; LANES];
            for lane in 0..LANES {
                // By way of i32, which machines convert in vectors; a count never reaches 2^31.
                let kept = f64::from(customers[lane].cast_signed())
                    - discount * f64::from(tables[lane].cast_signed());
                run[lane] = document[lane] * (kept * scale[lane] + new[lane] * base);
            }
            run
        }))
    }
}
