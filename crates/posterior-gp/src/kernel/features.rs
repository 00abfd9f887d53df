//! Kernels of finitely many features: functions φ(x)ᵀ w with normal weights w.

use std::f64::consts::PI;
use std::fmt;
use std::sync::Arc;

use posterior_gaussian::MomentGaussian;
use posterior_math::check::{self, DimensionError, ParamError};
use posterior_math::linalg::{DMatrix, DVector};
use posterior_math::log_space::logistic;

use super::stationary::write_list;
use super::{CovarianceFunction, Kernel, KernelParameter};
use crate::Error;

/// A list of functions φ of one coordinate, or of your own.
///
/// Kernels are limits of such lists: steps become a [Wiener process](Kernel::wiener), rectifiers its
/// [integral](Kernel::integrated_wiener), and bells an [RBF kernel](Kernel::rbf).
///
/// ```
/// use posterior_gp::kernel::{FeatureFunctions, Kernel};
///
/// let bells = FeatureFunctions::bells(&[-1.0, 0.0, 1.0], 0.7)?;
/// assert_eq!(bells.values(&[0.0])[1], 1.0);
/// assert_eq!((0.5 * Kernel::features(bells)).to_string(), "0.5*bells([-1, 0, 1], 0.7)");
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Clone)]
pub struct FeatureFunctions {
    kind: Kind,
}

/// How many waves a Fourier series may have: each place has two numbers for each.
const MOST_WAVES: u32 = 100_000;

type Function = dyn Fn(&[f64]) -> Vec<f64> + Send + Sync;

#[derive(Clone)]
enum Kind {
    Bells { centres: Vec<f64>, width: f64 },
    Sigmoids { centres: Vec<f64>, width: f64 },
    Steps { centres: Vec<f64> },
    Rectifiers { centres: Vec<f64> },
    Fourier { period: f64, count: u32 },
    Monomials { degree: u32 },
    Custom { name: String, function: Arc<Function> },
}

fn checked_centres(name: &'static str, centres: &[f64]) -> Result<Vec<f64>, ParamError> {
    for (index, &centre) in centres.iter().enumerate() {
        check::finite(name, "centres", centre).map_err(|error| error.at(index))?;
    }
    Ok(centres.to_vec())
}

impl FeatureFunctions {
    /// exp(-(x - c)²/(2 w²)) for each centre c.
    ///
    /// # Errors
    /// If a centre is not finite, or the width not positive and finite.
    pub fn bells(centres: &[f64], width: f64) -> Result<Self, ParamError> {
        let width = check::positive("bells", "width", width)?;
        Ok(Self { kind: Kind::Bells { centres: checked_centres("bells", centres)?, width } })
    }

    /// 1/(1 + exp(-(x - c)/w)) for each centre c.
    ///
    /// # Errors
    /// If a centre is not finite, or the width not positive and finite.
    pub fn sigmoids(centres: &[f64], width: f64) -> Result<Self, ParamError> {
        let width = check::positive("sigmoids", "width", width)?;
        Ok(Self { kind: Kind::Sigmoids { centres: checked_centres("sigmoids", centres)?, width } })
    }

    /// 1 from each centre on, 0 before.
    ///
    /// # Errors
    /// If a centre is not finite.
    pub fn steps(centres: &[f64]) -> Result<Self, ParamError> {
        Ok(Self { kind: Kind::Steps { centres: checked_centres("steps", centres)? } })
    }

    /// max(0, x - c) for each centre c.
    ///
    /// # Errors
    /// If a centre is not finite.
    pub fn rectifiers(centres: &[f64]) -> Result<Self, ParamError> {
        Ok(Self { kind: Kind::Rectifiers { centres: checked_centres("rectifiers", centres)? } })
    }

    /// cos(2πn x/p) and sin(2πn x/p) for n from 1 to `count`.
    ///
    /// # Errors
    /// If the period is not positive and finite, or the count above 100 000.
    pub fn fourier(period: f64, count: u32) -> Result<Self, ParamError> {
        let period = check::positive("fourier", "period", period)?;
        let few = count <= MOST_WAVES;
        check::require(few, "fourier", "count", f64::from(count), "at most 100000")?;
        Ok(Self { kind: Kind::Fourier { period, count } })
    }

    /// 1, x, x², …, up to the degree.
    pub const fn monomials(degree: u32) -> Self {
        Self { kind: Kind::Monomials { degree } }
    }

    /// Functions of your own; as many for every input. They are printed by their name, and cannot be read
    /// back.
    pub fn custom(name: &str, function: impl Fn(&[f64]) -> Vec<f64> + Send + Sync + 'static) -> Self {
        Self { kind: Kind::Custom { name: name.to_owned(), function: Arc::new(function) } }
    }

