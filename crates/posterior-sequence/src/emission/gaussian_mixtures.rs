//! Vectors of numbers with a mixture of Gaussians for each state.

use std::ops::Range;

use posterior_latent::gaussian_mixture::{ComponentMoments, Covariances, GaussianComponents};
use posterior_latent::mixture::Happened;
use posterior_math::check;
use posterior_math::linalg::DMatrix;
use posterior_math::log_space::{LnSumExp, softmax_in_place};
use rand::Rng;

use super::gaussian::{GaussianEstimate, check_coordinates};
use super::{DrawEmissions, Emissions, LearnEmissions};
use crate::error::Error;
use crate::stochastic::{draw, normalize};

/// A mixture of M Gaussian distributions for each state, with full, shared, diagonal or spherical
/// covariances: for vectors whose distribution has several humps within a state.
///
/// Sequences are as those of [`GaussianEmissions`](super::GaussianEmissions). In learning, which component an
/// observation came from is hidden beside the state: its proportion in the state is divided among the
/// components of the state. One that is left without observations keeps its distribution, with a weight of 0.
///
/// ```
/// use posterior_latent::gaussian_mixture::Covariances;
/// use posterior_math::linalg::DMatrix;
/// use posterior_sequence::emission::{Emissions, GaussianMixtureEmissions};
///
/// // The first state shows -3 or 3, the second 0; states as rows of the weights.
/// let weights = DMatrix::from_row_slice(2, 2, &[0.5, 0.5, 1.0, 0.0]);
/// let means = DMatrix::from_column_slice(4, 1, &[-3.0, 3.0, 0.0, 0.0]);
/// let emissions = GaussianMixtureEmissions::new(&weights, &means, Covariances::Spherical(vec![1.0; 4]))?;
/// let mut ln_densities = [0.0; 2];
/// emissions.ln_densities(&DMatrix::from_element(1, 1, 3.0), 0..1, &mut ln_densities);
/// assert!(ln_densities[0] > ln_densities[1]);
/// # Ok::<(), posterior_sequence::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "Written", into = "Written"))]
pub struct GaussianMixtureEmissions {
    /// The weight of component m of state k at index k M + m.
    weights: Vec<f64>,
    states: usize,
    /// Component m of state k is k M + m.
    components: GaussianComponents,
}

/// As they stand in a file.
#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    /// A row for each state.
    weights: Vec<Vec<f64>>,
    components: GaussianComponents,
}

#[cfg(feature = "serde")]
impl From<GaussianMixtureEmissions> for Written {
    fn from(own: GaussianMixtureEmissions) -> Self {
        let rows = own.weights.chunks_exact(own.components_of_a_state()).map(<[f64]>::to_vec);
        Self { weights: rows.collect(), components: own.components }
    }
}

#[cfg(feature = "serde")]
impl TryFrom<Written> for GaussianMixtureEmissions {
    type Error = Error;

    fn try_from(written: Written) -> Result<Self, Error> {
        let (states, count) = (written.weights.len(), written.weights.first().map_or(0, Vec::len));
        for row in &written.weights {
            check::dimension("components of a state", count, row.len())?;
        }
        let weights = DMatrix::from_fn(states, count, |k, m| written.weights[k][m]);
        Self::of_components(&weights, written.components)
    }
}

impl GaussianMixtureEmissions {
    /// The mixtures with these weights, states as rows and M components as columns, and these means and
    /// covariances: component m of state k is row k M + m.
    ///
    /// # Errors
    /// If there is no state, numbers do not go together, weights of a state are no probabilities that sum to
    /// one within 1e-9, or means or covariances are none of Gaussians.
    pub fn new(
        weights: &DMatrix<f64>,
        means: &DMatrix<f64>,
        covariances: Covariances,
    ) -> Result<Self, Error> {
        Self::of_components(weights, GaussianComponents::new(means, covariances)?)
    }

    fn of_components(weights: &DMatrix<f64>, components: GaussianComponents) -> Result<Self, Error> {
        let states = weights.nrows();
        check::dimension("components of all states", weights.len(), components.components())?;
        let mut rows = weights.transpose().as_slice().to_vec();
        for row in rows.chunks_exact_mut(weights.ncols().max(1)) {
            normalize("GaussianMixtureEmissions", "weight", row)?;
        }
        Ok(Self { weights: rows, states, components })
    }

    /// M, the number of components of each state.
    pub const fn components_of_a_state(&self) -> usize {
        self.weights.len() / self.states
    }

    /// The weights of the components of a state.
    ///
    /// # Panics
    /// If there is no such state.
    #[track_caller]
    pub fn weights(&self, state: usize) -> &[f64] {
        let count = self.components_of_a_state();
        &self.weights[state * count..][..count]
    }

    /// The length of an observation.
    pub fn dimension(&self) -> usize {
        self.components.dimension()
    }

    /// The means of all components: row k M + m is that of component m of state k.
    pub fn means(&self) -> &DMatrix<f64> {
        self.components.means()
    }

