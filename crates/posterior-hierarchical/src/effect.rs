//! Latent effects: Gaussian fields whose precision depends on hyperparameters.

mod autoregression;
mod bym2;
mod correlated_groups;
mod field;
mod free;
mod matern;
mod measured;
mod smooth;
mod surface;

pub use autoregression::Autoregression;
pub use bym2::Bym2;
pub use correlated_groups::CorrelatedGroups;
pub use field::FieldEffect;
pub use free::FreeValues;
pub use matern::MaternField;
pub use measured::MeasuredCovariate;
pub use smooth::SmoothCurve;
pub use surface::SmoothSurface;

use std::fmt::Debug;
use std::ops::Range;

use posterior_dist::Normal;
use posterior_math::check;
use posterior_math::sparse::SparseMatrix;

use crate::Error;
use crate::hyperparameter::{HyperScale, Hyperparameter};
use crate::prior::HyperparameterPrior;
use crate::written::WrittenEffect;

/// A vector of latent values with the density (2π)^(-r/2) |Q|^(1/2) exp(-uᵀ Q u / 2) on the subspace in which
/// its constraints C u = 0 hold; Q depends on hyperparameters.
///
/// # For an effect of your own
/// Five functions; [`FieldEffect`] does it for a known precision with one standard deviation.
/// ```
/// use posterior_hierarchical::{Error, Hyperparameter, LatentEffect, EffectPrecision, HyperparameterPrior, HyperScale};
///
/// /// Two values of variance σ² and σ²/4.
/// #[derive(Debug)]
/// struct Pair;
///
/// impl LatentEffect for Pair {
///     fn name(&self) -> &str {
///         "pair"
///     }
///
///     fn size(&self) -> usize {
///         2
///     }
///
///     fn hyperparameters(&self) -> Vec<Hyperparameter> {
///         let prior = HyperparameterPrior::flat();
///         vec![Hyperparameter { name: "sd(pair)".into(), scale: HyperScale::Positive, start: 1.0, prior }]
///     }
///
///     fn pattern(&self) -> Vec<(usize, usize)> {
///         vec![(0, 0), (1, 1)]
///     }
///
///     fn precision(&self, parameters: &[f64]) -> Result<EffectPrecision, Error> {
///         let sd = parameters[0];
///         let precision = sd.powi(-2);
///         let values = vec![precision, 4.0 * precision];
///         let slopes = values.iter().map(|value| -2.0 * value / sd).collect();
///         let ln_determinant = (4.0 * precision * precision).ln();
///         Ok(EffectPrecision { values, ln_determinant, derivatives: vec![(slopes, -4.0 / sd)] })
///     }
/// }
/// ```
pub trait LatentEffect: Debug + Send + Sync {
    /// The name, of which a model has each only once.
    fn name(&self) -> &str;

    /// The number of latent values n.
    fn size(&self) -> usize;

    /// The hyperparameters, with their priors.
    fn hyperparameters(&self) -> Vec<Hyperparameter>;

    /// Where Q may have entries, as (row, column), each pair once, the same for all hyperparameters.
    fn pattern(&self) -> Vec<(usize, usize)>;

    /// Q at these hyperparameters, on their natural scale.
    ///
    /// # Errors
    /// Where Q has no value.
    fn precision(&self, parameters: &[f64]) -> Result<EffectPrecision, Error>;

    /// The rows of C, each by its entries that are not zero. None by default.
    fn constraints(&self) -> Vec<Vec<(usize, f64)>> {
        Vec::new()
    }

    /// For each value the hyperparameter, by its place, that is a factor of it: a standard deviation σ such
    /// that the distribution of u / σ does not depend on σ. None by default; needed by
    /// [`ExactPosterior`](crate::ExactPosterior) for good chains, not for right ones.
    fn deviations(&self) -> Vec<Option<usize>> {
        vec![None; self.size()]
    }

    /// The places of values that are independent of each other given the rest of the effect, and that no
    /// constraint holds: values that are others and something of their own. None by default; as
    /// [`deviations`](Self::deviations) needed by [`ExactPosterior`](crate::ExactPosterior), where what is
    /// their own may be little.
    fn conditional(&self) -> Range<usize> {
        0..0
    }

    /// An order of elimination that leaves Q a small factor, if one is known better than what minimum degree
    /// finds: each place once. None by default.
    fn order(&self) -> Option<Vec<usize>> {
        None
    }

    /// The names of the values: `1`, `2`, … by default.
    fn labels(&self) -> Vec<String> {
        (1..=self.size()).map(|index| index.to_string()).collect()
    }

    /// What it is in Stan's language, for [`StanProgram`](crate::StanProgram). By default known from the
    /// hyperparameters: a known field, if there is one and it is the deviation of all values.
    fn written(&self) -> WrittenEffect {
        let scaled = self.hyperparameters().len() == 1 && self.deviations().iter().all(|own| *own == Some(0));
        if scaled { WrittenEffect::Scaled } else { WrittenEffect::Unwritten }
    }