    /// The features φ(x) of one input.
    pub fn values(&self, x: &[f64]) -> Vec<f64> {
        let at = x.first().copied().unwrap_or(0.0);
        let each = |centres: &[f64], function: &dyn Fn(f64) -> f64| {
            centres.iter().map(|c| function(at - c)).collect()
        };
        match &self.kind {
            Kind::Bells { centres, width } => each(centres, &|d| (-0.5 * (d / width) * (d / width)).exp()),
            Kind::Sigmoids { centres, width } => each(centres, &|d| logistic(d / width)),
            Kind::Steps { centres } => each(centres, &|d| if d >= 0.0 { 1.0 } else { 0.0 }),
            Kind::Rectifiers { centres } => each(centres, &|d| d.max(0.0)),
            Kind::Fourier { period, count } => (1..=*count)
                .flat_map(|n| {
                    let (sin, cos) = (2.0 * PI * f64::from(n) * (at / period)).sin_cos();
                    [cos, sin]
                })
                .collect(),
            Kind::Monomials { degree } => (0..=*degree).map(|power| at.powi(power.cast_signed())).collect(),
            Kind::Custom { function, .. } => function(x),
        }
    }

    /// Φ, with φ(x) of each input as a row.
    pub fn matrix(&self, inputs: &DMatrix<f64>) -> DMatrix<f64> {
        let rows: Vec<Vec<f64>> =
            inputs.row_iter().map(|x| self.values(&x.iter().copied().collect::<Vec<_>>())).collect();
        let columns = rows.first().map_or(0, Vec::len);
        DMatrix::from_fn(rows.len(), columns, |i, j| rows[i].get(j).copied().unwrap_or(f64::NAN))
    }

    fn dimension(&self) -> Option<usize> {
        if matches!(self.kind, Kind::Custom { .. }) { None } else { Some(1) }
    }
}

impl fmt::Display for FeatureFunctions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, centres, width) = match &self.kind {
            Kind::Bells { centres, width } => ("bells", centres, Some(width)),
            Kind::Sigmoids { centres, width } => ("sigmoids", centres, Some(width)),
            Kind::Steps { centres } => ("steps", centres, None),
            Kind::Rectifiers { centres } => ("rectifiers", centres, None),
            Kind::Fourier { period, count } => return write!(f, "fourier({period}, {count})"),
            Kind::Monomials { degree } => return write!(f, "monomials({degree})"),
            Kind::Custom { name, .. } => return write!(f, "{name}()"),
        };
        write!(f, "{name}(")?;
        write_list(centres, f)?;
        match width {
            Some(width) => write!(f, ", {width})"),
            None => write!(f, ")"),
        }
    }
}

impl fmt::Debug for FeatureFunctions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Features({self})")
    }
}

/// φ(x)ᵀ Θ φ(x')
#[derive(Debug, Clone)]
struct Explicit {
    features: FeatureFunctions,
    /// I if there is none.
    covariance: Option<Arc<DMatrix<f64>>>,
}

impl Kernel {
    /// φ(x)ᵀ φ(x'): functions φ(x)ᵀ w with independent weights of variance 1.
    pub fn features(features: FeatureFunctions) -> Self {
        Self::new(Explicit { features, covariance: None })
    }

    /// φ(x)ᵀ Θ φ(x'): functions φ(x)ᵀ w with weights of covariance Θ. It cannot be read back from what it
    /// prints.
    ///
    /// # Errors
    /// If Θ is no covariance.
    pub fn features_with(features: FeatureFunctions, covariance: &DMatrix<f64>) -> Result<Self, Error> {
        let distribution = MomentGaussian::new(&vec![0.0; covariance.nrows()], covariance)?;
        Ok(Self::new(Explicit { features, covariance: Some(Arc::new(distribution.covariance().clone())) }))
    }
}

impl CovarianceFunction for Explicit {
    fn value(&self, x: &[f64], y: &[f64]) -> f64 {
        let (x, y) = (self.features.values(x), self.features.values(y));
        match &self.covariance {
            None => x.iter().zip(&y).map(|(x, y)| x * y).sum(),
            Some(covariance) => DVector::from_vec(x).dot(&(&**covariance * DVector::from_vec(y))),
        }
    }

    fn gradient(&self, _x: &[f64], _y: &[f64], _gradient: &mut [f64]) {}

    fn parameters(&self) -> Vec<KernelParameter> {
        Vec::new()
    }

    fn with_parameters(&self, _values: &[f64]) -> Result<Kernel, ParamError> {
        Ok(Kernel::new(self.clone()))
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.covariance {
            None => write!(f, "{}", self.features),
            Some(_) => write!(f, "correlated({})", self.features),
        }
    }

    fn dimension(&self) -> Option<usize> {
        self.features.dimension()
    }

    fn check(&self, inputs: &DMatrix<f64>) -> Result<(), Error> {
        for (row, x) in inputs.row_iter().enumerate() {
            let values = self.features.values(&x.iter().copied().collect::<Vec<_>>());
            if let Some(&value) = values.iter().find(|value| !value.is_finite()) {
                return Err(Error::NotFinite { what: "feature", row, value });
            }
            let found = values.len();
            match &self.covariance {
                Some(covariance) if covariance.nrows() != found => {
                    return Err(DimensionError::new("features", covariance.nrows(), found).into());
                }
                _ => {}
            }
        }
        Ok(())
    }
}
