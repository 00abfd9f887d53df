//! Data and options, and the steps of EM.

use posterior_dist::stream::stream;
use posterior_inference::em::{
    Classify, EmOptions, Expected, Hard, Problem, accelerated_em, expectation_maximization,
};
use posterior_inference::{BestOf, best_of, best_of_short_runs};
use posterior_math::check::{self, DimensionError};
use posterior_math::iteration::{Fitted, Observer, Silent, Stop};
use rand::seq::index::sample;

use super::estimate::{Estimator, scatter};
use super::missing::{self, Pattern, Takes};
use super::model::{CovarianceKind, GaussianMixture};
use super::options::GaussianMixtureOptions;
use super::prior::ln_density;
use crate::error::Error;
use crate::gaussian_tiles::{Expectations, Sharing, expectations};
use crate::mixture::FittedMixture;
use crate::observations::Observations;

/// Steps of a short run.
const SHORT: usize = 10;

/// Rows that short runs see, and those for each number of a mean.
const SAMPLE: usize = 2000;
const ROWS_FOR_MEAN: usize = 20;

/// Observations, and how a Gaussian mixture is fitted to them.
///
/// A step costs n K (d² + 2 d) multiplications and additions with full or tied covariances, 5 n K d with
/// diagonal or spherical ones, and n K exponentials; with missing values more, and no vectors of the machine.
#[derive(Debug, Clone)]
pub struct GaussianMixtureProblem<'a> {
    data: &'a Observations,
    options: GaussianMixtureOptions,
    pub(super) floor: Vec<f64>,
    /// The standard deviation of each column; 1 of a constant.
    pub(super) units: Vec<f64>,
    /// Empty, if no value is missing.
    patterns: Vec<Pattern>,
}

impl<'a> GaussianMixtureProblem<'a> {
    /// The problem of these data.
    ///
    /// # Errors
    /// If an option is out of its range, the prior has another dimension, or a column has no finite positive
    /// variance while neither a prior, nor an added variance, nor the absence of a floor allows for that.
    pub fn new(data: &'a Observations, options: GaussianMixtureOptions) -> Result<Self, Error> {
        const NAME: &str = "GaussianMixtureOptions";
        check::non_negative(NAME, "variance_floor", options.variance_floor)?;
        check::non_negative(NAME, "added_variance", options.added_variance)?;
        let alpha = check::finite(NAME, "weight_concentration", options.weight_concentration)?;
        check::require(alpha >= 1.0, NAME, "weight_concentration", alpha, "at least 1")?;
        let d = data.dimension();
        if let Some(prior) = options.prior.as_ref().filter(|prior| prior.dimension() != d) {
            return Err(DimensionError::new("coordinates of the prior", d, prior.dimension()).into());
        }
        let proper = options.prior.is_some() || options.added_variance > 0.0 || options.variance_floor == 0.0;
        let (mut floor, mut units) = (Vec::with_capacity(d), Vec::with_capacity(d));
        for j in 0..d {
            let variance = variance(data, j);
            check::require(
                !variance.is_nan(),
                "Observations",
                "observed values",
                0.0,
                "at least one in each column",
            )
            .map_err(|error| error.at(j))?;
            let usable = variance.is_finite() && (proper || variance > 0.0);
            check::require(usable, "Observations", "variance of a column", variance, "positive and finite")
                .map_err(|error| error.at(j))?;
            floor.push(options.variance_floor * variance);
            units.push(if variance > 0.0 { variance.sqrt() } else { 1.0 });
        }
        let patterns = if data.is_complete() { Vec::new() } else { missing::patterns(data) };
        Ok(Self { data, options, floor, units, patterns })
    }

