//! The fit: sweeps, and the means of states.

use posterior_math::iteration::Observer;
use posterior_math::linalg::DMatrix;
use posterior_sampling::Draws;
use serde::{Deserialize, Serialize};

use super::chain::DynamicChain;
use super::model::{Courses, DynamicTopics};
use super::options::DynamicTopicsOptions;
use crate::chain::{Chain, Run, SweepReport};
use crate::distributions::heaviest_first;
use crate::lda::concentration::thread_pool;
use crate::relabelling::nearest_topics;
use crate::{Corpus, Error, FittedTopics};

/// What the trace holds of a state beside its probability.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct DynamicState {
    /// `sigma^2`, the variance of a step of the median gap.
    pub drift: f64,
    /// The proportion of paths whose proposal was accepted in the sweep; NaN before the first.
    pub accepted: f64,
}

/// Fits dynamic topics by Markov chain Monte Carlo. `times` has the time of each document; documents of the
/// same time are of one period.
///
/// For a quarter of the sweeps the drift stays small, so that topics are found that all times have in common;
/// it is drawn from then on. Topics come by weight; concentrations go with their topics. The drifts of the
/// second half of the sweeps are kept: [`DynamicTopics::drift_draws`].
///
/// The observer sees the latest ln p(W, Z | paths) after each sweep; when it stops the fit, estimates are of
/// what was kept so far or, if nothing was, of the last state.
///
/// Cost: sweeps x (tokens x topics + some 30 x topics x words x periods).
///
/// # Errors
/// Options out of range; another number of times than of documents, or one that is not finite; a corpus of
/// 2^31 tokens or more.
pub fn fit(
    corpus: &Corpus,
    times: &[f64],
    options: &DynamicTopicsOptions,
    observer: &mut (impl Observer + ?Sized),
) -> Result<FittedTopics<DynamicTopics, SweepReport<DynamicState>>, Error> {
    let chain = DynamicChain::new(corpus, times, options)?;
    let size = chain.phi.len();
    let pooled = Pooled {
        states: 0,
        phi: vec![0.0; size],
        ln_mean: vec![0.0; size],
        ln_squares: vec![0.0; size],
        document_topic: vec![0; chain.document_topic.len()],
    };
    let fit = DynamicFit { chain, pooled, drifts: Vec::new(), half: options.iterations / 2 };
    let threads = thread_pool(options.threads)?;
    let (mut fit, report) = Run::new(fit, options.schedule()).finish(Some(&threads), observer)?;
    if fit.pooled.states == 0 {
        fit.pool();
    }
    if fit.drifts.is_empty() {
        fit.drifts.push(fit.chain.drift);
    }
    let (model, doc_topic) = fit.estimates()?;
    Ok(FittedTopics { model, doc_topic, report })
}

/// The chain, the sums of its states, and its drifts.
struct DynamicFit<'a> {
    chain: DynamicChain<'a>,
    pooled: Pooled,
    drifts: Vec<f64>,
    /// The sweeps before the first drift that is kept.
    half: usize,
}

/// Sums over states; of tables of periods x words x topics the means and sums of squares of ln phi too.
struct Pooled {
    states: u32,
    phi: Vec<f64>,
    ln_mean: Vec<f64>,
    ln_squares: Vec<f64>,
    document_topic: Vec<u64>,
}

