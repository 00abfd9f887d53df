//! The driver of a fit: sweeps, trace, learning of the concentrations, pooling, and observers.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use posterior_math::iteration::Stop;

use super::chain::BlockedGibbs;
use super::options::Options;
use super::{Report, TracePoint};
use crate::lda::gibbs::PooledCounts;
use crate::lda::{Lda, concentration};
use crate::{Corpus, Error, Fitted};

/// What an observer sees after each sweep.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Step {
    /// Sweeps done, from 1.
    pub sweep: u32,
    /// The latest value of the joint log-likelihood, if one was taken yet.
    pub latest: Option<TracePoint>,
    /// Wall time since the start of the fit.
    pub elapsed: Duration,
}

/// Fits latent Dirichlet allocation by uncollapsed Gibbs sampling.
///
/// Estimates are means given the counts of the pooled states, as of the collapsed sampler: they vary less
/// than the `theta` and `phi` of these states do. Topics come by weight. `observer` is called after each
/// sweep; when it returns [`ControlFlow::Break`] the fit ends there, with the estimates of what was pooled so
/// far or, if nothing was, of the last state. The result depends on the seed and not on the number of
/// threads.
///
/// ```
/// use std::ops::ControlFlow;
/// use posterior_topics::{Corpus, TopicModel, lda::blocked_gibbs};
///
/// let words = ["river", "bank", "money"].map(str::to_owned).to_vec();
/// let names = ["shore", "branch"].map(str::to_owned).to_vec();
/// let corpus = Corpus::from_rows(words, names, vec![vec![(0, 50), (1, 20)], vec![(1, 20), (2, 50)]])?;
///
/// let options = blocked_gibbs::Options {
///     topics: 2,
///     alpha: 0.1.into(),
///     iterations: 200,
///     ..blocked_gibbs::Options::default()
/// };
/// let fitted = blocked_gibbs::fit(&corpus, &options, |_| ControlFlow::Continue(()))?;
/// let rows: f64 = fitted.model.topics().topic_word().sum();
/// assert!((rows - 2.0).abs() < 1e-12);
/// # Ok::<(), posterior_topics::Error>(())
/// ```
///
/// # Errors
/// Options out of range, or a corpus of 2^31 tokens or more.
pub fn fit(
    corpus: &Corpus,
    options: &Options,
    observer: impl FnMut(&Step) -> ControlFlow<()> + Send,
) -> Result<Fitted<Lda, Report>, Error> {
    let run = Run {
        chain: BlockedGibbs::new(corpus, options)?,
        options,
        pooled: PooledCounts::new(corpus, options.topics),
        trace: Vec::new(),
    };
    Ok(concentration::thread_pool(options.threads)?.install(|| run.finish(observer)))
}

/// A fit under way.
struct Run<'a> {
    chain: BlockedGibbs<'a>,
    options: &'a Options,
    pooled: PooledCounts,
    trace: Vec<TracePoint>,
}

impl Run<'_> {
    fn finish(mut self, mut observer: impl FnMut(&Step) -> ControlFlow<()>) -> Fitted<Lda, Report> {
        let start = Instant::now();
        let mut sampling = Duration::ZERO;
        let mut stop = Stop::MaxIterations;
        for sweep in 1..=self.options.iterations {
            let before = Instant::now();
            self.chain.sweep();
            sampling += before.elapsed();
            self.after(sweep);
            let latest = self.trace.last().copied();
            if observer(&Step { sweep, latest, elapsed: start.elapsed() }).is_break() {
                stop = Stop::Observer;
                break;
            }
        }
        self.fitted(stop, sampling)
    }

    fn after(&mut self, sweep: u32) {
        let schedule = self.options.schedule();
        if schedule.is_optimized(sweep) {
            self.chain.optimize_hyperparameters();
        }
        if schedule.is_pooled(sweep) {
            self.pool();
        }
        if sweep.is_multiple_of(self.options.trace_every) || sweep == self.options.iterations {
            self.trace.push(TracePoint { sweep, ln_joint: self.chain.ln_joint() });
        }
    }

    fn pool(&mut self) {
        let (documents, words) = self.chain.tables();
        self.pooled.add_tables(documents, words);
    }

    fn fitted(mut self, stop: Stop, sampling: Duration) -> Fitted<Lda, Report> {
        if self.pooled.samples() == 0 {
            self.pool();
        }
        let chain = &self.chain;
        let mut alpha = chain.alpha().to_vec();
        self.pooled.sort_topics(&mut alpha);
        let tokens = chain.corpus().tokens();
        let report = Report {
            sweeps: chain.sweeps(),
            trace: self.trace,
            stop,
            sampling,
            tokens_drawn: u64::from(chain.sweeps()) * tokens,
            tokens_in_sweep: tokens,
        };
        let (vocabulary, words) = (chain.corpus().vocabulary().to_vec(), self.pooled.mean_word_topic());
        Fitted {
            doc_topic: self.pooled.doc_topic(&alpha),
            model: Lda::from_counts(vocabulary, alpha, chain.beta(), words),
            report,
        }
    }
}
