//! Matérn fields in space, on the nodes of a grid or a mesh.

use std::sync::Arc;

use posterior_gaussian::FiniteElements;
use posterior_math::check;
use posterior_math::linalg::MatrixError;
use posterior_math::sparse::{Ordering, SparseCholesky, SparseMatrix, SparseSymbolic, SparseSymmetric};
use posterior_math::special::ln_gamma;

use super::{EffectPrecision, LatentEffect};
use crate::Error;
use crate::hyperparameter::{HyperScale, Hyperparameter};
use crate::prior::HyperparameterPrior;

/// A Matérn field of smoothness ν = 2 - d/2 in d dimensions, as the solution of a stochastic partial
/// differential equation on finite elements: Q = τ² (κ⁴ C + 2 κ² G + G C⁻¹ G). Its hyperparameters are the
/// standard deviation σ and the range √(8 ν) / κ, at which the correlation is about 0.13.
///
/// Rows at places between the nodes see it through [`FiniteElements::interpolation`].
///
/// Priors, unless others are given: P(σ > 1) = 0.01, and P(range < a fifth of the longest side) = ½.
///
/// # References
/// F. Lindgren, H. Rue, J. Lindström, An explicit link between Gaussian fields and Gaussian Markov random
/// fields, J. R. Stat. Soc. B 73 (2011); the priors: G.-A. Fuglstad, D. Simpson, F. Lindgren, H. Rue, J. Am.
/// Stat. Assoc. 114 (2019).
#[derive(Debug, Clone)]
pub struct MaternField {
    name: String,
    dimension: usize,
    /// C, G and G C⁻¹ G on one pattern.
    parts: [SparseSymmetric; 3],
    /// C and G on the pattern of κ² C + G, which is sparser.
    operator: [SparseSymmetric; 2],
    symbolic: Arc<SparseSymbolic>,
    /// ln |C|.
    ln_masses: f64,
    /// An order of elimination of Q.
    order: Vec<usize>,
    deviation: HyperparameterPrior,
    range: HyperparameterPrior,
    start: f64,
}

impl MaternField {
    /// A field on the nodes of finite elements.
    ///
    /// # Errors
    /// More than three dimensions; nodes that are all in one place.
    pub fn new(name: impl Into<String>, elements: &FiniteElements) -> Result<Self, Error> {
        let dimension = elements.dimension();
        let allowed = (1..=3).contains(&dimension);
        check::require(allowed, "MaternField", "dimension", dimension as f64, "1, 2 or 3")?;
        let side = (0..dimension).map(|axis| {
            let along = elements.points().iter().map(|point| point[axis]);
            let (low, high) =
                along.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(x), h.max(x)));
            high - low
        });
        let start = 0.2 * side.fold(0.0, f64::max);
        check::positive("MaternField", "the longest side", start)?;
        let n = elements.masses().len();
        let both = elements.stiffness().triplets().flat_map(|(i, j, value)| {
            [Some((i, j, value)), (i != j).then_some((j, i, value))].into_iter().flatten()
        });
        let inverse: Vec<f64> = elements.masses().iter().map(|mass| mass.recip()).collect();
        let squared = SparseMatrix::from_triplets(n, n, both)?.gram(&inverse)?;
        let empty = squared.scaled(0.0)?;
        let masses = SparseSymmetric::from_diagonal(elements.masses())?;
        let stiffness = masses.scaled(0.0)?.plus(1.0, elements.stiffness())?;
        let ordering = Ordering::Dissection(elements.points().to_vec());
        Ok(Self {
            name: name.into(),
            dimension,
            order: SparseSymbolic::new(&squared, &ordering)?.order().collect(),
            symbolic: Arc::new(SparseSymbolic::new(&stiffness, &ordering)?),
            ln_masses: elements.masses().iter().map(|mass| mass.ln()).sum(),
            parts: [empty.plus(1.0, &masses)?, empty.plus(1.0, &stiffness)?, squared],
            operator: [stiffness.scaled(0.0)?.plus(1.0, &masses)?, stiffness],
            deviation: HyperparameterPrior::deviation_above(1.0, 0.01)?,
            range: HyperparameterPrior::range_below(start, 0.5, dimension)?,
            start,
        })
    }
}

impl LatentEffect for MaternField {
    fn name(&self) -> &str {
        &self.name
    }

    fn size(&self) -> usize {
        self.parts[0].size()
    }

    fn hyperparameters(&self) -> Vec<Hyperparameter> {
        let own = |what, start, prior| {
            Hyperparameter::of_effect(what, &self.name, HyperScale::Positive, start, prior)
        };
        vec![own("sd", 0.5, &self.deviation), own("range", self.start, &self.range)]
    }

    fn deviations(&self) -> Vec<Option<usize>> {
        vec![Some(0); self.size()]
    }

    fn order(&self) -> Option<Vec<usize>> {
        Some(self.order.clone())
    }

    fn pattern(&self) -> Vec<(usize, usize)> {
        self.parts[2].triplets().map(|(i, j, _)| (i, j)).collect()
    }

    fn precision(&self, parameters: &[f64]) -> Result<EffectPrecision, Error> {
        let (sd, range) = (parameters[0], parameters[1]);
        let half = 0.5 * self.dimension as f64;
        let nu = 2.0 - half;
        let squared = 8.0 * nu / (range * range);
        // σ² = Γ(ν) / (Γ(2) (4π)^(d/2) κ^(2ν) τ²).
        let ln_tau = ln_gamma(nu) - half * (4.0 * std::f64::consts::PI).ln() - nu * squared.ln();
        let scale = ln_tau.exp() / (sd * sd);
        let sum = |mass: f64, stiffness: f64, rest: f64| -> Vec<f64> {
            let [c, g, both] = &self.parts;
            c.values()
                .iter()
                .zip(g.values().iter().zip(both.values()))
                .map(|(c, (g, both))| mass * c + stiffness * g + rest * both)
                .collect()
        };
        let values = sum(scale * squared * squared, 2.0 * scale * squared, scale);
        // κ² falls with the squared range, and τ² rises with its power 2 ν.
        let change = sum(-4.0 * scale * squared * squared / range, -4.0 * scale * squared / range, 0.0);
        // Q = τ² K C⁻¹ K with K = κ² C + G.
        let [masses, stiffness] = &self.operator;
        let mut operator = stiffness.clone();
        let entries = masses.values().iter().zip(stiffness.values());
        operator.set_values(&entries.map(|(mass, own)| squared * mass + own).collect::<Vec<f64>>())?;
        let factor = SparseCholesky::with_symbolic(&self.symbolic, &operator)?;
        let trace = -4.0 * squared / range * factor.selected_inverse().trace_of_product(masses)?;
        let n = self.size() as f64;
        let by_range: Vec<f64> =
            change.iter().zip(&values).map(|(change, value)| change + 2.0 * nu * value / range).collect();
        let by_sd = values.iter().map(|value| -2.0 * value / sd).collect();
        let ln_determinant = n * scale.ln() + 2.0 * factor.ln_determinant() - self.ln_masses;
        if !ln_determinant.is_finite() {
            return Err(MatrixError::NotFinite.into());
        }
        Ok(EffectPrecision {
            values,
            ln_determinant,
            derivatives: vec![(by_sd, -2.0 * n / sd), (by_range, trace + 2.0 * nu * n / range)],
        })
    }
}
