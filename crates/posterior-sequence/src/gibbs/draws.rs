//! Draws of the parameters, of several chains.

use posterior_dist::stream::stream;
use posterior_dist::{Conjugate, Density};
use posterior_math::check::{self, DimensionError};
use posterior_math::log_space::LnSumExp;
use posterior_sampling::{Draws, Run};

use super::HmmGibbs;
use crate::bayesian::{HmmParameters, Observed};
use crate::error::Error;
use crate::parallel::map;

/// Draws of the parameters of a hidden Markov model from their posterior.
#[derive(Debug, Clone, PartialEq)]
pub struct HmmDraws<F> {
    /// Chain after chain.
    parameters: Vec<Vec<HmmParameters<F>>>,
    draws: Draws,
}

/// Runs all chains to their end, and keeps parameters. For the paths, as partitions of the positions, there
/// is [`posterior_latent::gibbs::sample`].
///
/// With the feature `rayon` the chains run on the threads of the pool; their draws are the same on any number
/// of threads.
///
/// # Errors
/// No chain, no draw, or no sweep for a draw; an error of the sampler: of several chains, that of the first.
pub fn sample<F, P>(sampler: &HmmGibbs<'_, F, P>, run: &Run) -> Result<HmmDraws<F>, Error>
where
    F: Conjugate<P> + Send + Sync,
    F::Point: Sync,
    F::Fixed: Sync,
    F::Summary: Sync,
    P: Sync,
{
    for (name, value) in [("chains", run.chains), ("draws", run.draws), ("thin", run.thin)] {
        check::require(value > 0, "Run", name, value as f64, "positive")?;
    }
    let chain = |(): &mut (), chain: usize| -> Result<_, Error> {
        let mut rng = stream(run.seed, &[chain as u64]);
        let mut state = sampler.begin(&mut rng)?;
        let (mut parameters, mut numbers) =
            (Vec::with_capacity(run.draws), Vec::with_capacity(2 * run.draws));
        for sweep in 1..=run.warm_up + run.draws * run.thin {
            sampler.advance(&mut state, &mut rng)?;
            if sweep > run.warm_up && (sweep - run.warm_up).is_multiple_of(run.thin) {
                numbers
                    .extend([state.ln_likelihood(), occupied(state.labels(), state.parameters().states())]);
                parameters.push(state.parameters().clone());
            }
        }
        Ok((parameters, numbers))
    };
    let (mut parameters, mut numbers) = (Vec::new(), Vec::new());
    for outcome in map((0..run.chains).collect(), || (), chain) {
        let (of_chain, its_numbers) = outcome?;
        parameters.push(of_chain);
        numbers.push(its_numbers);
    }
    let names = ["ln_likelihood", "occupied"].map(str::to_owned).to_vec();
    Ok(HmmDraws { parameters, draws: Draws::new(names, numbers)? })
}

/// How many states have a position.
fn occupied(labels: &[u32], states: usize) -> f64 {
    let mut there = vec![false; states];
    for &label in labels {
        there[label as usize] = true;
    }
    there.iter().filter(|&&there| there).count() as f64
}

impl<F> HmmDraws<F> {
    /// The draws of each chain.
    pub fn parameters(&self) -> &[Vec<HmmParameters<F>>] {
        &self.parameters
    }

    /// Of each draw `ln_likelihood`, ln p(data | parameters), and `occupied`, the number of states that have
    /// a position: quantities that do not depend on what states are called, for the diagnostics of the
    /// chains.
    pub const fn draws(&self) -> &Draws {
        &self.draws
    }

    /// Numbers of each draw, for their diagnostics and summaries.
    ///
    /// They say something only if they do not depend on what states are called: after
    /// [`sorted_by`](Self::sorted_by), or of functions that do not.
    ///
    /// # Errors
    /// If there is not a number for each name, or one is NaN.
    pub fn numbers(
        &self,
        names: Vec<String>,
        of: impl Fn(&HmmParameters<F>) -> Vec<f64>,
    ) -> Result<Draws, Error> {
        let mut chains = Vec::with_capacity(self.parameters.len());
        for chain in &self.parameters {
            let mut numbers = Vec::with_capacity(names.len() * chain.len());
            for draw in chain {
                let row = of(draw);
                if row.len() != names.len() {
                    let (what, expected) = ("numbers of a draw", names.len());
                    return Err(DimensionError::new(what, expected, row.len()).into());
                }
                numbers.extend(row);
            }
            chains.push(numbers);
        }
        Ok(Draws::new(names, chains)?)
    }

    /// The same draws, in each of which states are named in the order of a key of their emission, such as its
    /// mean: names that mean the same in all draws, if the keys of the states are well apart. Ties stay in
    /// their order.
    #[must_use]
    pub fn sorted_by(&self, key: impl Fn(&F) -> f64) -> Self
    where
        F: Clone,
    {
        let sort = |draw: &HmmParameters<F>| {
            let keys: Vec<f64> = draw.emissions.iter().map(&key).collect();
            let mut order: Vec<usize> = (0..keys.len()).collect();
            order.sort_by(|&a, &b| keys[a].total_cmp(&keys[b]));
            draw.reordered(&order)
        };
        let parameters = self.parameters.iter().map(|chain| chain.iter().map(sort).collect()).collect();
        Self { parameters, draws: self.draws.clone() }
    }
}

impl<F: Density> HmmDraws<F> {
    /// ln p(new sequence | data) of each of some new sequences: the mean of the likelihoods over the draws.
    /// O(T K²) for each draw.
    ///
    /// The mean is of few draws where a sequence is long, for the largest likelihoods then count alone.
    ///
    /// # Errors
    /// If a density is infinite or NaN at a point.
    pub fn ln_predictive(&self, sequences: &Observed<'_, F::Point>) -> Result<Vec<f64>, Error> {
        self.ln_mean(sequences.sequences(), |draw| draw.ln_likelihoods(sequences))
    }

    /// ln p(how a sequence goes on | data) of each of the sequences `past`, which were among the data:
    /// `whole` has them with what came after.
    ///
    /// # Errors
    /// If there are not as many sequences, one has no more positions than before, or a density is infinite or
    /// no number at a point.
    pub fn ln_forecast(
        &self,
        past: &Observed<'_, F::Point>,
        whole: &Observed<'_, F::Point>,
    ) -> Result<Vec<f64>, Error> {
        let (expected, found) = (past.sequences(), whole.sequences());
        check::dimension("sequences that go on", expected, found)?;
        for sequence in 0..expected {
            let (expected, found) = (past.range(sequence).len(), whole.range(sequence).len());
            if found < expected {
                return Err(
                    DimensionError::new("positions of a sequence that goes on", expected, found).into()
                );
            }
        }
        self.ln_mean(expected, |draw| {
            let (before, after) = (draw.ln_likelihoods(past)?, draw.ln_likelihoods(whole)?);
            Ok(after.iter().zip(&before).map(|(after, before)| after - before).collect())
        })
    }

    /// ln of the mean over all draws of exp of such numbers.
    fn ln_mean(
        &self,
        sequences: usize,
        of: impl Fn(&HmmParameters<F>) -> Result<Vec<f64>, Error>,
    ) -> Result<Vec<f64>, Error> {
        let mut sums = vec![LnSumExp::default(); sequences];
        let mut count = 0_u32;
        for draw in self.parameters.iter().flatten() {
            sums.iter_mut().zip(of(draw)?).for_each(|(sum, number)| sum.push(number));
            count += 1;
        }
        Ok(sums.iter().map(|sum| sum.value() - f64::from(count).ln()).collect())
    }
}
