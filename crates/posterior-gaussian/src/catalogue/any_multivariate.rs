//! Distributions of vectors whose type is known at run time only.

use std::sync::Arc;

use posterior_dist::text::{Described, Entry};
use posterior_dist::{Density, Dirichlet, Entropy, Mode, Moments, behind_pointer};
use posterior_math::linalg::{DMatrix, DVector};
use rand::Rng;
use rand::distr::Distribution;

use crate::gaussian::Gaussian;
use crate::multivariate::{MultivariateT, VonMisesFisher};

/// A distribution of vectors of numbers, behind a pointer.
pub trait DynMultivariate: Described {
    /// The number of coordinates.
    fn dimension(&self) -> usize;

    /// ln p(x): -∞ outside the support (a vector of another length included), NaN only if `x` holds a NaN.
    fn ln_pdf(&self, x: &[f64]) -> f64;

    /// The mean.
    fn mean(&self) -> Option<Vec<f64>>;

    /// The covariance matrix.
    fn covariance(&self) -> Option<DMatrix<f64>>;

    /// The entropy in nats.
    fn entropy(&self) -> Option<f64>;

    /// The point of the largest density.
    fn mode(&self) -> Option<Vec<f64>>;

    /// A draw.
    fn sample(&self, rng: &mut dyn Rng) -> Vec<f64>;
}

/// A distribution of vectors, of any type: made from a text or from a distribution. Copies share the
/// distribution.
/// ```
/// use posterior_gaussian::text::AnyMultivariate;
///
/// let distribution: AnyMultivariate = "dirichlet([1, 2, 3])".parse()?;
/// assert_eq!(distribution.dimension(), 3);
/// assert_eq!(distribution.to_string(), "dirichlet([1, 2, 3])");
/// # Ok::<(), posterior_dist::text::TextError>(())
/// ```
#[derive(Debug, Clone)]
pub struct AnyMultivariate {
    distribution: Arc<dyn DynMultivariate>,
}

behind_pointer!(AnyMultivariate, DynMultivariate, MULTIVARIATE);

/// A vector of either of the two types that means have.
fn vector<V: Into<AsVec>>(vector: V) -> Vec<f64> {
    vector.into().0
}

/// A vector as `Vec`.
struct AsVec(Vec<f64>);

impl From<Vec<f64>> for AsVec {
    fn from(vector: Vec<f64>) -> Self {
        Self(vector)
    }
}

impl From<DVector<f64>> for AsVec {
    fn from(vector: DVector<f64>) -> Self {
        Self(vector.as_slice().to_vec())
    }
}

/// The table of distributions and what makes each a `DynMultivariate`.
macro_rules! distributions_of_vectors {
    ($($distribution:ty, $dimension:expr, $support:literal;)+) => {
        /// Every distribution of vectors of numbers that there is, by name.
        pub const MULTIVARIATE: &[Entry<AnyMultivariate>] = &[$(Entry::of::<$distribution>($support)),+];

        $(impl DynMultivariate for $distribution {
            fn dimension(&self) -> usize {
                $dimension(self)
            }

            fn ln_pdf(&self, x: &[f64]) -> f64 {
                Density::ln_pdf(self, x)
            }

            fn mean(&self) -> Option<Vec<f64>> {
                Moments::mean(self).map(vector)
            }

            fn covariance(&self) -> Option<DMatrix<f64>> {
                Moments::variance(self)
            }

            fn entropy(&self) -> Option<f64> {
                Some(Entropy::entropy(self))
            }

            fn mode(&self) -> Option<Vec<f64>> {
                Mode::mode(self)
            }

            fn sample(&self, rng: &mut dyn Rng) -> Vec<f64> {
                Distribution::sample(self, rng)
            }
        })+
    };
}

// One line a distribution, by name.
distributions_of_vectors! {
    Dirichlet, |distribution: &Dirichlet| distribution.concentration().len(), "K positive numbers with sum 1";
    Gaussian, Gaussian::dimension, "ℝⁿ";
    MultivariateT, MultivariateT::dimension, "ℝⁿ";
    VonMisesFisher, VonMisesFisher::dimension, "directions in ℝᵖ";
}
