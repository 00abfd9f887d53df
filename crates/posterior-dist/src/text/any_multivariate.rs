//! Distributions of vectors whose type is known at run time only.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use posterior_math::linalg::{DMatrix, DVector};
use rand::Rng;
use rand::distr::Distribution;

use super::error::TextError;
use super::probe::{HasEntropy, HasMode, Probe};
use super::syntax::{Call, Value};
use super::written::{Entry, Written, call_of, find, from_call};
use crate::density::Density;
use crate::gaussian::Gaussian;
use crate::moments::Moments;
use crate::multivariate::{Dirichlet, MultivariateT};

/// A distribution of vectors of numbers, behind a pointer.
pub trait DynMultivariate: fmt::Debug + fmt::Display + Send + Sync {
    /// The distribution's name.
    fn name(&self) -> &'static str;

    /// The names of the parameters, in order.
    fn parameter_names(&self) -> &'static [&'static str];

    /// The parameters, in order.
    fn parameters(&self) -> Vec<Value>;

    /// The distribution as a call, every argument by name.
    fn call(&self) -> Call;

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
/// use posterior_dist::text::AnyMultivariate;
///
/// let distribution: AnyMultivariate = "dirichlet([1, 2, 3])".parse()?;
/// assert_eq!(distribution.distribution().dimension(), 3);
/// assert_eq!(distribution.to_string(), "dirichlet([1, 2, 3])");
/// # Ok::<(), posterior_dist::text::TextError>(())
/// ```
#[derive(Debug, Clone)]
pub struct AnyMultivariate {
    distribution: Arc<dyn DynMultivariate>,
}

impl AnyMultivariate {
    /// The distribution.
    pub fn distribution(&self) -> &dyn DynMultivariate {
        self.distribution.as_ref()
    }
}

impl<L: DynMultivariate + 'static> From<L> for AnyMultivariate {
    fn from(distribution: L) -> Self {
        Self { distribution: Arc::new(distribution) }
    }
}

/// Two distributions are one if name and parameters are.
impl PartialEq for AnyMultivariate {
    fn eq(&self, other: &Self) -> bool {
        self.distribution.name() == other.distribution.name()
            && self.distribution.parameters() == other.distribution.parameters()
    }
}

impl fmt::Display for AnyMultivariate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.distribution.fmt(f)
    }
}

impl FromStr for AnyMultivariate {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        Self::try_from(&text.parse::<Call>()?)
    }
}

impl TryFrom<&Call> for AnyMultivariate {
    type Error = TextError;

    fn try_from(call: &Call) -> Result<Self, TextError> {
        find(MULTIVARIATE, call)
    }
}

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

/// A row of the table.
const fn entry<L: DynMultivariate + Written + 'static>(support: &'static str) -> Entry<AnyMultivariate> {
    Entry {
        name: L::NAME,
        parameters: L::PARAMETERS,
        support,
        read: |call| from_call::<L>(call).map(AnyMultivariate::from),
    }
}

/// The table of distributions and what makes each a `DynMultivariate`: a macro, because [`Probe`] must see
/// the type.
macro_rules! distributions_of_vectors {
    ($($distribution:ty, $dimension:expr, $support:literal;)+) => {
        /// Every distribution of vectors of numbers that there is, by name.
        pub const MULTIVARIATE: &[Entry<AnyMultivariate>] = &[$(entry::<$distribution>($support)),+];

        $(impl DynMultivariate for $distribution {
            fn name(&self) -> &'static str {
                <Self as Written>::NAME
            }

            fn parameter_names(&self) -> &'static [&'static str] {
                <Self as Written>::PARAMETERS
            }

            fn parameters(&self) -> Vec<Value> {
                self.values()
            }

            fn call(&self) -> Call {
                call_of(self)
            }

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
                (&Probe(self)).entropy()
            }

            fn mode(&self) -> Option<Vec<f64>> {
                (&Probe(self)).mode()
            }

            fn sample(&self, rng: &mut dyn Rng) -> Vec<f64> {
                Distribution::sample(self, rng)
            }
        })+
    };
}

// One line a distribution, by name.
distributions_of_vectors! {
    Dirichlet, |distribution: &Dirichlet| distribution.alpha().len(), "K positive numbers with sum 1";
    Gaussian, Gaussian::dimension, "ℝⁿ";
    MultivariateT, MultivariateT::dimension, "ℝⁿ";
}
