//! Smooth surfaces over two numbers.

use std::collections::BTreeMap;

use posterior_math::check;
use posterior_math::linalg::{DMatrix, SymmetricEigen};
use posterior_math::sparse::SparseMatrix;

use super::{EffectPrecision, LatentEffect, PlaceEffect as _, PlacedEffect, SmoothCurve};
use crate::Error;
use crate::hyperparameter::{HyperScale, Hyperparameter};
use crate::prior::HyperparameterPrior;

/// Two axes of a surface.
const AXES: usize = 2;

/// A smooth surface f of two numbers in units of their own: a tensor product of natural cubic splines, by its
/// values at a grid of knots. It has one roughness along each axis: `sd(NAME: AXIS)` is a typical standard
/// deviation of the curves along it.
///
/// What has no roughness, 1, x, z and x z, is taken out of the surface and is for columns beside it. The
/// values of the surface at the knots add up to zero with each of these as factors.
///
/// With the hyperparameters at their restricted maximum likelihood, it is the tensor product of R's mgcv,
/// `te(x, z, bs = "cr")` with `method = "REML"`.
///
/// ```
/// use posterior_hierarchical::{FamilyResponse, HierarchicalModel, HierarchicalOptions, SmoothSurface};
///
/// // y ~ 1 + x + z + x z + te(x, z)
/// let points = || (0..12).flat_map(|i| (0..12).map(move |j| (f64::from(i), f64::from(j) / 20.0)));
/// let (x, z): (Vec<f64>, Vec<f64>) = points().unzip();
/// let truth = |x: f64, z: f64| (0.3 * x).sin() * (6.0 * z).cos();
/// let y: Vec<f64> =
///     points().enumerate().map(|(i, (x, z))| truth(x, z) + 0.1 * (7.0 * i as f64).sin()).collect();
/// let surface = SmoothSurface::at_quantiles("hill", ["x", "z"], [&x, &z], [6, 6])?;
/// let product: Vec<f64> = x.iter().zip(&z).map(|(x, z)| x * z).collect();
/// let model = HierarchicalModel::new(FamilyResponse::gaussian(0.5)?, &y)?
///     .intercept()?
///     .column("x", &x)?
///     .column("z", &z)?
///     .column("x z", &product)?
///     .effect(surface.through_points([&x, &z])?)?;
/// let fit = model.fit(&HierarchicalOptions::default())?;
/// assert!((fit.predictors()[40].mean() - truth(x[40], z[40])).abs() < 0.1);
/// # Ok::<(), posterior_hierarchical::Error>(())
/// ```
///
/// # References
/// S. N. Wood, Low-rank scale-invariant tensor product smooths for generalized additive mixed models,
/// Biometrics 62 (2006).
#[derive(Debug, Clone)]
pub struct SmoothSurface {
    name: String,
    axes: [String; AXES],
    curves: [SmoothCurve; AXES],
    /// The eigenvalues of the roughness along each axis, two of them 0.
    eigenvalues: [Vec<f64>; AXES],
    pattern: Vec<(usize, usize)>,
    /// What each axis adds to the entries of the pattern.
    roughness: [Vec<f64>; AXES],
    prior: HyperparameterPrior,
}

impl SmoothSurface {
    /// A surface by its values at a grid of knots, those of the second axis one after another. The prior of
    /// each σ is P(σ > 1) = 0.01 unless [another one](PlacedEffect::with_prior) is given.
    ///
    /// # Errors
    /// As [`SmoothCurve::new`], of each axis.
    pub fn new(name: impl Into<String>, axes: [&str; AXES], knots: [&[f64]; AXES]) -> Result<Self, Error> {
        let curves = [SmoothCurve::new(axes[0], knots[0])?, SmoothCurve::new(axes[1], knots[1])?];
        Self::of_curves(name.into(), axes, curves)
    }

    /// A surface with so many knots along each axis, at quantiles of some points as of
    /// [`SmoothCurve::at_quantiles`]: 5 will do for most.
    ///
    /// # Errors
    /// As [`SmoothCurve::at_quantiles`], of each axis.
    pub fn at_quantiles(
        name: impl Into<String>,
        axes: [&str; AXES],
        points: [&[f64]; AXES],
        knots: [usize; AXES],
    ) -> Result<Self, Error> {
        let curve = |axis: usize| SmoothCurve::at_quantiles(axes[axis], points[axis], knots[axis]);
        let curves = [curve(0)?, curve(1)?];
        Self::of_curves(name.into(), axes, curves)
    }

    fn of_curves(name: String, axes: [&str; AXES], curves: [SmoothCurve; AXES]) -> Result<Self, Error> {
        let sides = [curves[0].size(), curves[1].size()];
        let dense = [dense(&curves[0])?, dense(&curves[1])?];
        let eigenvalues = [eigenvalues(&dense[0])?, eigenvalues(&dense[1])?];
        let mut entries: BTreeMap<(usize, usize), [f64; AXES]> = BTreeMap::new();
        let place = |i: usize, j: usize| i * sides[1] + j;
        for i in 0..sides[0] {
            for j in 0..sides[1] {
                for other in 0..=i {
                    entries.entry((place(i, j), place(other, j))).or_default()[0] += dense[0][(i, other)];
                }
                for other in 0..=j {
                    entries.entry((place(i, j), place(i, other))).or_default()[1] += dense[1][(j, other)];
                }
            }
        }
        let roughness = [0, 1].map(|axis| entries.values().map(|own| own[axis]).collect());
        Ok(Self {
            name,
            axes: axes.map(str::to_owned),
            curves,
            eigenvalues,
            pattern: entries.into_keys().collect(),
            roughness,
            prior: HyperparameterPrior::deviation_above(1.0, 0.01)?,
        })
    }