    /// The data.
    pub const fn data(&self) -> &'a Observations {
        self.data
    }

    /// The options.
    pub const fn options(&self) -> &GaussianMixtureOptions {
        &self.options
    }

    /// EM from `start`, whose kind of covariances stays.
    ///
    /// # Errors
    /// If the start has another dimension, or an observation is impossible under a mixture.
    pub fn fit(
        &self,
        start: GaussianMixture,
        observer: &mut (impl Observer + ?Sized),
    ) -> Result<Fitted<FittedMixture<GaussianMixture>>, Error> {
        self.check(&start)?;
        expectation_maximization(self, FittedMixture::start(start), &self.options.em, observer)
    }

    /// Hard EM from `start`: every observation belongs to the component that has most of it.
    ///
    /// # Errors
    /// As for [`fit`](Self::fit).
    pub fn fit_hard(
        &self,
        start: GaussianMixture,
        observer: &mut (impl Observer + ?Sized),
    ) -> Result<Fitted<FittedMixture<GaussianMixture>>, Error> {
        self.check(&start)?;
        expectation_maximization(&Hard(self.clone()), FittedMixture::start(start), &self.options.em, observer)
    }

    /// The best of several fits from [random starts](Self::random_start); fit s has the stream `[s]` of the
    /// seed.
    ///
    /// # Errors
    /// The first error, if all fits fail.
    pub fn fit_best(
        &self,
        components: usize,
        starts: usize,
        seed: u64,
    ) -> Result<BestOf<FittedMixture<GaussianMixture>, Error>, Error> {
        best_of(starts, seed, |rng| self.fit(self.random_start(components, rng)?, &mut Silent))
    }

    /// The best of several short runs from different starts, of the first of which the groups are those of
    /// k-means and of the others those of [random starts](Self::random_start), carried on to the end by
    /// [accelerated EM](accelerated_em). Short runs take 10 steps. They see 2000 rows, or 20 for each
    /// number of a mean if these are more, drawn at random; of fewer than twice as many rows each start is
    /// carried on to the end, as [`Self::fit_best`] does.
    ///
    /// # Errors
    /// The first error, if all short runs fail; that of the long run.
    pub fn fit_short_runs(
        &self,
        components: usize,
        starts: usize,
        seed: u64,
    ) -> Result<BestOf<FittedMixture<GaussianMixture>, Error>, Error> {
        let rows = self.sample(SAMPLE.max(ROWS_FOR_MEAN * components * self.data.dimension()), seed);
        let sampled =
            rows.as_ref().and_then(|rows| GaussianMixtureProblem::new(rows, self.options.clone()).ok());
        let Some(few) = &sampled else { return self.fit_best(components, starts, seed) };
        let all = self.options.em;
        let steps = SHORT.min(all.max_iterations);
        let short = EmOptions { max_iterations: steps, ..all };
        let mut first = true;
        best_of_short_runs(
            starts,
            seed,
            |rng| {
                let of_groups = std::mem::take(&mut first).then(|| few.start_from_k_means(components, rng));
                let start = match of_groups {
                    Some(Ok(start)) => start,
                    _ => few.random_start(components, rng)?,
                };
                let mut found =
                    expectation_maximization(few, FittedMixture::start(start), &short, &mut Silent)?;
                // All rows are still to be seen.
                found.report.stop = Stop::MaxIterations;
                Ok(found)
            },
            |best| accelerated_em(self, best, &all, &mut Silent),
        )
    }

    /// Some of the rows, where there are many.
    fn sample(&self, count: usize, seed: u64) -> Option<Observations> {
        let n = self.data.len();
        if n / 2 <= count {
            return None;
        }
        let mut rng = stream(seed, &[u64::MAX]);
        let mut rows = sample(&mut rng, n, count).into_vec();
        rows.sort_unstable();
        self.data.of_rows(&rows).ok()
    }

    fn check(&self, start: &GaussianMixture) -> Result<(), Error> {
        let (expected, found) = (self.data.dimension(), start.dimension());
        Ok(check::dimension("coordinates", expected, found)?)
    }

    pub(super) fn estimator<'b>(
        &'b self,
        kind: CovarianceKind,
        previous: Option<&'b GaussianMixture>,
    ) -> Estimator<'b> {
        let previous = previous.map(|mixture| &**mixture);
        Estimator { options: &self.options, kind, floor: &self.floor, previous }
    }

    fn expected(&self, mixture: &GaussianMixture, takes: Takes) -> Result<Expected<Expectations>, Error> {
        let scatter = scatter(mixture.covariances().kind());
        let found = if self.data.is_complete() {
            let sharing = match takes {
                Takes::Proportional => Sharing::Proportional,
                Takes::Largest => Sharing::Largest,
            };
            expectations(self.data, mixture.fast(), sharing, scatter)
        } else {
            missing::expectations(mixture, self.data, &self.patterns, takes, scatter)?
        };
        match found.impossible {
            Some(row) => Err(Error::NoBlock { observation: row }),
            None => Ok(Expected { ln_likelihood: found.ln_likelihood, statistics: found }),
        }
    }
}

/// The variance of what is observed in a column, from two passes; NaN if that is nothing.
fn variance(data: &Observations, j: usize) -> f64 {
    let observed = || {
        let column = data.values().column(j);
        (0..data.len()).map(move |i| (data.weight(i), column[i])).filter(|(w, x)| *w > 0.0 && !x.is_nan())
    };
    let total: f64 = observed().map(|(w, _)| w).sum();
    // About one of them: the variance of a constant is 0.
    let origin = observed().next().map_or(f64::NAN, |(_, x)| x);
    let mean = origin + observed().map(|(w, x)| w / total * (x - origin)).sum::<f64>();
    if total > 0.0 { observed().map(|(w, x)| w / total * (x - mean) * (x - mean)).sum() } else { f64::NAN }
}

impl Problem for GaussianMixtureProblem<'_> {
    type Model = FittedMixture<GaussianMixture>;
    type Statistics = Statistics;
    type Error = Error;

    fn e_step(&self, model: &Self::Model) -> Result<Expected<Statistics>, Error> {
        self.expected(&model.mixture, Takes::Proportional).map(hidden)
    }

    fn m_step(&self, Statistics(found): &Statistics, previous: &Self::Model) -> Result<Self::Model, Error> {
        let before = &previous.mixture;
        let estimator = self.estimator(before.covariances().kind(), Some(before));
        let (mixture, happened) = estimator.estimate(&found.components, before.means())?;
        Ok(previous.step(mixture, happened))
    }

    fn ln_prior(&self, model: &Self::Model) -> f64 {
        let added = self.options.weight_concentration - 1.0;
        let weights = model.mixture.weights().ln_probabilities();
        let of_weights = if added == 0.0 { 0.0 } else { added * weights.iter().sum::<f64>() };
        of_weights + self.options.prior.as_ref().map_or(0.0, |prior| ln_density(prior, &model.mixture))
    }
}

impl Classify for GaussianMixtureProblem<'_> {
    fn classify(&self, model: &Self::Model) -> Result<Expected<Statistics>, Error> {
        self.expected(&model.mixture, Takes::Largest).map(hidden)
    }
}

/// What an E step found: weights and moments of the components.
#[derive(Debug, Clone, PartialEq)]
pub struct Statistics(Expectations);

fn hidden(found: Expected<Expectations>) -> Expected<Statistics> {
    Expected { statistics: Statistics(found.statistics), ln_likelihood: found.ln_likelihood }
}
