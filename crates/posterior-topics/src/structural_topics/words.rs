//! The words of topics: common to all documents, or by the level of a content covariate.

use posterior_dist::Gamma;
use posterior_dist::stream::stream;
use posterior_math::linalg::{Cholesky, DMatrix, DVector};
use posterior_math::log_space::LnSumExp;
use rand_distr::{Distribution as _, StandardNormal};
use rayon::prelude::*;

use super::log_concave::{Normal, PoissonCounts, step};
use super::options::StructuralTopicsOptions;
use crate::distributions::column_sums;
use crate::lda::blocked_gibbs::draw_topic_words;

/// Words of one task. They share a random stream, so that the number shapes the chain.
const WORDS_PER_TASK: usize = 64;

/// The probabilities of words. A row is a topic within a level: `level * topics + topic`.
#[derive(Debug, Clone)]
pub(super) struct TopicWords {
    pub(super) rows: usize,
    pub(super) prior: WordPrior,
    /// Words x rows.
    pub(super) phi: Vec<f64>,
    pub(super) ln_phi: Vec<f64>,
}

/// Where the probabilities come from.
#[derive(Debug, Clone)]
pub(super) enum WordPrior {
    /// `Dir(beta, .., beta)`.
    Common { beta: f64 },
    /// Deviations from the words of the corpus.
    Levels(Deviations),
}

impl TopicWords {
    /// Words as in topics (topics x words), in all levels.
    pub(super) fn new(
        topics: &DMatrix<f64>,
        levels: usize,
        ln_proportions: Vec<f64>,
        options: &StructuralTopicsOptions,
    ) -> Self {
        let rows = levels * options.topics;
        let (words, count) = (topics.ncols(), options.topics);
        let phi: Vec<f64> =
            (0..words * rows).map(|place| topics[(place % rows % count, place / rows)]).collect();
        let ln_phi: Vec<f64> = phi.iter().map(|phi| phi.ln()).collect();
        let prior = if levels == 1 {
            WordPrior::Common { beta: options.beta }
        } else {
            WordPrior::Levels(Deviations::new(&ln_phi, levels, ln_proportions, options))
        };
        Self { rows, prior, phi, ln_phi }
    }

    /// Draws the probabilities given the counts of topics in words (words x rows), by random streams of this
    /// seed and path.
    ///
    /// Cost: words x rows; with levels, Newton steps x words x topics x levels³.
    pub(super) fn draw(&mut self, counts: &[u32], seed: u64, path: [u64; 2]) {
        match &mut self.prior {
            WordPrior::Common { beta } => draw_topic_words(
                (counts, self.rows),
                |_, _| *beta,
                |k| stream(seed, &[path[0], path[1], k]),
                (&mut self.phi, &mut self.ln_phi),
            ),
            WordPrior::Levels(deviations) => {
                deviations.draw(counts, seed, path);
                deviations.write(&mut self.ln_phi);
                self.phi.par_iter_mut().zip(&self.ln_phi).for_each(|(phi, ln)| *phi = ln.exp());
            }
        }
    }

    /// The probabilities that a state adds to the posterior mean, words x rows: given the counts where that
    /// is known.
    pub(super) fn expected(&self, counts: &[u32]) -> Vec<f64> {
        let WordPrior::Common { beta } = self.prior else { return self.phi.clone() };
        let words = (counts.len() / self.rows) as f64;
        let totals: Vec<f64> =
            column_sums(counts, self.rows).iter().map(|&n| f64::from(n) + words * beta).collect();
        let of = |(place, &n): (usize, &u32)| (f64::from(n) + beta) / totals[place % self.rows];
        counts.iter().enumerate().map(of).collect()
    }
}

/// `phi_gkv ∝ exp(m_v + a_gkv)`, where `a_gkv = topic_kv + level_gv + both_gkv` is a sum of independent
/// Gaussians. Of the sums the chain keeps `a` and `level`.
///
/// Words depend on each other by the sum that makes `phi` add to one. Given `u_gk ~ Gamma(n_gk)`, divided by
/// this sum, they do not: the likelihood of `a` is that of counts `n_gkv ~ Poisson(u_gk exp(m_v + a_gkv))`.
#[derive(Debug, Clone)]
pub(super) struct Deviations {
    topics: usize,
    levels: usize,
    /// `m`.
    ln_proportions: Vec<f64>,
    /// `a`, words x rows.
    pub(super) own: Vec<f64>,
    /// `level`, words x levels.
    pub(super) shared: Vec<f64>,
    /// Of the levels of `a` in one topic, given `level`.
    precision: DMatrix<f64>,
    /// Of the precision of `level` given `a`.
    shared_factor: Cholesky,
}

