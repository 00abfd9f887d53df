//! The kernel: parameters given the paths, then the paths given the parameters.

use posterior_dist::{Conjugate, Stats};
use posterior_latent::gibbs::{ClusterSampler, ClusterState};
use posterior_math::check::{self, DimensionError};
use posterior_math::linalg::DMatrix;
use rand::Rng;
use rand::seq::index::sample;

use crate::bayesian::{BayesianHmm, DirichletRow, HmmParameters, Observed, StateCounts, draw_paths};
use crate::error::Error;

/// Blocked Gibbs sampling of a hidden Markov model.
///
/// A sweep draws initial distribution, transitions and emissions from their conjugate posteriors given the
/// paths, which are independent, and then each path as a whole given them (forward filtering, backward
/// sampling): O(T K²), and T K densities. Gaps have a state and no observation.
#[derive(Debug)]
pub struct HmmGibbs<'a, F: Conjugate<P>, P> {
    model: &'a BayesianHmm<F, P>,
    data: &'a Observed<'a, F::Point>,
}

/// The state of a chain: the parameters, and paths drawn given them.
#[derive(Debug, Clone, PartialEq)]
pub struct HmmGibbsState<F> {
    labels: Vec<u32>,
    parameters: HmmParameters<F>,
    ln_likelihood: f64,
}

impl<'a, F: Conjugate<P>, P> HmmGibbs<'a, F, P> {
    /// The sampler of the posterior of this model given these data.
    ///
    /// # Errors
    /// If a point is none of the family: with its sequence and its position.
    pub fn new(model: &'a BayesianHmm<F, P>, data: &'a Observed<'a, F::Point>) -> Result<Self, Error> {
        data.check::<F>(model.fixed())?;
        Ok(Self { model, data })
    }

    /// The data.
    pub const fn data(&self) -> &'a Observed<'a, F::Point> {
        self.data
    }

    /// Begins a chain: transitions from the prior, the emission of each state from what one random
    /// observation makes of it, and paths given these.
    ///
    /// # Errors
    /// If numbers leave the range of f64, or a sequence is impossible under the zeros of the model.
    pub fn begin<R: Rng + ?Sized>(&self, rng: &mut R) -> Result<HmmGibbsState<F>, Error> {
        let (states, fixed) = (self.model.states(), self.model.fixed());
        let seen: Vec<&F::Point> = self.data.all().iter().flatten().copied().collect();
        let mut statistics = vec![Stats::new(fixed.clone()); states];
        let seeds = sample(rng, seen.len(), states.min(seen.len()));
        for (statistics, seed) in statistics.iter_mut().zip(seeds.iter()) {
            statistics.push(seen[seed])?;
        }
        let parameters = HmmParameters {
            ln_initial: self.model.initial().sample_ln(rng),
            ln_transitions: draw_rows(self.model.rows(), rng),
            emissions: self.draw_emissions(&statistics, rng)?,
        };
        let labels = vec![0; self.data.positions()];
        let mut state = HmmGibbsState { labels, parameters, ln_likelihood: 0.0 };
        state.ln_likelihood = draw_paths(self.data, &state.parameters, &mut state.labels, rng)?;
        Ok(state)
    }

    /// Begins a chain: at these paths, a state for each position of all sequences, one after the
    /// other. The next sweep draws parameters given them.
    ///
    /// # Errors
    /// If there is not one for each position, or one is none of the model's; if numbers leave the range of
    /// f64.
    pub fn begin_at<R: Rng + ?Sized>(&self, paths: &[usize], rng: &mut R) -> Result<HmmGibbsState<F>, Error> {
        let labels = self.data.labels(paths, self.model.states())?;
        Ok(HmmGibbsState { labels, ..self.begin(rng)? })
    }

    /// Moves a chain: parameters given its paths, then paths given the parameters.
    ///
    /// # Errors
    /// If the state is none of this sampler's, or numbers leave the range of f64.
    pub fn advance<R: Rng + ?Sized>(&self, state: &mut HmmGibbsState<F>, rng: &mut R) -> Result<(), Error> {
        let (states, expected, found) = (self.model.states(), self.data.positions(), state.labels.len());
        check::dimension("positions of a state", expected, found)?;
        if let Some(&label) = state.labels.iter().find(|&&label| label as usize >= states) {
            let found = label as usize + 1;
            return Err(DimensionError::new("states of a state", states, found).into());
        }
        let counts = StateCounts::<F>::of(self.data, &state.labels, states, self.model.fixed())?;
        let rows = (0..states).map(|i| self.model.rows()[i].posterior(counts.steps(i)));
        let rows: Vec<DirichletRow> = rows.collect::<Result<_, _>>()?;
        state.parameters = HmmParameters {
            ln_initial: self.model.initial().posterior(&counts.initial)?.sample_ln(rng),
            ln_transitions: draw_rows(&rows, rng),
            emissions: self.draw_emissions(&counts.statistics, rng)?,
        };
        state.ln_likelihood = draw_paths(self.data, &state.parameters, &mut state.labels, rng)?;
        Ok(())
    }

    fn draw_emissions<R: Rng + ?Sized>(&self, statistics: &[Stats<F>], rng: &mut R) -> Result<Vec<F>, Error> {
        let draw = |(k, statistics): (usize, &Stats<F>)| {
            let posterior = F::posterior(self.model.emission(k), statistics)?;
            Ok(F::draw(&posterior, self.model.fixed(), rng)?)
        };
        statistics.iter().enumerate().map(draw).collect()
    }
}

/// ln of transitions from these distributions of their rows.
pub(crate) fn draw_rows<R: Rng + ?Sized>(rows: &[DirichletRow], rng: &mut R) -> DMatrix<f64> {
    let entries: Vec<f64> = rows.iter().flat_map(|row| row.sample_ln(rng)).collect();
    DMatrix::from_row_slice(rows.len(), rows.len(), &entries)
}

impl<F> HmmGibbsState<F> {
    /// The state at each position, one sequence after the other.
    pub fn labels(&self) -> &[u32] {
        &self.labels
    }

    /// The parameters that the paths were drawn with.
    pub const fn parameters(&self) -> &HmmParameters<F> {
        &self.parameters
    }

    /// ln p(data | parameters).
    pub const fn ln_likelihood(&self) -> f64 {
        self.ln_likelihood
    }
}

impl<F> ClusterState for HmmGibbsState<F> {
    fn labels(&self) -> &[u32] {
        &self.labels
    }

    fn write(&self, numbers: &mut Vec<f64>) {
        numbers.push(self.ln_likelihood);
    }
}

/// For [`posterior_latent::gibbs::sample`]: which positions are in one state, whatever that is called. A draw
/// keeps a number for each position.
impl<F, P> ClusterSampler for HmmGibbs<'_, F, P>
where
    F: Conjugate<P> + Send + Sync,
    F::Point: Sync,
    F::Fixed: Sync,
    F::Summary: Sync,
    P: Sync,
{
    type State = HmmGibbsState<F>;

    fn names(&self) -> &'static [&'static str] {
        &["ln_likelihood"]
    }

    fn start<R: Rng + ?Sized>(&self, rng: &mut R) -> Result<HmmGibbsState<F>, posterior_latent::Error> {
        self.begin(rng).map_err(|error| self.data.among_all(error))
    }

    fn sweep<R: Rng + ?Sized>(
        &self,
        state: &mut HmmGibbsState<F>,
        rng: &mut R,
    ) -> Result<(), posterior_latent::Error> {
        self.advance(state, rng).map_err(|error| self.data.among_all(error))
    }
}
