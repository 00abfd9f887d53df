//! The fit: a chain with learning of the concentrations and pooling.

use posterior_math::iteration::Observer;

use super::chain::LdaBlockedGibbs;
use super::options::LdaBlockedGibbsOptions;
use crate::chain::{Chain, Run, SweepReport};
use crate::lda::gibbs::PooledCounts;
use crate::lda::{Lda, concentration};
use crate::{Corpus, Error, FittedTopics};

/// Fits latent Dirichlet allocation by uncollapsed Gibbs sampling.
///
/// Estimates are means given the counts of the pooled states, as of the collapsed sampler: they vary less
/// than the `theta` and `phi` of these states do. Topics come by weight, unless the prior tells them apart.
/// The observer sees the latest value of ln p(W, Z | alpha, beta) after each sweep, NaN before the first one
/// is taken; when it stops the fit, estimates are of what was pooled so far or, if nothing was, of the last
/// state. The result depends on the seed and not on the number of threads.
///
/// ```
/// use posterior_math::iteration::Silent;
/// use posterior_topics::{Corpus, TopicModel, lda::blocked_gibbs};
///
/// let words = ["river", "bank", "money"].map(str::to_owned).to_vec();
/// let names = ["shore", "branch"].map(str::to_owned).to_vec();
/// let corpus = Corpus::from_rows(words, names, vec![vec![(0, 50), (1, 20)], vec![(1, 20), (2, 50)]])?;
///
/// let options = blocked_gibbs::LdaBlockedGibbsOptions {
///     topics: 2,
///     alpha: 0.1.into(),
///     iterations: 200,
///     ..blocked_gibbs::LdaBlockedGibbsOptions::default()
/// };
/// let fitted = blocked_gibbs::fit(&corpus, &options, &mut Silent)?;
/// let rows: f64 = fitted.model.topics().topic_word().sum();
/// assert!((rows - 2.0).abs() < 1e-12);
/// # Ok::<(), posterior_topics::Error>(())
/// ```
///
/// # Errors
/// Options out of range, or a corpus of 2^31 tokens or more.
pub fn fit(
    corpus: &Corpus,
    options: &LdaBlockedGibbsOptions,
    observer: &mut (impl Observer + ?Sized),
) -> Result<FittedTopics<Lda, SweepReport>, Error> {
    let gibbs = LdaBlockedGibbs::new(corpus, options)?;
    let chain = BlockedChain { gibbs, pooled: PooledCounts::new(corpus, options.topics) };
    let threads = concentration::thread_pool(options.threads)?;
    let (mut chain, report) = Run::new(chain, options.schedule()).finish(Some(&threads), observer)?;
    if chain.pooled.states() == 0 {
        chain.pool();
    }
    let BlockedChain { gibbs, pooled } = chain;
    let (model, doc_topic) = pooled.fitted(corpus, gibbs.alpha(), gibbs.prior());
    Ok(FittedTopics { model, doc_topic, report })
}

/// The chain, and the sums of its states.
struct BlockedChain<'a> {
    gibbs: LdaBlockedGibbs<'a>,
    pooled: PooledCounts,
}

impl Chain for BlockedChain<'_> {
    type State = ();

    fn corpus(&self) -> &Corpus {
        self.gibbs.corpus()
    }

    fn sweep(&mut self, _: usize) {
        self.gibbs.sweep();
    }

    fn optimize(&mut self) {
        self.gibbs.optimize_hyperparameters();
    }

    fn ln_joint(&self) -> f64 {
        self.gibbs.ln_joint()
    }

    fn state(&self) {}

    fn pool(&mut self) {
        let (documents, words) = self.gibbs.tables();
        self.pooled.add_tables(documents, words);
    }
}
