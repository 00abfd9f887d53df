//! Where the ascent begins.

use posterior_dist::{Conjugate, KlDivergence, Stats};
use posterior_inference::variational::AscentOptions;
use posterior_latent::variational::{BayesianMixture, MixtureAscent, Points};
use posterior_math::check;
use posterior_math::linalg::DMatrix;
use rand::Rng;
use rand::seq::index::sample;

use super::expectation::ExpectedPaths;
use super::posterior::{RowFactor, VariationalHmm};
use super::problem::VariationalProblem;
use crate::error::Error;

/// How far from one the proportions of a position may add up to.
const SUM_TOLERANCE: f64 = 1e-9;

/// Starts and sweeps of the mixture that a fit begins from.
const MIXTURE_STARTS: usize = 4;
const MIXTURE_SWEEPS: usize = 50;

impl<F, P> VariationalProblem<'_, F, P>
where
    F: Conjugate<P> + Sync,
    F::Point: Sync,
    F::Fixed: Send + Sync,
    F::Summary: Send + Sync,
    P: KlDivergence + Clone + Sync,
{
    /// The parameters given these proportions of the states, and the paths that follow: a row for each
    /// position of all sequences, one after the other, a column for each state. Steps that the model excludes
    /// count for nothing.
    ///
    /// # Errors
    /// If the table has another shape, an entry is negative or NaN, or a row does not add up to one within
    /// 1e-9.
    pub fn start_from_proportions(&self, proportions: &DMatrix<f64>) -> Result<VariationalHmm<F, P>, Error> {
        let (positions, states) = (self.data().positions(), self.model().states());
        for (what, expected, found) in [
            ("rows of proportions of the states", positions, proportions.nrows()),
            ("columns of proportions of the states", states, proportions.ncols()),
        ] {
            check::dimension(what, expected, found)?;
        }
        for (index, row) in proportions.row_iter().enumerate() {
            for &proportion in &row {
                check::non_negative("VariationalProblem", "proportion", proportion)
                    .map_err(|error| error.at(index))?;
            }
            let total = row.sum();
            let fits = (total - 1.0).abs() <= SUM_TOLERANCE;
            check::require(fits, "VariationalProblem", "sum of proportions", total, "1 within 1e-9")
                .map_err(|error| error.at(index))?;
        }
        let mut paths = self.no_paths();
        for sequence in 0..self.data().sequences() {
            for t in self.data().range(sequence) {
                let row = proportions.row(t);
                if t == self.data().range(sequence).start {
                    paths
                        .initial
                        .iter_mut()
                        .zip(&row)
                        .for_each(|(initial, proportion)| *initial += proportion);
                } else {
                    paths.steps += proportions.row(t - 1).transpose() * row;
                }
                if let Some(point) = self.data().all()[t] {
                    for (statistics, &proportion) in paths.statistics.iter_mut().zip(&row) {
                        statistics.push_weighted(point, proportion)?;
                    }
                }
            }
        }
        self.start_given(paths, Learned::All)
    }

    /// The parameters given these paths: a state for each position of each sequence.
    ///
    /// # Errors
    /// If there is not one for each position, or one is none of the model's.
    pub fn start_from_states(&self, paths: &[Vec<usize>]) -> Result<VariationalHmm<F, P>, Error> {
        let (states, sequences) = (self.model().states(), self.data().sequences());
        check::dimension("paths", sequences, paths.len())?;
        for (sequence, path) in paths.iter().enumerate() {
            let expected = self.data().range(sequence).len();
            check::dimension("states of a path", expected, path.len())?;
        }
        let all: Vec<usize> = paths.iter().flatten().copied().collect();
        let mut proportions = DMatrix::zeros(all.len(), states);
        for (t, state) in self.data().labels(&all, states)?.into_iter().enumerate() {
            proportions[(t, state as usize)] = 1.0;
        }
        self.start_from_proportions(&proportions)
    }

    /// Emissions that have seen one random point each, no point twice while there are others, and the
    /// transitions of the prior.
    ///
    /// # Errors
    /// If numbers leave the range of f64.
    pub fn random_start<R: Rng + ?Sized>(&self, rng: &mut R) -> Result<VariationalHmm<F, P>, Error> {
        let seen: Vec<&F::Point> = self.data().all().iter().flatten().copied().collect();
        let mut paths = self.no_paths();
        let seeds = sample(rng, seen.len(), self.model().states().min(seen.len()));
        for (statistics, index) in paths.statistics.iter_mut().zip(seeds.iter()) {
            statistics.push(seen[index])?;
        }
        self.start_given(paths, Learned::Emissions)
    }

    /// The components of a mixture of the same emissions, fitted to the observations without regard to their
    /// order, as states. A [random start](Self::random_start) where nothing was observed.
    ///
    /// All states must have the prior of the first one for that; those that do not are fitted as if they had.
    ///
    /// # Errors
    /// If numbers leave the range of f64.
    pub fn mixture_start<R: Rng + ?Sized>(&self, rng: &mut R) -> Result<VariationalHmm<F, P>, Error> {
        let seen: Vec<&F::Point> = self.data().all().iter().flatten().copied().collect();
        if seen.is_empty() {
            return self.random_start(rng);
        }
        let (states, model) = (self.model().states(), self.model());
        let mixture =
            BayesianMixture::<F, P>::finite(states, 1.0, model.emission(0).clone(), model.fixed().clone())?;
        let points = Points::new(&seen);
        let problem = MixtureAscent::new(&mixture, &points)?;
        let options = AscentOptions { max_iterations: MIXTURE_SWEEPS, ..AscentOptions::default() };
        let found = problem.fit_best(MIXTURE_STARTS, rng.next_u64(), &options)?;
        let of_seen = problem.responsibilities(&found.best.model)?;
        let mut rows = of_seen.row_iter();
        let mut proportions = DMatrix::from_element(self.data().positions(), states, 1.0 / states as f64);
        for (t, _) in self.data().all().iter().enumerate().filter(|(_, point)| point.is_some()) {
            if let Some(row) = rows.next() {
                proportions.set_row(t, &row);
            }
        }
        self.start_from_proportions(&proportions)
    }

    fn no_paths(&self) -> ExpectedPaths<F> {
        let states = self.model().states();
        ExpectedPaths {
            initial: vec![0.0; states],
            steps: DMatrix::zeros(states, states),
            statistics: vec![Stats::new(self.model().fixed().clone()); states],
            entropy: 0.0,
            ln_z: 0.0,
            expected_fit: 0.0,
        }
    }

    /// The factors given paths, and the paths that follow.
    fn start_given(&self, paths: ExpectedPaths<F>, learned: Learned) -> Result<VariationalHmm<F, P>, Error> {
        let mut q = VariationalHmm {
            initial: RowFactor::new(self.model().initial()),
            rows: self.model().rows().iter().map(RowFactor::new).collect(),
            emissions: self.model().empty().to_vec(),
            paths,
            steps_current: false,
            emissions_current: false,
        };
        if learned == Learned::All {
            q.update_steps()?;
        }
        q.update_emissions()?;
        self.update_paths(&mut q)?;
        Ok(q)
    }
}

/// What a start learns from its paths.
#[derive(Clone, Copy, PartialEq)]
enum Learned {
    All,
    Emissions,
}
