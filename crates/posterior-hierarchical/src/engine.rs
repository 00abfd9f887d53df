//! What is the same at all hyperparameters.

use std::ops::Range;
use std::sync::Arc;

use posterior_math::sparse::SparseMatrix;
use posterior_math::special::LN_TAU;

use crate::Error;
use crate::assembly::Assembly;
use crate::effect::EffectPrecision;
use crate::factor::Constraints;
use crate::hyperparameter::{HyperScale, Hyperparameter};
use crate::model::{Column, HierarchicalModel};
use crate::prior::HyperparameterPrior;
use crate::rows::{Rows, Seen};

/// A model with its layout. The latent vector holds the effects one after another and then the fixed effects,
/// unless these are maximised over: then they stand behind the hyperparameters.
#[derive(Debug)]
pub(crate) struct Engine<'m> {
    pub(crate) model: &'m HierarchicalModel,
    /// What rows see of the latent vector, copies with a factor of 1.
    pub(crate) rows: Arc<Rows>,
    /// X, where its coefficients are maximised over.
    pub(crate) outer: Option<Rows>,
    pub(crate) assembly: Assembly,
    pub(crate) constraints: Constraints,
    /// All coordinates that are searched over.
    pub(crate) hyperparameters: Vec<Hyperparameter>,
    pub(crate) of_response: usize,
    /// The hyperparameters of each effect.
    pub(crate) of_effects: Vec<Range<usize>>,
    /// The factors of copies.
    pub(crate) of_copies: Range<usize>,
    /// The places of each effect in the latent vector, and of the fixed effects there.
    pub(crate) places: Vec<Range<usize>>,
    pub(crate) fixed: Range<usize>,
    /// ½ ln 2π for each flat direction, and ½ ln of the precisions of the other fixed effects.
    pub(crate) constant: f64,
    pub(crate) with_priors: bool,
}

impl<'m> Engine<'m> {
    pub(crate) fn new(
        model: &'m HierarchicalModel,
        maximized: bool,
        with_priors: bool,
    ) -> Result<Self, Error> {
        model.check()?;
        let design = design(model.rows(), &model.columns)?;
        let mut factor = 0..;
        let mut seen: Vec<Vec<Seen<'_>>> = Vec::with_capacity(model.effects.len() + 1);
        for placed in &model.effects {
            let copies = placed.copies.iter().map(|copy| (&copy.rows, factor.next()));
            seen.push(std::iter::once((&placed.rows, None)).chain(copies).collect());
        }
        if !maximized {
            seen.push(vec![(&design, None)]);
        }
        let rows = Rows::beside(model.rows(), seen)?;
        let (mut places, mut of_effects) = (Vec::new(), Vec::new());
        let (mut blocks, mut constraints) = (Vec::new(), Vec::new());
        let mut hyperparameters = model.hyperparameters();
        let of_response = model.response_hyperparameters().len();
        let mut own = of_response;
        let mut begin = 0;
        for placed in &model.effects {
            let effect = &placed.effect;
            of_effects.push(own..own + placed.hyperparameters.len());
            own += placed.hyperparameters.len();
            let shifted = effect.pattern().into_iter().map(|(i, j)| (begin + i, begin + j));
            blocks.push(shifted.collect::<Vec<_>>());
            let shift = |row: Vec<(usize, f64)>| row.into_iter().map(|(i, x)| (begin + i, x)).collect();
            constraints.extend(effect.constraints().into_iter().map(shift));
            places.push(begin..begin + effect.size());
            begin += effect.size();
        }
        let of_copies = own..hyperparameters.len();
        let fixed = begin..rows.width();
        blocks.push(fixed.clone().map(|i| (i, i)).collect());
        if maximized {
            hyperparameters.extend(model.columns.iter().map(coefficient));
        }
        let proper = |column: &Column| if column.precision > 0.0 { column.precision.ln() } else { LN_TAU };
        let constant = if maximized { 0.0 } else { 0.5 * model.columns.iter().map(proper).sum::<f64>() };
        let base =
            (0..model.rows()).map(|row| if model.is_seen(row) { model.weights[row] } else { 0.0 }).collect();
        let assembly = Assembly::new(&rows, &blocks, base, order(model, &places, rows.width()))?;
        let constraints = Constraints::new(constraints, rows.width())?;
        let outer = maximized.then(|| Rows::beside(model.rows(), [vec![(&design, None)]])).transpose()?;
        Ok(Self {
            model,
            rows: Arc::new(rows),
            outer,
            assembly,
            constraints,
            hyperparameters,
            of_response,
            of_effects,
            of_copies,
            places,
            fixed,
            constant,
            with_priors,
        })
    }