    /// What is reported beside the hyperparameters, as functions of them on their natural scale: names and
    /// values. Nothing by default.
    fn derived(&self, _parameters: &[f64]) -> Vec<(String, f64)> {
        Vec::new()
    }
}

/// A precision matrix at some hyperparameters.
#[derive(Debug, Clone, PartialEq)]
pub struct EffectPrecision {
    /// The entries, in the order of [`LatentEffect::pattern`].
    pub values: Vec<f64>,
    /// ln |Q| on the subspace of the constraints: ln |Zᵀ Q Z| for an orthonormal basis Z.
    pub ln_determinant: f64,
    /// For each hyperparameter the derivatives of both by its natural value.
    pub derivatives: Vec<(Vec<f64>, f64)>,
}

/// An effect with what each row of the data sees of it.
#[derive(Debug)]
pub struct PlacedEffect {
    pub(crate) effect: Box<dyn LatentEffect>,
    pub(crate) rows: SparseMatrix,
    pub(crate) hyperparameters: Vec<Hyperparameter>,
    pub(crate) labels: Vec<String>,
    pub(crate) copies: Vec<EffectCopy>,
}

/// Rows that see an effect times a factor.
#[derive(Debug)]
pub(crate) struct EffectCopy {
    pub(crate) factor: Hyperparameter,
    pub(crate) rows: SparseMatrix,
}

impl EffectCopy {
    pub(crate) fn new(name: &str, rows: SparseMatrix) -> Result<Self, Error> {
        let prior = HyperparameterPrior::density(Normal::mean_sd(0.0, 10.0)?);
        let factor = Hyperparameter { name: name.to_owned(), scale: HyperScale::Real, start: 0.5, prior };
        Ok(Self { factor, rows })
    }
}

impl PlacedEffect {
    pub(crate) fn new(effect: Box<dyn LatentEffect>, rows: SparseMatrix) -> Result<Self, Error> {
        check::dimension("columns of the rows of an effect", effect.size(), rows.columns())?;
        let (hyperparameters, labels) = (effect.hyperparameters(), effect.labels());
        Ok(Self { effect, rows, hyperparameters, labels, copies: Vec::new() })
    }

    /// With another prior of the hyperparameter with this name.
    ///
    /// # Errors
    /// No such hyperparameter.
    pub fn with_prior(mut self, hyperparameter: &str, prior: HyperparameterPrior) -> Result<Self, Error> {
        self.own(hyperparameter)?.prior = prior;
        Ok(self)
    }

    /// With a natural value of the hyperparameter with this name from which the search begins.
    ///
    /// # Errors
    /// No such hyperparameter; a value that it can't have.
    pub fn starting_at(mut self, hyperparameter: &str, start: f64) -> Result<Self, Error> {
        let own = self.own(hyperparameter)?;
        let inside = own.scale.unconstrained(start).is_finite();
        check::require(inside, "PlacedEffect", "start", start, "a value of the hyperparameter")?;
        own.start = start;
        Ok(self)
    }

    /// With names of the values.
    ///
    /// # Errors
    /// Other than one name for each value.
    pub fn with_labels<S: Into<String>>(self, labels: impl IntoIterator<Item = S>) -> Result<Self, Error> {
        let labels: Vec<String> = labels.into_iter().map(Into::into).collect();
        check::dimension("labels of an effect", self.labels.len(), labels.len())?;
        Ok(Self { labels, ..self })
    }

    fn own(&mut self, name: &str) -> Result<&mut Hyperparameter, Error> {
        let known = self.hyperparameters.iter().map(|own| own.name.as_str());
        let error = Error::unknown("hyperparameter", name, known);
        self.hyperparameters.iter_mut().find(|own| own.name == name).ok_or(error)
    }
}

/// How rows of data see an effect.
pub trait PlaceEffect: LatentEffect + Sized + 'static {
    /// Row i sees the value `indices[i]`: of its group, its time, its area.
    ///
    /// # Errors
    /// An index that is not below the size.
    fn at(self, indices: &[usize]) -> Result<PlacedEffect, Error> {
        self.times(indices, &vec![1.0; indices.len()])
    }

    /// Row i sees `factors[i]` times the value `indices[i]`: a slope that varies between groups.
    ///
    /// # Errors
    /// An index that is not below the size, a factor that is not finite, other numbers of factors.
    fn times(self, indices: &[usize], factors: &[f64]) -> Result<PlacedEffect, Error> {
        check::dimension("factors of an effect", indices.len(), factors.len())?;
        let entries = indices.iter().zip(factors).enumerate().map(|(row, (&index, &x))| (row, index, x));
        let rows = SparseMatrix::from_triplets(indices.len(), self.size(), entries)?;
        PlacedEffect::new(Box::new(self), rows)
    }

    /// Row i sees the combination that row i of a matrix says: weights of the corners of a triangle, of the
    /// members of several groups.
    ///
    /// # Errors
    /// A matrix whose columns are not as many as the values.
    fn through(self, rows: SparseMatrix) -> Result<PlacedEffect, Error> {
        PlacedEffect::new(Box::new(self), rows)
    }
}

impl<E: LatentEffect + Sized + 'static> PlaceEffect for E {}