    /// The knots along each axis.
    pub fn knots(&self) -> [&[f64]; AXES] {
        [self.curves[0].knots(), self.curves[1].knots()]
    }

    /// What rows at some points see of the values at the knots; beyond the outer knots the surface is
    /// straight along each axis.
    ///
    /// # Errors
    /// A point that is not finite; other numbers of points along one axis than along the other.
    pub fn rows(&self, points: [&[f64]; AXES]) -> Result<SparseMatrix, Error> {
        check::dimension("points of a surface", points[0].len(), points[1].len())?;
        let along = [self.curves[0].rows(points[0])?, self.curves[1].rows(points[1])?];
        let side = self.curves[1].size();
        let mut of_row = vec![[Vec::new(), Vec::new()]; points[0].len()];
        for (axis, own) in along.iter().enumerate() {
            for (row, knot, weight) in own.triplets() {
                of_row[row][axis].push((knot, weight));
            }
        }
        let entries = of_row.iter().enumerate().flat_map(|(row, [x, z])| {
            x.iter().flat_map(move |(i, u)| z.iter().map(move |(j, v)| (row, i * side + j, u * v)))
        });
        Ok(SparseMatrix::from_triplets(points[0].len(), self.size(), entries.collect::<Vec<_>>())?)
    }

    /// The surface in a model whose rows see it at these points.
    ///
    /// # Errors
    /// As [`rows`](Self::rows).
    pub fn through_points(self, points: [&[f64]; AXES]) -> Result<PlacedEffect, Error> {
        let rows = self.rows(points)?;
        self.through(rows)
    }
}

/// The precision of a curve with σ = 1.
fn dense(curve: &SmoothCurve) -> Result<DMatrix<f64>, Error> {
    let mut dense = DMatrix::zeros(curve.size(), curve.size());
    for ((i, j), value) in curve.pattern().into_iter().zip(curve.precision(&[1.0])?.values) {
        dense[(i, j)] = value;
        dense[(j, i)] = value;
    }
    Ok(dense)
}

/// In ascending order; those of constants and lines are 0.
fn eigenvalues(roughness: &DMatrix<f64>) -> Result<Vec<f64>, Error> {
    let mut values: Vec<f64> = SymmetricEigen::new(roughness)?.values().iter().copied().collect();
    values.sort_by(f64::total_cmp);
    values[..2].fill(0.0);
    Ok(values)
}

impl LatentEffect for SmoothSurface {
    fn name(&self) -> &str {
        &self.name
    }

    fn size(&self) -> usize {
        self.curves[0].size() * self.curves[1].size()
    }

    fn hyperparameters(&self) -> Vec<Hyperparameter> {
        let own = |axis: &String| {
            let effect = format!("{}: {axis}", self.name);
            Hyperparameter::of_effect("sd", &effect, HyperScale::Positive, 0.5, &self.prior)
        };
        self.axes.iter().map(own).collect()
    }

    fn pattern(&self) -> Vec<(usize, usize)> {
        self.pattern.clone()
    }

    fn precision(&self, parameters: &[f64]) -> Result<EffectPrecision, Error> {
        let precisions = [parameters[0].powi(-2), parameters[1].powi(-2)];
        let values = self.roughness[0].iter().zip(&self.roughness[1]);
        let values = values.map(|(x, z)| precisions[0] * x + precisions[1] * z).collect();
        let (mut ln_determinant, mut by_precision) = (0.0, [0.0; AXES]);
        for (i, a) in self.eigenvalues[0].iter().enumerate() {
            for b in &self.eigenvalues[1][if i < 2 { 2 } else { 0 }..] {
                let sum = precisions[0] * a + precisions[1] * b;
                ln_determinant += sum.ln();
                by_precision[0] += a / sum;
                by_precision[1] += b / sum;
            }
        }
        let derivative = |axis: usize| {
            let slope = -2.0 * precisions[axis] / parameters[axis];
            (self.roughness[axis].iter().map(|entry| slope * entry).collect(), slope * by_precision[axis])
        };
        Ok(EffectPrecision { values, ln_determinant, derivatives: vec![derivative(0), derivative(1)] })
    }

    fn constraints(&self) -> Vec<Vec<(usize, f64)>> {
        let side = self.curves[1].size();
        let [x, z] = [self.curves[0].constraints(), self.curves[1].constraints()];
        let mut all = Vec::with_capacity(x.len() * z.len());
        for x in &x {
            for z in &z {
                let row = x.iter().flat_map(|(i, u)| z.iter().map(move |(j, v)| (i * side + j, u * v)));
                all.push(row.collect());
            }
        }
        all
    }

    fn labels(&self) -> Vec<String> {
        let [x, z] = self.knots();
        x.iter().flat_map(|x| z.iter().map(move |z| format!("{x:.6} {z:.6}"))).collect()
    }
}
