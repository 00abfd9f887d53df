//! Smooth curves of one number.

use posterior_gaussian::GaussianMarkovField;
use posterior_math::check;
use posterior_math::linalg::DMatrix;
use posterior_math::sparse::{Ordering, SparseMatrix, SparseSymmetric};
use posterior_regression::features::NaturalSpline;

use super::{EffectPrecision, FieldEffect, LatentEffect, PlaceEffect as _, PlacedEffect};
use crate::Error;
use crate::hyperparameter::Hyperparameter;

/// A smooth curve f of one number: a natural cubic spline, by its values at some knots, with a density that
/// falls with the integral of f″². Its one hyperparameter `sd(NAME)` is a typical standard deviation of the
/// curve: the geometric mean over the knots, as of scaled maps.
///
/// A straight line has no curvature. It is taken out of the curve, whose values at the knots add up to zero
/// with and without a factor x, and is for a column beside it: `.column("x", &x)`.
///
/// With the hyperparameters at their restricted maximum likelihood, it is the cubic regression spline of R's
/// mgcv,
/// `s(x, bs = "cr")` with `method = "REML"`.
///
/// ```
/// use posterior_hierarchical::{FamilyResponse, HierarchicalModel, HierarchicalOptions, NewRows,
/// SmoothCurve};
///
/// // y ~ 1 + x + smooth(x)
/// let x: Vec<f64> = (0..40).map(|i| f64::from(i) / 8.0).collect();
/// let y: Vec<f64> = x.iter().enumerate().map(|(i, x)| x.sin() + 0.1 * (7.0 * i as f64).sin()).collect();
/// let curve = SmoothCurve::at_quantiles("wave", &x, 8)?;
/// // Beyond the last knot the curve goes on straight.
/// let beyond = curve.rows(&[5.5])?;
/// let model = HierarchicalModel::new(FamilyResponse::gaussian(0.5)?, &y)?
///     .intercept()?
///     .column("x", &x)?
///     .effect(curve.through_points(&x)?)?;
/// let fit = model.fit(&HierarchicalOptions::default())?;
/// assert!((fit.predictors()[12].mean() - 1.5_f64.sin()).abs() < 0.1);
/// let entries: Vec<_> = beyond.triplets().collect();
/// let new = NewRows::new(1).column("intercept", &[1.0]).column("x", &[5.5]).through("wave", &entries);
/// assert!((fit.predict(&new)?[0].mean() - 5.5_f64.sin()).abs() < 0.5);
/// # Ok::<(), posterior_hierarchical::Error>(())
/// ```
///
/// # References
/// S. N. Wood, Generalized Additive Models, 2nd ed. (2017), section 5.3.1; S. H. Sørbye, H. Rue, Scaling
/// intrinsic Gaussian Markov random field priors, Spatial Statistics 8 (2014).
#[derive(Debug, Clone)]
pub struct SmoothCurve {
    values: FieldEffect,
    spline: NaturalSpline,
}

impl SmoothCurve {
    /// A curve by its values at these knots: 10 will do unless the curve bends often, as its roughness is
    /// learned. The prior of σ is P(σ > 1) = 0.01 unless [another one](PlacedEffect::with_prior) is given.
    ///
    /// # Errors
    /// Fewer than 3 knots or more than 1000; knots that are not finite and increasing.
    pub fn new(name: impl Into<String>, knots: &[f64]) -> Result<Self, Error> {
        let enough = knots.len() >= 3;
        check::require(enough, "SmoothCurve", "knots", knots.len() as f64, "at least 3: two have no bend")?;
        let spline = NaturalSpline::new(knots)?;
        // Knots from -1 to 1: units do not matter, as the precision is scaled.
        let (first, last) = (knots[0], knots[knots.len() - 1]);
        let (middle, half) = (0.5 * first + 0.5 * last, 0.5 * last - 0.5 * first);
        let places: Vec<f64> = knots.iter().map(|knot| (knot - middle) / half).collect();
        let roughness = NaturalSpline::new(&places)?.roughness();
        let null = DMatrix::from_fn(places.len(), 2, |i, power| if power == 0 { 1.0 } else { places[i] });
        let field = |factor: f64| -> Result<GaussianMarkovField, Error> {
            let precision = SparseSymmetric::from_lower_triangle(&(factor * &roughness))?;
            let zeros = vec![0.0; places.len()];
            Ok(GaussianMarkovField::intrinsic(
                &zeros,
                precision,
                &null,
                &null.transpose(),
                &Ordering::Natural,
            )?)
        };
        let variances = field(1.0)?.marginal_variances();
        let ln_scale = variances.iter().map(|variance| variance.ln()).sum::<f64>() / places.len() as f64;
        Ok(Self { values: FieldEffect::of_field(name, &field(ln_scale.exp())?)?, spline })
    }

