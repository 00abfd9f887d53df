//! The fit: a chain with learning of the concentrations and pooling.

use std::io::{self, Write};
use std::ops::ControlFlow;

use posterior_math::iteration::{Observer, Resumable, Step};

use super::checkpoint::{FORMAT, LdaGibbsCheckpoint};
use super::collapsed_gibbs::LdaGibbs;
use super::kept::KeptConcentrations;
use super::options::LdaGibbsOptions;
use super::pooled::PooledCounts;
use crate::chain::{Chain, Run, SweepReport};
use crate::checkpoint::fingerprint;
use crate::lda::{Lda, concentration};
use crate::{Corpus, Error, FittedTopics};

/// Fits latent Dirichlet allocation by collapsed Gibbs sampling.
///
/// The observer sees the latest value of ln p(W, Z | alpha, beta) after each sweep, NaN before the first one
/// is taken, and can write a [checkpoint](Resumable). When it stops the fit, estimates are of what was pooled
/// so far or, if nothing was, of the last state.
///
/// With a [`concentration_prior`](LdaGibbsOptions::concentration_prior) `alpha` and `beta` are drawn after
/// each sweep but the first twenty; the draws of the second half of the sweeps are kept, the model has their
/// means, and [`Lda::concentration_draws`] all of them.
///
/// Cost: `iterations` x tokens x topics.
///
/// # Errors
/// Options out of range, or a corpus of 2^31 tokens or more.
pub fn fit(
    corpus: &Corpus,
    options: &LdaGibbsOptions,
    observer: &mut (impl Observer + ?Sized),
) -> Result<FittedTopics<Lda, SweepReport>, Error> {
    let chain = LdaChain {
        gibbs: LdaGibbs::new(corpus, options)?,
        options: options.clone(),
        pooled: PooledCounts::new(corpus, options.topics),
        kept: KeptConcentrations::default(),
    };
    finish(Run::new(chain, options.schedule()), observer)
}

/// Continues a fit from a checkpoint, to the same bits as if it had never stopped.
///
/// # Errors
/// A checkpoint of another corpus, or one that is damaged.
pub fn resume(
    corpus: &Corpus,
    checkpoint: &LdaGibbsCheckpoint,
    observer: &mut (impl Observer + ?Sized),
) -> Result<FittedTopics<Lda, SweepReport>, Error> {
    let chain = LdaChain {
        gibbs: checkpoint.chain(corpus)?,
        options: checkpoint.options.clone(),
        pooled: checkpoint.pooled.clone(),
        kept: checkpoint.concentrations.clone(),
    };
    let schedule = checkpoint.options.schedule();
    finish(Run { chain, schedule, done: checkpoint.iterations, trace: checkpoint.trace.clone() }, observer)
}

fn finish(
    run: Run<LdaChain<'_>>,
    observer: &mut (impl Observer + ?Sized),
) -> Result<FittedTopics<Lda, SweepReport>, Error> {
    // Zero asks for all cores. More threads than groups would find nothing to do.
    let threads = concentration::thread_pool(run.chain.options.threads.min(run.chain.gibbs.groups()))?;
    let (LdaChain { gibbs, options, mut pooled, kept }, report) = run.finish(Some(&threads), observer)?;
    if pooled.states() == 0 {
        pooled.add(&gibbs);
    }
    let mut prior = gibbs.prior().clone();
    let draws = kept.draws(&pooled.order(&prior), options.draws_asymmetric());
    let alpha = kept.concentrations(gibbs.alpha(), &mut prior);
    let (model, doc_topic) = pooled.fitted(gibbs.corpus(), &alpha, &prior);
    Ok(FittedTopics { model: model.with_concentration_draws(draws), doc_topic, report })
}

/// The chain, and the sums of its states.
#[derive(Debug)]
struct LdaChain<'a> {
    gibbs: LdaGibbs<'a>,
    options: LdaGibbsOptions,
    pooled: PooledCounts,
    kept: KeptConcentrations,
}

impl Chain for LdaChain<'_> {
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

    fn fit_parameters(&mut self, iteration: usize) -> Result<(), Error> {
        if let Some(prior) = self.options.draws_after(iteration) {
            self.gibbs.draw_hyperparameters(prior)?;
        }
        if self.options.keeps_after(iteration) {
            let beta = self.gibbs.prior().is_equal().then(|| self.gibbs.beta());
            self.kept.push(self.gibbs.alpha(), beta);
        }
        Ok(())
    }

    fn ln_joint(&self) -> f64 {
        self.gibbs.ln_joint()
    }

    fn state(&self) {}

    fn pool(&mut self) {
        self.pooled.add(&self.gibbs);
    }

    fn show(run: &Run<Self>, step: &Step, observer: &mut (impl Observer + ?Sized)) -> ControlFlow<()> {
        observer.resumable_step(step, run)
    }
}

impl Resumable for Run<LdaChain<'_>> {
    fn write_checkpoint(&self, writer: &mut dyn Write) -> io::Result<()> {
        let LdaChain { gibbs, options, pooled, kept } = &self.chain;
        let checkpoint = LdaGibbsCheckpoint {
            format: FORMAT.to_owned(),
            corpus: fingerprint(gibbs.corpus()),
            options: options.clone(),
            iterations: self.done,
            alpha: gibbs.alpha().to_vec(),
            beta: gibbs.beta(),
            assignments: gibbs.assignments(),
            pooled: pooled.clone(),
            concentrations: kept.clone(),
            trace: self.trace.clone(),
        };
        checkpoint.write_to(writer)
    }
}
