//! Vectors of numbers with a Gaussian distribution for each state.

use std::ops::Range;

use posterior_gaussian::NormalInverseWishart;
use posterior_latent::gaussian_mixture::{
    ComponentMoments, Covariances, GaussianComponents, GaussianMixture, GaussianMixtureOptions,
};
use posterior_latent::mixture::{Happened, MaximumLikelihood};
use posterior_math::check::{self, DimensionError};
use posterior_math::linalg::DMatrix;
use rand::Rng;

use super::{DrawEmissions, Emissions, LearnEmissions, Sequences};
use crate::error::Error;

/// A Gaussian distribution for each state, with full, shared, diagonal or spherical covariances.
///
/// A sequence is a matrix, positions as rows. NaN is what was not seen: the densities are those of the rest
/// of the row, and a row without a value says nothing. Densities and moments are computed for many positions
/// at a time.
///
/// ```
/// use posterior_latent::gaussian_mixture::Covariances;
/// use posterior_latent::mixture::MaximumLikelihood;
/// use posterior_math::iteration::Silent;
/// use posterior_math::linalg::DMatrix;
/// use posterior_sequence::baum_welch::{BaumWelch, BaumWelchOptions};
/// use posterior_sequence::emission::{GaussianEmissions, Sequences};
/// use posterior_sequence::hmm::HiddenMarkovModel;
///
/// let rows = DMatrix::from_column_slice(8, 1, &[0.1, -0.2, 0.3, f64::NAN, 5.1, 4.8, 5.3, 0.2]);
/// let means = DMatrix::from_column_slice(2, 1, &[-1.0, 4.0]);
/// let emissions = GaussianEmissions::new(&means, Covariances::Spherical(vec![1.0, 1.0]))?;
/// let start = HiddenMarkovModel::from_weights(&[0.5, 0.5], 0.5, emissions)?;
/// let sequences = Sequences::one(&rows);
/// let fitted = BaumWelch::new(&sequences, MaximumLikelihood, BaumWelchOptions::default())?.fit(start, &mut
/// Silent)?; assert!((fitted.model.hmm.emissions().means()[(1, 0)] - 15.2 / 3.0).abs() < 1e-6);
/// # Ok::<(), posterior_sequence::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(transparent))]
pub struct GaussianEmissions {
    distributions: GaussianComponents,
}

impl GaussianEmissions {
    /// The distributions with these means, states as rows, and covariances.
    ///
    /// # Errors
    /// If the numbers of states or coordinates differ, there are none of them, a number is not finite, or a
    /// covariance is not symmetric and positive definite.
    pub fn new(means: &DMatrix<f64>, covariances: Covariances) -> Result<Self, Error> {
        Ok(Self { distributions: GaussianComponents::new(means, covariances)? })
    }

    /// A state for each component of a mixture: where a fit may begin, with the weights for
    /// [`HiddenMarkovModel::from_weights`](crate::hmm::HiddenMarkovModel::from_weights).
    pub fn from_mixture(mixture: &GaussianMixture) -> Self {
        Self { distributions: GaussianComponents::of_mixture(mixture) }
    }

    /// The length of an observation.
    pub fn dimension(&self) -> usize {
        self.distributions.dimension()
    }

    /// μ, states as rows.
    pub fn means(&self) -> &DMatrix<f64> {
        self.distributions.means()
    }

    /// The covariances.
    pub fn covariances(&self) -> &Covariances {
        self.distributions.covariances()
    }

    /// The covariance of a state.
    ///
    /// # Panics
    /// If there is no such state.
    #[track_caller]
    pub fn covariance(&self, state: usize) -> DMatrix<f64> {
        self.distributions.covariance(state)
    }
}

impl Emissions for GaussianEmissions {
    type Data = DMatrix<f64>;

    fn states(&self) -> usize {
        self.distributions.components()
    }

    fn length(data: &DMatrix<f64>) -> usize {
        data.nrows()
    }

    fn check(&self, data: &DMatrix<f64>) -> Result<(), Error> {
        check_coordinates(self.dimension(), data)
    }

    fn ln_densities(&self, data: &DMatrix<f64>, range: Range<usize>, out: &mut [f64]) {
        if self.distributions.ln_densities(data, range, out).is_err() {
            // Data that were not checked.
            out.fill(f64::NAN);
        }
    }
}

/// Whether rows have so many coordinates, none of which is infinite.
pub(super) fn check_coordinates(expected: usize, data: &DMatrix<f64>) -> Result<(), Error> {
    check::dimension("coordinates", expected, data.ncols())?;
    let place = |index: usize| (index % data.nrows(), index / data.nrows());
    let wrong = data.iter().enumerate().filter(|(_, x)| x.is_infinite()).map(|(index, _)| place(index)).min();
    match wrong {
        None => Ok(()),
        Some((position, column)) => {
            let message = format!("coordinate {column} is {}: it must be finite", data[(position, column)]);
            Err(Error::Observation { sequence: 0, position, message })
        }
    }
}

impl DrawEmissions for GaussianEmissions {
    fn draw<R: Rng + ?Sized>(&self, states: &[usize], rng: &mut R) -> DMatrix<f64> {
        let rows: Vec<f64> = states.iter().flat_map(|&state| self.distributions.sample(state, rng)).collect();
        DMatrix::from_row_slice(states.len(), self.dimension(), &rows)
    }
}

