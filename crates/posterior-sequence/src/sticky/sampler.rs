//! The kernel: concentrations, weights, parameters, paths.

use posterior_dist::{Conjugate, Stats};
use posterior_latent::gibbs::{ClusterSampler, ClusterState};
use posterior_math::check;
use posterior_math::linalg::DMatrix;
use rand::Rng;

use super::concentrations::{update_gamma, update_rows};
use super::model::{LARGEST_PROPORTION, StickyHdp, StickyWeights};
use super::tables::{Row, considered_tables, draw_weights};
use crate::bayesian::{HmmParameters, Observed, StateCounts, draw_paths};
use crate::error::Error;

/// Blocked Gibbs sampling of a sticky HDP-HMM in its weak limit.
///
/// A sweep moves the concentrations and β given the paths, with the transitions integrated out; then draws
/// transitions and emissions, and each path as a whole given them: O(T L²), and T L densities.
#[derive(Debug)]
pub struct StickyGibbs<'a, F: Conjugate<P>, P> {
    model: &'a StickyHdp<F, P>,
    data: &'a Observed<'a, F::Point>,
}

/// The state of a chain.
#[derive(Debug, Clone, PartialEq)]
pub struct StickyState<F> {
    labels: Vec<u32>,
    weights: StickyWeights,
    parameters: HmmParameters<F>,
    ln_likelihood: f64,
}

impl<'a, F: Conjugate<P>, P> StickyGibbs<'a, F, P> {
    /// The sampler of the posterior of this model given these data.
    ///
    /// # Errors
    /// If a point is none of the family: with its sequence and its position.
    pub fn new(model: &'a StickyHdp<F, P>, data: &'a Observed<'a, F::Point>) -> Result<Self, Error> {
        data.check::<F>(model.fixed())?;
        Ok(Self { model, data })
    }

    /// Begins a chain: all from the prior but the paths, which are drawn given it.
    ///
    /// # Errors
    /// If numbers leave the range of f64.
    pub fn begin<R: Rng + ?Sized>(&self, rng: &mut R) -> Result<StickyState<F>, Error> {
        let gamma = self.model.gamma.sample(rng);
        let weights = StickyWeights {
            ln_beta: draw_weights(gamma, &vec![0.0; self.model.states()], rng)?,
            gamma,
            total: self.model.total.sample(rng),
            proportion: self.model.proportion.sample(rng),
        };
        let nothing = StateCounts::<F>::nothing(self.model.states(), self.model.fixed());
        let parameters = self.draw_parameters(&weights, &nothing, rng)?;
        let labels = vec![0; self.data.positions()];
        let mut state = StickyState { labels, weights, parameters, ln_likelihood: 0.0 };
        state.ln_likelihood = draw_paths(self.data, &state.parameters, &mut state.labels, rng)?;
        Ok(state)
    }

    /// Begins a chain: at these paths, a state for each position of all sequences, one after the
    /// other, and these weights.
    ///
    /// # Errors
    /// If their numbers are not those of the data and the model, a state is none of the model's, or a
    /// concentration can't be.
    pub fn begin_at<R: Rng + ?Sized>(
        &self,
        paths: &[usize],
        weights: StickyWeights,
        rng: &mut R,
    ) -> Result<StickyState<F>, Error> {
        let labels = self.data.labels(paths, self.model.states())?;
        check::dimension("weights of states", self.model.states(), weights.ln_beta.len())?;
        check::positive("StickyWeights", "gamma", weights.gamma)?;
        check::positive("StickyWeights", "total", weights.total)?;
        let inside = (0.0..=LARGEST_PROPORTION).contains(&weights.proportion);
        check::require(inside, "StickyWeights", "proportion", weights.proportion, "in [0, 1)")?;
        for (index, &ln) in weights.ln_beta.iter().enumerate() {
            check::require(ln <= 0.0, "StickyWeights", "ln_beta", ln, "at most 0")
                .map_err(|error| error.at(index))?;
        }
        let counts = StateCounts::<F>::of(self.data, &labels, self.model.states(), self.model.fixed())?;
        let parameters = self.draw_parameters(&weights, &counts, rng)?;
        let ln_likelihood = parameters.ln_likelihoods(self.data)?.iter().sum();
        Ok(StickyState { labels, weights, parameters, ln_likelihood })
    }