impl DynamicFit<'_> {
    fn estimates(&self) -> Result<(DynamicTopics, DMatrix<f64>), Error> {
        let (chain, pooled) = (&self.chain, &self.pooled);
        let (topics, words) = (chain.alpha.len(), chain.corpus.vocabulary().len());
        let states = f64::from(pooled.states);
        // Tokens of each topic in each period: weights of topics, and of periods in what they have in common.
        let mut tokens: DMatrix<f64> = DMatrix::zeros(topics, chain.periods.times.len());
        for (row, &t) in pooled.document_topic.chunks_exact(topics).zip(&chain.periods.of_documents) {
            for (k, &n) in row.iter().enumerate() {
                tokens[(k, t)] += n as f64 / states;
            }
        }
        let weights: Vec<f64> = tokens.row_iter().map(|row| row.sum()).collect();
        let order = heaviest_first(&weights);
        let tables = |of: &dyn Fn(usize) -> f64| -> Vec<DMatrix<f64>> {
            let table =
                |t: usize| DMatrix::from_fn(topics, words, |k, v| of((t * words + v) * topics + order[k]));
            (0..chain.periods.times.len()).map(table).collect()
        };
        let courses = Courses {
            times: chain.periods.times.clone(),
            states: pooled.states,
            phi: tables(&|at| pooled.phi[at] / states),
            ln_mean: tables(&|at| pooled.ln_mean[at]),
            ln_sd: tables(&|at| (pooled.ln_squares[at] / (states - 1.0).max(1.0)).sqrt()),
        };
        let alpha: Vec<f64> = order.iter().map(|&k| chain.alpha[k]).collect();
        let tokens = tokens.select_rows(&order);
        let drift = Draws::new(vec!["drift".to_owned()], vec![self.drifts.clone()])
            .expect("invariant: one name, and a number for each draw");
        let model = DynamicTopics::new(chain.corpus.vocabulary().to_vec(), courses, &tokens, (alpha, drift))?;
        let all: f64 = chain.alpha.iter().sum();
        let rows: Vec<&[u64]> = pooled.document_topic.chunks_exact(topics).collect();
        let doc_topic = DMatrix::from_fn(rows.len(), topics, |d, k| {
            let length = rows[d].iter().sum::<u64>() as f64 / states;
            (chain.alpha[order[k]] + rows[d][order[k]] as f64 / states) / (all + length)
        });
        Ok((model, doc_topic))
    }
}

impl Chain for DynamicFit<'_> {
    type State = DynamicState;

    fn corpus(&self) -> &Corpus {
        self.chain.corpus
    }

    fn sweep(&mut self, _: usize) {
        self.chain.sweep();
    }

    fn fit_parameters(&mut self, iteration: usize) -> Result<(), Error> {
        if iteration > self.half {
            self.drifts.push(self.chain.drift);
        }
        Ok(())
    }

    fn ln_joint(&self) -> f64 {
        self.chain.ln_joint()
    }

    fn state(&self) -> DynamicState {
        DynamicState { drift: self.chain.drift, accepted: self.chain.accepted }
    }

    fn pool(&mut self) {
        let topics = self.chain.alpha.len();
        let Pooled { states, phi, ln_mean, ln_squares, document_topic } = &mut self.pooled;
        // Topics of concentrations of their own are known by these.
        let alike = self.chain.alpha.iter().all(|a| a.total_cmp(&self.chain.alpha[0]).is_eq());
        let order = if alike {
            nearest_topics(topics, (phi, f64::from(*states)), &self.chain.phi)
        } else {
            (0..topics).collect()
        };
        *states += 1;
        let count = f64::from(*states);
        let rows = phi.chunks_exact_mut(topics).zip(ln_mean.chunks_exact_mut(topics));
        let rows = rows.zip(ln_squares.chunks_exact_mut(topics));
        for (((sums, means), squares), row) in rows.zip(self.chain.phi.chunks_exact(topics)) {
            for (k, &own) in order.iter().enumerate() {
                sums[k] += row[own];
                // Probabilities below the least number of f64 are no number that a band needs.
                let ln = row[own].max(f64::MIN_POSITIVE).ln();
                let away = ln - means[k];
                means[k] += away / count;
                squares[k] += away * (ln - means[k]);
            }
        }
        let rows = document_topic.chunks_exact_mut(topics);
        for (sums, row) in rows.zip(self.chain.document_topic.chunks_exact(topics)) {
            sums.iter_mut().zip(&order).for_each(|(sum, &own)| *sum += u64::from(row[own]));
        }
    }
}
