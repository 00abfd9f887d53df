//! Laws of vectors whose type is known at run time only.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use posterior_math::linalg::{DMatrix, DVector};
use rand::Rng;
use rand::distr::Distribution;

use super::error::TextError;
use super::probe::{HasEntropy, HasMode, Probe};
use super::syntax::{Call, Value};
use super::written::{LawEntry, Written, call_of, find, from_call};
use crate::density::Density;
use crate::gaussian::Gaussian;
use crate::moments::Moments;
use crate::multivariate::{Dirichlet, MultivariateT};

/// A law of vectors of numbers, behind a pointer.
pub trait LawOfVectors: fmt::Debug + fmt::Display + Send + Sync {
    /// The law's name.
    fn name(&self) -> &'static str;

    /// The names of the parameters, in order.
    fn parameter_names(&self) -> &'static [&'static str];

    /// The parameters, in order.
    fn parameters(&self) -> Vec<Value>;

    /// The law as a call, every argument by name.
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

/// A law of vectors, of any type: made from a text or from a law. Copies share the law.
/// ```
/// use posterior_dist::text::AnyVectorLaw;
///
/// let law: AnyVectorLaw = "dirichlet([1, 2, 3])".parse()?;
/// assert_eq!(law.law().dimension(), 3);
/// assert_eq!(law.to_string(), "dirichlet([1, 2, 3])");
/// # Ok::<(), posterior_dist::text::TextError>(())
/// ```
#[derive(Debug, Clone)]
pub struct AnyVectorLaw {
    law: Arc<dyn LawOfVectors>,
}

impl AnyVectorLaw {
    /// The law.
    pub fn law(&self) -> &dyn LawOfVectors {
        self.law.as_ref()
    }
}

impl<L: LawOfVectors + 'static> From<L> for AnyVectorLaw {
    fn from(law: L) -> Self {
        Self { law: Arc::new(law) }
    }
}

/// Two laws are one if name and parameters are.
impl PartialEq for AnyVectorLaw {
    fn eq(&self, other: &Self) -> bool {
        self.law.name() == other.law.name() && self.law.parameters() == other.law.parameters()
    }
}

impl fmt::Display for AnyVectorLaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.law.fmt(f)
    }
}

impl FromStr for AnyVectorLaw {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        Self::try_from(&text.parse::<Call>()?)
    }
}

impl TryFrom<&Call> for AnyVectorLaw {
    type Error = TextError;

    fn try_from(call: &Call) -> Result<Self, TextError> {
        find(LAWS_OF_VECTORS, call)
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
const fn entry<L: LawOfVectors + Written + 'static>(support: &'static str) -> LawEntry<AnyVectorLaw> {
    LawEntry {
        name: L::NAME,
        parameters: L::PARAMETERS,
        support,
        read: |call| from_call::<L>(call).map(AnyVectorLaw::from),
    }
}

/// The table of laws and what makes each a `LawOfVectors`: a macro, because [`Probe`] must see the type.
macro_rules! laws_of_vectors {
    ($($law:ty, $dimension:expr, $support:literal;)+) => {
        /// Every law of vectors of numbers that there is, by name.
        pub const LAWS_OF_VECTORS: &[LawEntry<AnyVectorLaw>] = &[$(entry::<$law>($support)),+];

        $(impl LawOfVectors for $law {
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

// One line a law, by name.
laws_of_vectors! {
    Dirichlet, |law: &Dirichlet| law.alpha().len(), "K positive numbers with sum 1";
    Gaussian, Gaussian::dimension, "ℝⁿ";
    MultivariateT, MultivariateT::dimension, "ℝⁿ";
}