    /// Moves a chain.
    ///
    /// # Errors
    /// If the state is none of this sampler's, or numbers leave the range of f64.
    pub fn advance<R: Rng + ?Sized>(&self, state: &mut StickyState<F>, rng: &mut R) -> Result<(), Error> {
        let states = self.model.states();
        for (what, expected, found) in [
            ("positions of a state", self.data.positions(), state.labels.len()),
            ("weights of a state", states, state.weights.ln_beta.len()),
        ] {
            check::dimension(what, expected, found)?;
        }
        let counts = StateCounts::<F>::of(self.data, &state.labels, states, self.model.fixed())?;
        let weights = &mut state.weights;
        update_rows(self.model, weights, &rows(&counts), rng)?;
        let tables = considered_tables(weights, rows(&counts), rng);
        weights.ln_beta = draw_weights(weights.gamma, &tables, rng)?;
        update_gamma(&self.model.gamma, weights, rng)?;
        state.parameters = self.draw_parameters(&state.weights, &counts, rng)?;
        state.ln_likelihood = draw_paths(self.data, &state.parameters, &mut state.labels, rng)?;
        Ok(())
    }

    fn draw_parameters<R: Rng + ?Sized>(
        &self,
        weights: &StickyWeights,
        counts: &StateCounts<F>,
        rng: &mut R,
    ) -> Result<HmmParameters<F>, Error> {
        let mut ln_rows = Vec::new();
        for (own, counts) in rows(counts) {
            ln_rows.push(weights.row(own)?.posterior(counts)?.sample_ln(rng));
        }
        let ln_initial = ln_rows.remove(0);
        let emission = |statistics: &Stats<F>| {
            let posterior = F::posterior(self.model.emission(), statistics)?;
            F::draw(&posterior, self.model.fixed(), rng)
        };
        let emissions = counts.statistics.iter().map(emission).collect::<Result<_, _>>()?;
        let states = self.model.states();
        let ln_transitions = DMatrix::from_row_slice(states, states, &ln_rows.concat());
        Ok(HmmParameters { ln_initial, ln_transitions, emissions })
    }
}

/// The initial distribution, then each row of the transitions.
fn rows<F: posterior_dist::ExponentialFamily>(
    counts: &StateCounts<F>,
) -> impl Iterator<Item = Row<'_>> + Clone {
    let first: Row<'_> = (None, &counts.initial);
    let states = counts.initial.len();
    std::iter::once(first).chain((0..states).map(|j| (Some(j), counts.steps(j))))
}

impl<F> StickyState<F> {
    /// The state at each position, one sequence after the other.
    pub fn labels(&self) -> &[u32] {
        &self.labels
    }

    /// The weights of the states and the concentrations.
    pub const fn weights(&self) -> &StickyWeights {
        &self.weights
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

impl<F> ClusterState for StickyState<F> {
    fn labels(&self) -> &[u32] {
        &self.labels
    }

    fn write(&self, numbers: &mut Vec<f64>) {
        numbers.extend([self.ln_likelihood, self.weights.gamma, self.weights.total, self.weights.proportion]);
    }
}

impl<F, P> ClusterSampler for StickyGibbs<'_, F, P>
where
    F: Conjugate<P> + Send + Sync,
    F::Point: Sync,
    F::Fixed: Sync,
    P: Sync,
{
    type State = StickyState<F>;

    fn names(&self) -> &'static [&'static str] {
        &["ln_likelihood", "gamma", "total", "stickiness"]
    }

    fn start<R: Rng + ?Sized>(&self, rng: &mut R) -> Result<StickyState<F>, posterior_latent::Error> {
        self.begin(rng).map_err(|error| self.data.among_all(error))
    }

    fn sweep<R: Rng + ?Sized>(
        &self,
        state: &mut StickyState<F>,
        rng: &mut R,
    ) -> Result<(), posterior_latent::Error> {
        self.advance(state, rng).map_err(|error| self.data.among_all(error))
    }
}