/// The M step of Gaussian distributions: with a floor of their variances, or a prior.
///
/// The likelihood has no bound, as a state may own one point, or a plane; with a floor it has: no direction
/// of a covariance has less than the floor has there. Where the floor binds it is reported.
#[derive(Debug, Clone, PartialEq)]
pub struct GaussianEstimate {
    floor: Vec<f64>,
    options: GaussianMixtureOptions,
}

impl GaussianEstimate {
    /// With ε times the variance of each coordinate over all positions as floor: 1e-6 is a good ε, and 0 is
    /// no floor.
    ///
    /// # Errors
    /// If ε is negative or not finite, sequences have different numbers of coordinates, or one of them was
    /// never seen or has a variance of which ε times is not a positive number (unless ε is 0).
    pub fn with_floor(sequences: &Sequences<'_, DMatrix<f64>>, epsilon: f64) -> Result<Self, Error> {
        check::non_negative("GaussianEstimate", "epsilon", epsilon)?;
        let all = sequences.as_slice();
        let dimension = all.first().map_or(0, |part| part.data().ncols());
        if let Some(part) = all.iter().find(|part| part.data().ncols() != dimension) {
            let (expected, found) = (dimension, part.data().ncols());
            return Err(DimensionError::new("coordinates", expected, found).into());
        }
        let mut floor = vec![0.0; dimension];
        for (j, floor) in floor.iter_mut().enumerate().filter(|_| epsilon > 0.0) {
            let seen =
                || all.iter().flat_map(move |part| part.data().column(j).into_iter()).filter(|x| !x.is_nan());
            let count = seen().count() as f64;
            // About one of them: the variance of a constant is 0.
            let origin = seen().next().copied().unwrap_or(f64::NAN);
            let mean = origin + seen().map(|x| (x - origin) / count).sum::<f64>();
            let variance = seen().map(|x| (x - mean) * ((x - mean) / count)).sum::<f64>();
            *floor = check::positive("GaussianEstimate", "variance of a column", variance * epsilon)
                .map_err(|error| error.at(j))?;
        }
        Ok(Self { floor, options: GaussianMixtureOptions::default() })
    }

    /// The same with a prior of the mean and the covariance of each state; of tied covariances there is one
    /// for all, of independent coordinates that of the diagonal of its scale.
    #[must_use]
    pub fn with_prior(self, prior: NormalInverseWishart) -> Self {
        Self { options: GaussianMixtureOptions { prior: Some(prior), ..self.options }, ..self }
    }

    /// The distributions that fit these moments best, and what happened to them.
    pub(super) fn components(
        &self,
        moments: &ComponentMoments,
        previous: &GaussianComponents,
    ) -> Result<(GaussianComponents, Happened), Error> {
        Ok(previous.estimate(moments, &self.options, &self.floor)?)
    }

    /// ln p of distributions under the prior; 0 if there is none.
    pub(super) fn ln_prior_of(&self, distributions: &GaussianComponents) -> f64 {
        // A prior of another dimension is not a number here; the M step refuses it.
        let prior = self.options.prior.as_ref();
        prior.map_or(0.0, |prior| distributions.ln_prior(prior).unwrap_or(f64::NAN))
    }
}

/// What is the same with and without a floor.
macro_rules! learn_moments {
    () => {
        type Statistics = ComponentMoments;

        fn nothing(&self, emissions: &GaussianEmissions) -> ComponentMoments {
            emissions.distributions.no_moments()
        }

        fn add(
            &self,
            statistics: &mut ComponentMoments,
            emissions: &GaussianEmissions,
            data: &DMatrix<f64>,
            range: Range<usize>,
            proportions: &[f64],
        ) -> Result<(), Error> {
            Ok(emissions.distributions.add_moments(data, range, proportions, statistics)?)
        }

        fn merge(&self, statistics: &mut ComponentMoments, other: &ComponentMoments) -> Result<(), Error> {
            Ok(statistics.merge(other)?)
        }
    };
}

impl LearnEmissions<GaussianEmissions> for MaximumLikelihood {
    learn_moments!();

    fn estimate(
        &self,
        statistics: &ComponentMoments,
        previous: &GaussianEmissions,
    ) -> Result<(GaussianEmissions, Happened), Error> {
        let no_floor = vec![0.0; previous.dimension()];
        let none = GaussianMixtureOptions::default();
        let (distributions, happened) = previous.distributions.estimate(statistics, &none, &no_floor)?;
        Ok((GaussianEmissions { distributions }, happened))
    }
}

impl LearnEmissions<GaussianEmissions> for GaussianEstimate {
    learn_moments!();

    fn estimate(
        &self,
        statistics: &ComponentMoments,
        previous: &GaussianEmissions,
    ) -> Result<(GaussianEmissions, Happened), Error> {
        let (distributions, happened) = self.components(statistics, &previous.distributions)?;
        Ok((GaussianEmissions { distributions }, happened))
    }

    fn ln_prior(&self, emissions: &GaussianEmissions) -> f64 {
        self.ln_prior_of(&emissions.distributions)
    }
}