    /// A curve with so many knots, at equally spaced quantiles of the different ones of some points, as mgcv
    /// places them.
    ///
    /// # Errors
    /// As [`new`](Self::new); points that are not finite, or fewer different ones than knots.
    pub fn at_quantiles(name: impl Into<String>, x: &[f64], knots: usize) -> Result<Self, Error> {
        check::each(x, |x| check::finite("SmoothCurve", "points", x))?;
        let mut sorted = x.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        sorted.dedup();
        check::enough("different points of a curve", knots.max(3), sorted.len())?;
        let place = |k: usize| {
            let at = (sorted.len() - 1) as f64 * k as f64 / knots.saturating_sub(1).max(1) as f64;
            let (low, part) = (at as usize, at.fract());
            if part == 0.0 { sorted[low] } else { (1.0 - part) * sorted[low] + part * sorted[low + 1] }
        };
        Self::new(name, &(0..knots).map(place).collect::<Vec<_>>())
    }

    /// The knots.
    pub fn knots(&self) -> &[f64] {
        self.spline.knots()
    }

    /// What rows at some points see of the values at the knots; beyond the outer knots the curve is straight.
    /// For [`PlaceEffect::through`](super::PlaceEffect::through), and as entries for
    /// [`NewRows::through`](crate::NewRows::through).
    ///
    /// # Errors
    /// A point that is not finite.
    pub fn rows(&self, x: &[f64]) -> Result<SparseMatrix, Error> {
        check::each(x, |x| check::finite("SmoothCurve", "points", x))?;
        let count = self.knots().len();
        let mut entries = Vec::with_capacity(count * x.len());
        let mut weights = vec![0.0; count];
        for (row, &x) in x.iter().enumerate() {
            self.spline.fill(x, &mut weights);
            let seen = weights.iter().enumerate().filter(|(_, weight)| **weight != 0.0);
            entries.extend(seen.map(|(knot, &weight)| (row, knot, weight)));
        }
        Ok(SparseMatrix::from_triplets(x.len(), count, entries)?)
    }

    /// The curve in a model whose rows see it at these points.
    ///
    /// # Errors
    /// A point that is not finite.
    pub fn through_points(self, x: &[f64]) -> Result<PlacedEffect, Error> {
        let rows = self.rows(x)?;
        self.through(rows)
    }
}

impl LatentEffect for SmoothCurve {
    fn name(&self) -> &str {
        self.values.name()
    }

    fn size(&self) -> usize {
        self.values.size()
    }

    fn hyperparameters(&self) -> Vec<Hyperparameter> {
        self.values.hyperparameters()
    }

    fn pattern(&self) -> Vec<(usize, usize)> {
        self.values.pattern()
    }

    fn precision(&self, parameters: &[f64]) -> Result<EffectPrecision, Error> {
        self.values.precision(parameters)
    }

    fn constraints(&self) -> Vec<Vec<(usize, f64)>> {
        self.values.constraints()
    }

    fn deviations(&self) -> Vec<Option<usize>> {
        self.values.deviations()
    }

    fn labels(&self) -> Vec<String> {
        self.knots().iter().map(|knot| format!("{knot}")).collect()
    }
}
