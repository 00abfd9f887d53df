//! Viterbi training: the hidden path is set to the most probable one.

use posterior_inference::em::{Classify, Expected, Hard, expectation_maximization};
use posterior_math::iteration::{Fitted, Observer};

use super::counts::Counts;
use super::options::BaumWelchOptions;
use super::problem::{BaumWelch, FittedHmm};
use crate::emission::{Emissions, LearnEmissions};
use crate::error::Error;
use crate::hmm::{HiddenMarkovModel, chain};

impl<E, L> BaumWelch<'_, E, L>
where
    E: Emissions<Data: Sync> + Clone + Sync,
    L: LearnEmissions<E, Statistics: Send> + Sync + Clone,
{
    /// Hard expectation maximisation from `start` (Viterbi training): the objective is ln p(x, z*), plus the
    /// logarithm of the prior, with the best path z* of each sequence. A few cheap steps; biased towards
    /// states that separate well.
    ///
    /// # Errors
    /// As for [`fit`](Self::fit).
    pub fn fit_hard(
        &self,
        start: HiddenMarkovModel<E>,
        observer: &mut (impl Observer + ?Sized),
    ) -> Result<Fitted<FittedHmm<E>>, Error> {
        self.check(&start)?;
        let options: BaumWelchOptions = self.options.clone();
        let problem = Hard(BaumWelch { sequences: self.sequences, learn: self.learn.clone(), options });
        expectation_maximization(&problem, FittedHmm::start(start), &self.em(), observer)
    }
}

impl<E, L> Classify for BaumWelch<'_, E, L>
where
    E: Emissions<Data: Sync> + Clone + Sync,
    L: LearnEmissions<E, Statistics: Send> + Sync,
{
    /// Ties go to the lowest states, from the last position on.
    fn classify(&self, model: &FittedHmm<E>) -> Result<Expected<Counts<L::Statistics>>, Error> {
        let (hmm, all) = (&model.hmm, self.sequences.as_slice());
        self.complete(hmm, |sequence, room, counts| {
            let chain = chain(hmm, &all[sequence], &mut room.ln_nodes)?;
            let Some(best) = chain.best_path() else {
                let position = chain_end(&chain);
                return Err(Error::Impossible { sequence: 0, position });
            };
            self.add_path(sequence, &best.states, hmm, counts)?;
            Ok(best.score)
        })
    }
}

/// The first position at which no path is left.
fn chain_end(chain: &crate::chain::LinearChain<'_>) -> usize {
    let score = crate::chain::ForwardBackward::new().score(chain);
    score.impossible.unwrap_or_else(|| chain.length().saturating_sub(1))
}
