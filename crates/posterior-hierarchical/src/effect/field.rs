//! Effects u = σ z with one standard deviation σ, where z is a known field.

use posterior_dist::Density as _;
use posterior_gaussian::GaussianMarkovField;
use posterior_math::check;
use posterior_math::sparse::{Ordering, SparseSymmetric};
use posterior_math::special::LN_TAU;

use super::{EffectPrecision, LatentEffect};
use crate::Error;
use crate::hyperparameter::{HyperScale, Hyperparameter};
use crate::prior::HyperparameterPrior;

/// An effect u = σ z, where z is a field that is known: groups, random walks, a map, any
/// [`GaussianMarkovField`] of mean zero.
///
/// The prior of σ is P(σ > 1) = 0.01 unless [another one](super::PlacedEffect::with_prior) is given.
#[derive(Debug, Clone)]
pub struct FieldEffect {
    name: String,
    structure: SparseSymmetric,
    constraints: Vec<Vec<(usize, f64)>>,
    /// ln |Q| and the rank, both on the subspace of the constraints.
    ln_determinant: f64,
    rank: usize,
    prior: HyperparameterPrior,
}

impl FieldEffect {
    /// Independent values with the standard deviation σ, one for each of `count` groups.
    ///
    /// # Errors
    /// No group.
    pub fn groups(name: impl Into<String>, count: usize) -> Result<Self, Error> {
        check::at_least_one("FieldEffect", "groups", count)?;
        let structure = SparseSymmetric::from_diagonal(&vec![1.0; count])?;
        Self::of_field(name, &GaussianMarkovField::new(&vec![0.0; count], structure, &Ordering::Natural)?)
    }

    /// A random walk at `points` equal steps of time, whose steps have the standard deviation σ; the values
    /// add up to zero.
    ///
    /// # Errors
    /// Fewer than 2 points.
    pub fn random_walk(name: impl Into<String>, points: usize) -> Result<Self, Error> {
        Self::of_field(name, &GaussianMarkovField::random_walk(points, 1.0)?)
    }

    /// A smooth curve at `points` equal steps: second differences have the standard deviation σ. Values and
    /// their products with time add up to zero, so that a line is for the fixed effects.
    ///
    /// # Errors
    /// Fewer than 3 points.
    pub fn second_order_random_walk(name: impl Into<String>, points: usize) -> Result<Self, Error> {
        Self::of_field(name, &GaussianMarkovField::second_order_random_walk(points, 1.0)?)
    }

    /// Besag's field on a map, given by the neighbours of each area, scaled so that σ is a typical standard
    /// deviation; the values of each connected part add up to zero. See [`GaussianMarkovField::besag`].
    ///
    /// # Errors
    /// Neighbours that are not areas, or not neighbours in turn.
    pub fn besag(name: impl Into<String>, neighbours: &[Vec<usize>]) -> Result<Self, Error> {
        Self::of_field(name, &GaussianMarkovField::besag(neighbours, 1.0)?)
    }

    /// Any field of mean zero, as what σ multiplies. An intrinsic field keeps the rows that decide along its
    /// null space as constraints.
    ///
    /// # Errors
    /// A mean that is not zero, or constraints beside those of an intrinsic field.
    pub fn of_field(name: impl Into<String>, field: &GaussianMarkovField) -> Result<Self, Error> {
        let largest = field.mean().amax();
        check::require(largest == 0.0, "FieldEffect", "mean", largest, "zero: the fixed effects are for it")?;
        let identify = field.identifying_rows();
        let extra = field.dimension() - identify.nrows() - field.rank();
        check::require(
            extra == 0,
            "FieldEffect",
            "constraints",
            extra as f64,
            "those of an intrinsic field only",
        )?;
        let constraints = identify
            .row_iter()
            .map(|row| row.iter().copied().enumerate().filter(|(_, entry)| *entry != 0.0).collect())
            .collect();
        let rank = field.rank();
        let ln_determinant = 2.0 * field.ln_pdf(field.mean().as_slice()) + rank as f64 * LN_TAU;
        Ok(Self {
            name: name.into(),
            structure: field.precision().clone(),
            constraints,
            ln_determinant,
            rank,
            prior: HyperparameterPrior::deviation_above(1.0, 0.01)?,
        })
    }
}

impl LatentEffect for FieldEffect {
    fn name(&self) -> &str {
        &self.name
    }

    fn size(&self) -> usize {
        self.structure.size()
    }

    fn hyperparameters(&self) -> Vec<Hyperparameter> {
        vec![Hyperparameter::of_effect("sd", &self.name, HyperScale::Positive, 0.5, &self.prior)]
    }

    fn deviations(&self) -> Vec<Option<usize>> {
        vec![Some(0); self.size()]
    }

    fn pattern(&self) -> Vec<(usize, usize)> {
        self.structure.triplets().map(|(i, j, _)| (i, j)).collect()
    }

    fn precision(&self, parameters: &[f64]) -> Result<EffectPrecision, Error> {
        let sd = parameters[0];
        let precision = (sd * sd).recip();
        let values: Vec<f64> = self.structure.values().iter().map(|value| precision * value).collect();
        let slopes = values.iter().map(|value| -2.0 * value / sd).collect();
        let rank = self.rank as f64;
        Ok(EffectPrecision {
            values,
            ln_determinant: self.ln_determinant - 2.0 * rank * sd.ln(),
            derivatives: vec![(slopes, -2.0 * rank / sd)],
        })
    }

    fn constraints(&self) -> Vec<Vec<(usize, f64)>> {
        self.constraints.clone()
    }
}