impl Deviations {
    fn new(
        ln_phi: &[f64],
        levels: usize,
        ln_proportions: Vec<f64>,
        options: &StructuralTopicsOptions,
    ) -> Self {
        let rows = levels * options.topics;
        let own = ln_phi.iter().enumerate().map(|(place, ln)| ln - ln_proportions[place / rows]).collect();
        let shared = vec![0.0; ln_proportions.len() * levels];
        let covariance = DMatrix::from_element(levels, levels, options.topic_variance)
            + DMatrix::identity(levels, levels) * options.interaction_variance;
        let precision = inverse(&covariance);
        let of_shared = &precision * options.topics as f64
            + DMatrix::identity(levels, levels) * options.level_variance.recip();
        let shared_factor = Cholesky::new(&of_shared).expect("invariant: variances are positive");
        Self { topics: options.topics, levels, ln_proportions, own, shared, precision, shared_factor }
    }

    /// The logarithms of the sums by which rows are divided.
    fn ln_totals(&self) -> Vec<f64> {
        let rows = self.levels * self.topics;
        let mut totals = vec![LnSumExp::default(); rows];
        for (own, m) in self.own.chunks_exact(rows).zip(&self.ln_proportions) {
            totals.iter_mut().zip(own).for_each(|(total, a)| total.push(m + a));
        }
        totals.iter().map(LnSumExp::value).collect()
    }

    fn draw(&mut self, counts: &[u32], seed: u64, path: [u64; 2]) {
        let (topics, levels, rows) = (self.topics, self.levels, self.levels * self.topics);
        let mut rng = stream(seed, &path);
        let tokens = column_sums(counts, rows);
        // `ln u`; rows without a token have a likelihood of one, and a rate of zero.
        let ln_u: Vec<f64> = tokens
            .iter()
            .zip(self.ln_totals())
            .map(|(&n, ln_total)| {
                let gamma = Gamma::shape_rate(f64::from(n), 1.0);
                gamma.map_or(f64::NEG_INFINITY, |gamma| gamma.sample_ln(&mut rng) - ln_total)
            })
            .collect();
        let (precision, shared_factor, m) = (&self.precision, &self.shared_factor, &self.ln_proportions);
        let tasks = self.own.par_chunks_mut(WORDS_PER_TASK * rows);
        let tasks = tasks.zip(self.shared.par_chunks_mut(WORDS_PER_TASK * levels));
        tasks.enumerate().for_each(|(task, (own, shared))| {
            let mut rng = stream(seed, &[path[0], path[1], task as u64]);
            let words = own.chunks_exact_mut(rows).zip(shared.chunks_exact_mut(levels));
            for (word, (own, shared)) in (task * WORDS_PER_TASK..).zip(words) {
                let mut sum = DVector::zeros(levels);
                for k in 0..topics {
                    let of_topic = |g: usize| g * topics + k;
                    let n: Vec<f64> =
                        (0..levels).map(|g| f64::from(counts[word * rows + of_topic(g)])).collect();
                    let ln_rates: Vec<f64> = (0..levels).map(|g| ln_u[of_topic(g)] + m[word]).collect();
                    let mut a: Vec<f64> = (0..levels).map(|g| own[of_topic(g)]).collect();
                    let likelihood = PoissonCounts { counts: &n, ln_rates: &ln_rates };
                    step(&mut a, Normal { mean: shared, precision }, &likelihood, &mut rng);
                    for (g, &a) in a.iter().enumerate() {
                        own[of_topic(g)] = a;
                        sum[g] += a;
                    }
                }
                let noise = DVector::from_fn(levels, |_, _| StandardNormal.sample(&mut rng));
                let drawn = shared_factor.solve_vector(&(precision * sum))
                    + shared_factor.half_solve_transpose_vector(&noise);
                shared.copy_from_slice(drawn.as_slice());
            }
        });
    }

    /// Writes `ln phi`.
    pub(super) fn write(&self, ln_phi: &mut [f64]) {
        let rows = self.levels * self.topics;
        let ln_totals = self.ln_totals();
        let places = ln_phi.chunks_exact_mut(rows).zip(self.own.chunks_exact(rows));
        for ((ln_phi, own), m) in places.zip(&self.ln_proportions) {
            let row = ln_phi.iter_mut().zip(own).zip(&ln_totals);
            row.for_each(|((ln_phi, a), ln_total)| *ln_phi = m + a - ln_total);
        }
    }
}

fn inverse(covariance: &DMatrix<f64>) -> DMatrix<f64> {
    Cholesky::new(covariance).expect("invariant: variances are positive").inverse()
}