    /// The covariance of a component of a state.
    ///
    /// # Panics
    /// If there is no such state or component.
    #[track_caller]
    pub fn covariance(&self, state: usize, component: usize) -> DMatrix<f64> {
        let count = self.components_of_a_state();
        assert!(component < count, "component {component} of {count}");
        self.components.covariance(state * count + component)
    }

    /// ln of weight times density of each component, S M numbers for each position of `range`.
    fn ln_joint(&self, data: &DMatrix<f64>, range: Range<usize>) -> Result<Vec<f64>, Error> {
        let mut joint = vec![0.0; range.len() * self.weights.len()];
        self.components.ln_densities(data, range, &mut joint)?;
        let ln_weights: Vec<f64> = self.weights.iter().map(|weight| weight.ln()).collect();
        for row in joint.chunks_exact_mut(ln_weights.len()) {
            for (joint, &ln_weight) in row.iter_mut().zip(&ln_weights) {
                // A component without weight takes nothing, not even where its density is infinite.
                *joint = if ln_weight > f64::NEG_INFINITY { *joint + ln_weight } else { ln_weight };
            }
        }
        Ok(joint)
    }
}

impl Emissions for GaussianMixtureEmissions {
    type Data = DMatrix<f64>;

    fn states(&self) -> usize {
        self.states
    }

    fn length(data: &DMatrix<f64>) -> usize {
        data.nrows()
    }

    fn check(&self, data: &DMatrix<f64>) -> Result<(), Error> {
        check_coordinates(self.dimension(), data)
    }

    fn ln_densities(&self, data: &DMatrix<f64>, range: Range<usize>, out: &mut [f64]) {
        let Ok(joint) = self.ln_joint(data, range) else {
            // Data that were not checked.
            out.fill(f64::NAN);
            return;
        };
        for (sum, own) in out.iter_mut().zip(joint.chunks_exact(self.components_of_a_state())) {
            *sum = own.iter().copied().collect::<LnSumExp>().value();
        }
    }
}

impl DrawEmissions for GaussianMixtureEmissions {
    fn draw<R: Rng + ?Sized>(&self, states: &[usize], rng: &mut R) -> DMatrix<f64> {
        let count = self.components_of_a_state();
        let mut rows = Vec::with_capacity(states.len() * self.dimension());
        for &state in states {
            let component = state * count + draw(self.weights(state), rng);
            rows.extend(self.components.sample(component, rng));
        }
        DMatrix::from_row_slice(states.len(), self.dimension(), &rows)
    }
}

/// With a floor of variances, or a prior of each component; the weights have none. The incident of a state is
/// that of its first component that something happened to.
impl LearnEmissions<GaussianMixtureEmissions> for GaussianEstimate {
    type Statistics = ComponentMoments;

    fn nothing(&self, emissions: &GaussianMixtureEmissions) -> ComponentMoments {
        emissions.components.no_moments()
    }

    fn add(
        &self,
        statistics: &mut ComponentMoments,
        emissions: &GaussianMixtureEmissions,
        data: &DMatrix<f64>,
        range: Range<usize>,
        proportions: &[f64],
    ) -> Result<(), Error> {
        let mut parts = emissions.ln_joint(data, range.clone())?;
        let states = parts.chunks_exact_mut(emissions.components_of_a_state());
        for (parts, &proportion) in states.zip(proportions) {
            if proportion == 0.0 {
                parts.fill(0.0);
                continue;
            }
            softmax_in_place(parts);
            for part in parts {
                *part *= proportion;
            }
        }
        Ok(emissions.components.add_moments(data, range, &parts, statistics)?)
    }

    fn merge(&self, statistics: &mut ComponentMoments, other: &ComponentMoments) -> Result<(), Error> {
        Ok(statistics.merge(other)?)
    }

    fn estimate(
        &self,
        statistics: &ComponentMoments,
        previous: &GaussianMixtureEmissions,
    ) -> Result<(GaussianMixtureEmissions, Happened), Error> {
        let (components, happened) = self.components(statistics, &previous.components)?;
        let count = previous.components_of_a_state();
        let mut weights: Vec<f64> = (0..previous.weights.len()).map(|own| statistics.weight(own)).collect();
        for (row, before) in weights.chunks_exact_mut(count).zip(previous.weights.chunks_exact(count)) {
            let total: f64 = row.iter().sum();
            if total < f64::MIN_POSITIVE {
                row.copy_from_slice(before);
            } else {
                for weight in row {
                    *weight /= total;
                }
            }
        }
        let mut of_states = Happened::new();
        for (component, kind) in happened {
            let state = component / count;
            if of_states.iter().all(|(known, _)| *known != state) {
                of_states.push((state, kind));
            }
        }
        let states = previous.states;
        Ok((GaussianMixtureEmissions { weights, states, components }, of_states))
    }

    fn ln_prior(&self, emissions: &GaussianMixtureEmissions) -> f64 {
        self.ln_prior_of(&emissions.components)
    }
}