    /// The natural values of a point of the search.
    pub(crate) fn natural(&self, theta: &[f64]) -> Vec<f64> {
        self.hyperparameters.iter().zip(theta).map(|(own, &t)| own.scale.natural(t)).collect()
    }

    /// A point as a text for errors.
    pub(crate) fn written(&self, theta: &[f64]) -> String {
        let natural = self.natural(theta);
        let parts = self
            .hyperparameters
            .iter()
            .zip(&natural)
            .map(|(own, value)| format!("{} = {value:.4}", own.name));
        let parts: Vec<String> = parts.collect();
        if parts.is_empty() { "no hyperparameters".to_owned() } else { parts.join(", ") }
    }

    /// The precisions of all effects.
    pub(crate) fn precisions(&self, natural: &[f64]) -> Result<Vec<EffectPrecision>, Error> {
        let effects = self.model.effects.iter().zip(&self.of_effects);
        effects.map(|(placed, range)| placed.effect.precision(&natural[range.clone()])).collect()
    }

    /// The stored entries of the prior precision of the latent vector.
    pub(crate) fn prior_values(&self, precisions: &[EffectPrecision]) -> Vec<f64> {
        let fixed: Vec<f64> = if self.outer.is_some() {
            Vec::new()
        } else {
            self.model.columns.iter().map(|column| column.precision).collect()
        };
        let blocks = precisions.iter().map(|precision| precision.values.as_slice());
        self.assembly.prior(blocks.chain([fixed.as_slice()]))
    }

    /// What of the predictors does not depend on the latent vector.
    pub(crate) fn offset(&self, theta: &[f64]) -> Vec<f64> {
        let mut offset = self.model.offset.clone();
        if let Some(outer) = &self.outer {
            let coefficients = &theta[theta.len() - outer.width()..];
            offset.iter_mut().zip(outer.times(coefficients)).for_each(|(own, more)| *own += more);
        }
        offset
    }
}

/// The order of elimination of the largest effect that has one, with all others behind it.
fn order(model: &HierarchicalModel, places: &[Range<usize>], size: usize) -> Option<Vec<usize>> {
    let effects = model
        .effects
        .iter()
        .zip(places)
        .max_by_key(|(placed, places)| if placed.effect.order().is_some() { places.len() } else { 0 });
    let (placed, own) = effects?;
    let order = placed.effect.order()?;
    let others = (0..size).filter(|place| !own.contains(place));
    Some(order.into_iter().map(|place| own.start + place).chain(others).collect())
}

/// X as a sparse matrix.
fn design(rows: usize, columns: &[Column]) -> Result<SparseMatrix, Error> {
    let entries = columns
        .iter()
        .enumerate()
        .flat_map(|(j, column)| column.values.iter().enumerate().map(move |(row, &value)| (row, j, value)));
    Ok(SparseMatrix::from_triplets(rows, columns.len(), entries)?)
}

/// A fixed effect as one of the coordinates of the search.
fn coefficient(column: &Column) -> Hyperparameter {
    Hyperparameter {
        name: column.name.clone(),
        scale: HyperScale::Real,
        start: 0.0,
        prior: HyperparameterPrior::flat(),
    }
}
