//! Areas on a map: structured and unstructured variation with one standard deviation.

use std::ops::Range;

use posterior_dist::Density as _;
use posterior_gaussian::GaussianMarkovField;
use posterior_math::linalg::SymmetricEigen;
use posterior_math::sparse::SparseSymmetric;
use posterior_math::special::LN_TAU;

use super::{EffectPrecision, LatentEffect};
use crate::Error;
use crate::hyperparameter::{HyperScale, Hyperparameter};
use crate::prior::HyperparameterPrior;

/// Eigenvalues of the structure below this part of the largest one are zero.
const ZERO: f64 = 1e-9;
/// The least part 1 - φ of the variance that areas have of their own: with less, Q is singular but for
/// rounding, and the field differs by less than 1e-4 of its standard deviation.
const LEAST: f64 = 1e-8;

/// The model BYM2 of n areas: σ (√(1 - φ) v + √φ u) with independent standard normal v and a scaled field u
/// of Besag. Of the 2 n values the first n are the effects of the areas, which rows see; after them come the
/// u.
///
/// Priors, unless others are given: P(σ > 1) = 0.01, and the penalised complexity prior with P(φ < ½) = 2/3,
/// for which the eigenvalues of the map are computed once, in O(n³).
///
/// # References
/// A. Riebler, S. H. Sørbye, D. Simpson, H. Rue, An intuitive Bayesian spatial model for disease mapping that
/// accounts for scaling, Stat. Methods Med. Res. 25 (2016).
#[derive(Debug, Clone)]
pub struct Bym2 {
    name: String,
    structure: SparseSymmetric,
    constraints: Vec<Vec<(usize, f64)>>,
    ln_determinant: f64,
    deviation: HyperparameterPrior,
    mixing: HyperparameterPrior,
}

impl Bym2 {
    /// The areas of a map, given by the neighbours of each.
    ///
    /// # Errors
    /// Neighbours that are not areas, or not neighbours in turn; a map without neighbours, for which
    /// [`FieldEffect::groups`](super::FieldEffect::groups) is enough.
    pub fn new(name: impl Into<String>, neighbours: &[Vec<usize>]) -> Result<Self, Error> {
        let eigenvalues = structured_variances(neighbours)?;
        let mixing = HyperparameterPrior::mixing_below(0.5, 2.0 / 3.0, &eigenvalues)?;
        Self::with_mixing(name, neighbours, mixing)
    }

    /// The areas of a map, with a prior of φ: for maps of many areas.
    ///
    /// # Errors
    /// Neighbours that are not areas, or not neighbours in turn.
    pub fn with_mixing(
        name: impl Into<String>,
        neighbours: &[Vec<usize>],
        mixing: HyperparameterPrior,
    ) -> Result<Self, Error> {
        let n = neighbours.len();
        let field = GaussianMarkovField::besag(neighbours, 1.0)?;
        let constraints = field
            .identifying_rows()
            .row_iter()
            .map(|row| row.iter().enumerate().filter(|(_, x)| **x != 0.0).map(|(i, x)| (n + i, *x)).collect())
            .collect();
        let ln_determinant = 2.0 * field.ln_pdf(field.mean().as_slice()) + field.rank() as f64 * LN_TAU;
        let structure = field.precision().clone();
        let deviation = HyperparameterPrior::deviation_above(1.0, 0.01)?;
        Ok(Self { name: name.into(), structure, constraints, ln_determinant, deviation, mixing })
    }
}

/// The eigenvalues of the covariance of the scaled field: what [`HyperparameterPrior::mixing_below`] is
/// given.
///
/// # Errors
/// Neighbours that are not areas, or not neighbours in turn; eigenvalues that do not converge.
fn structured_variances(neighbours: &[Vec<usize>]) -> Result<Vec<f64>, Error> {
    let field = GaussianMarkovField::besag(neighbours, 1.0)?;
    let eigen = SymmetricEigen::new(&field.precision().to_dense())?;
    let zero = ZERO * eigen.values().amax();
    Ok(eigen.values().iter().map(|value| if *value > zero { value.recip() } else { 0.0 }).collect())
}

impl LatentEffect for Bym2 {
    fn name(&self) -> &str {
        &self.name
    }

    fn size(&self) -> usize {
        2 * self.structure.size()
    }

    fn hyperparameters(&self) -> Vec<Hyperparameter> {
        let own = |what, scale, prior| Hyperparameter::of_effect(what, &self.name, scale, 0.5, prior);
        vec![own("sd", HyperScale::Positive, &self.deviation), own("phi", HyperScale::Unit, &self.mixing)]
    }

    fn conditional(&self) -> Range<usize> {
        0..self.structure.size()
    }

    fn pattern(&self) -> Vec<(usize, usize)> {
        let n = self.structure.size();
        let effects = (0..n).flat_map(|i| [(i, i), (n + i, i)]);
        effects.chain(self.structure.triplets().map(|(i, j, _)| (n + i, n + j))).collect()
    }

    fn precision(&self, parameters: &[f64]) -> Result<EffectPrecision, Error> {
        let (sd, phi) = (parameters[0], parameters[1]);
        let most = 1.0 - LEAST;
        let (is_inside, phi) = (phi < most, phi.min(most));
        let (n, rest) = (self.structure.size(), 1.0 - phi);
        let root = phi.sqrt();
        let noise = (sd * sd * rest).recip();
        let mixed = -root / (sd * rest);
        let mixed_slope = -(0.5 / root + root / rest) / (sd * rest);
        let entries = |noise: f64, mixed: f64, shared: f64, structure: f64| -> Vec<f64> {
            let effects = (0..n).flat_map(|_| [noise, mixed]);
            let field = self
                .structure
                .triplets()
                .map(|(i, j, value)| structure * value + if i == j { shared } else { 0.0 });
            effects.chain(field).collect()
        };
        let count = n as f64;
        let by_phi = if is_inside {
            (entries(noise / rest, mixed_slope, rest.powi(-2), 0.0), count / rest)
        } else {
            (entries(0.0, 0.0, 0.0, 0.0), 0.0)
        };
        Ok(EffectPrecision {
            values: entries(noise, mixed, phi / rest, 1.0),
            ln_determinant: self.ln_determinant + count * noise.ln(),
            derivatives: vec![(entries(-2.0 * noise / sd, -mixed / sd, 0.0, 0.0), -2.0 * count / sd), by_phi],
        })
    }

    fn constraints(&self) -> Vec<Vec<(usize, f64)>> {
        self.constraints.clone()
    }

    fn labels(&self) -> Vec<String> {
        let n = self.structure.size();
        let label = |what: &'static str| (1..=n).map(move |index| format!("{index}{what}"));
        label("").chain(label(" structured")).collect()
    }
}
