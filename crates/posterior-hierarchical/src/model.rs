//! The model: responses, fixed effects, latent effects.

use std::sync::Arc;

use posterior_math::check;
use posterior_math::linalg::{Cholesky, DMatrix};

use crate::Error;
use crate::effect::PlacedEffect;
use crate::hyperparameter::Hyperparameter;
use crate::part::ResponsePart;
use crate::prior::HyperparameterPrior;
use crate::response::Response;

/// A latent Gaussian model: yᵢ ~ response(ηᵢ), η = offset + X β + Σₖ Aₖ uₖ, where β are fixed effects with
/// flat or normal priors, and uₖ latent effects.
///
/// ```
/// use posterior_hierarchical::{FamilyResponse, FieldEffect, HierarchicalOptions, HierarchicalModel,
/// PlaceEffect as _};
///
/// // counts ~ 1 + dose + (1 | ward)
/// let counts = [2.0, 3.0, 0.0, 1.0, 5.0, 8.0];
/// let dose = [0.0, 1.0, 0.0, 1.0, 0.0, 1.0];
/// let ward = [0, 0, 1, 1, 2, 2];
/// let model = HierarchicalModel::new(FamilyResponse::poisson(), &counts)?
///     .intercept()?
///     .column("dose", &dose)?
///     .effect(FieldEffect::groups("ward", 3)?.at(&ward)?)?;
/// let fit = model.fit(&HierarchicalOptions::default())?;
/// assert!(fit.fixed("dose")?.mean() > 0.0);
/// assert!(fit.hyperparameter("sd(ward)")?.mean() > 0.3);
/// # Ok::<(), posterior_hierarchical::Error>(())
/// ```
#[derive(Debug)]
pub struct HierarchicalModel {
    /// The kinds of responses, each with its rows.
    pub(crate) parts: Vec<ResponsePart>,
    /// NaN where a response is missing.
    pub(crate) y: Vec<f64>,
    pub(crate) weights: Vec<f64>,
    pub(crate) offset: Vec<f64>,
    pub(crate) columns: Vec<Column>,
    pub(crate) effects: Vec<PlacedEffect>,
    /// Priors in place of those of responses and effects, by names.
    pub(crate) priors: Vec<(String, HyperparameterPrior)>,
}

/// A column of the fixed effects.
#[derive(Debug, Clone)]
pub(crate) struct Column {
    pub(crate) name: String,
    pub(crate) values: Vec<f64>,
    /// 0 for a flat prior.
    pub(crate) precision: f64,
}

/// A pivot below this part of its diagonal entry is that of a combination of other columns.
const COLLINEAR: f64 = 1e-10;

impl HierarchicalModel {
    /// A model of these responses, all of them known.
    ///
    /// # Errors
    /// No response, or one that can't be.
    pub fn new(response: impl Response + 'static, y: &[f64]) -> Result<Self, Error> {
        if let Some(row) = y.iter().position(|y| y.is_nan()) {
            let requirement = "a number; HierarchicalModel::with_missing predicts what is missing";
            return Err(Error::Observation { what: "the response".into(), row, value: y[row], requirement });
        }
        Self::with_missing(response, y)
    }

    /// A model of these responses, of which those that are NaN are missing: their rows are predicted.
    ///
    /// # Errors
    /// No response, or one that can't be.
    pub fn with_missing(response: impl Response + 'static, y: &[f64]) -> Result<Self, Error> {
        check::enough("responses", 1, y.len())?;
        for (row, &value) in y.iter().enumerate().filter(|(_, y)| !y.is_nan()) {
            if let Some(requirement) = response.requirement(value) {
                return Err(Error::Observation { what: "the response".into(), row, value, requirement });
            }
        }
        Ok(Self {
            parts: vec![ResponsePart::first(Arc::new(response), y.len())],
            y: y.to_vec(),
            weights: vec![1.0; y.len()],
            offset: vec![0.0; y.len()],
            columns: Vec::new(),
            effects: Vec::new(),
            priors: Vec::new(),
        })
    }

    /// With a weight of each row; see the response for what it means. Rows of weight 0 are as missing ones.
    ///
    /// # Errors
    /// Other than one finite number for each row, none negative.
    pub fn weights(self, weights: &[f64]) -> Result<Self, Error> {
        self.fits(
            "a weight",
            weights,
            |weight| weight >= 0.0 && weight.is_finite(),
            "not negative, and finite",
        )?;
        Ok(Self { weights: weights.to_vec(), ..self })
    }

    /// With a known part of each predictor, as the logarithm of an exposure.
    ///
    /// # Errors
    /// Other than one finite number for each row.
    pub fn offset(self, offset: &[f64]) -> Result<Self, Error> {
        self.fits("an offset", offset, f64::is_finite, "finite")?;
        Ok(Self { offset: offset.to_vec(), ..self })
    }

    /// With a fixed effect that is the same in all rows, with a flat prior.
    ///
    /// # Errors
    /// As [`column`](Self::column).
    pub fn intercept(self) -> Result<Self, Error> {
        let ones = vec![1.0; self.rows()];
        self.column("intercept", &ones)
    }

    /// With a column whose coefficient has a flat prior.
    ///
    /// # Errors
    /// Other than one finite number for each row; a name that is there; a combination of the columns before.
    pub fn column(self, name: impl Into<String>, values: &[f64]) -> Result<Self, Error> {
        self.with_precision(name.into(), values, 0.0)
    }

    /// With a column whose coefficient is normal with mean zero and this standard deviation.
    ///
    /// # Errors
    /// Other than one finite number for each row; a name that is there; a standard deviation that is not
    /// positive and finite.
    pub fn column_with_sd(self, name: impl Into<String>, values: &[f64], sd: f64) -> Result<Self, Error> {
        check::positive("HierarchicalModel", "sd", sd)?;
        self.with_precision(name.into(), values, (sd * sd).recip())
    }

    fn with_precision(mut self, name: String, values: &[f64], precision: f64) -> Result<Self, Error> {
        self.fits(&format!("column {name}"), values, f64::is_finite, "finite")?;
        if self.columns.iter().any(|column| column.name == name) {
            return Err(Error::RepeatedName { name });
        }
        self.columns.push(Column { name, values: values.to_vec(), precision });
        Ok(self)
    }

    /// With a latent effect.
    ///
    /// # Errors
    /// An effect that was placed for another number of rows, or has the name of another one.
    pub fn effect(mut self, placed: PlacedEffect) -> Result<Self, Error> {
        check::dimension("rows of an effect", self.rows(), placed.rows.rows())?;
        let name = placed.effect.name();
        if self.effects.iter().any(|own| own.effect.name() == name) {
            return Err(Error::RepeatedName { name: name.to_owned() });
        }
        self.effects.push(placed);
        Ok(self)
    }

    /// With another prior of the hyperparameter with this name: of a response, an effect or a copy.
    ///
    /// # Errors
    /// No such hyperparameter.
    pub fn with_prior(mut self, hyperparameter: &str, prior: HyperparameterPrior) -> Result<Self, Error> {
        let known = self.hyperparameters();
        if !known.iter().any(|own| own.name == hyperparameter) {
            let names = known.iter().map(|own| own.name.as_str());
            return Err(Error::unknown("hyperparameter", hyperparameter, names));
        }
        self.priors.push((hyperparameter.to_owned(), prior));
        Ok(self)
    }

    /// All hyperparameters with their priors: those of the responses, of the effects, and factors of copies.
    pub fn hyperparameters(&self) -> Vec<Hyperparameter> {
        let effects = self.effects.iter().flat_map(|placed| placed.hyperparameters.clone());
        let copies = self.effects.iter().flat_map(|placed| &placed.copies).map(|copy| copy.factor.clone());
        let mut all: Vec<Hyperparameter> =
            self.response_hyperparameters().into_iter().chain(effects).chain(copies).collect();
        for (name, prior) in &self.priors {
            all.iter_mut().filter(|own| own.name == *name).for_each(|own| own.prior = prior.clone());
        }
        all
    }

    /// The number of rows.
    pub const fn rows(&self) -> usize {
        self.y.len()
    }

    /// Whether a row has a response that counts.
    pub(crate) fn is_seen(&self, row: usize) -> bool {
        self.weights[row] > 0.0 && !self.y[row].is_nan()
    }

    fn fits(
        &self,
        what: &str,
        numbers: &[f64],
        allowed: impl Fn(f64) -> bool,
        requirement: &'static str,
    ) -> Result<(), Error> {
        if numbers.len() != self.rows() {
            return Err(check::DimensionError::new("numbers of a column", self.rows(), numbers.len()).into());
        }
        match numbers.iter().position(|number| !allowed(*number)) {
            None => Ok(()),
            Some(row) => {
                Err(Error::Observation { what: what.to_owned(), row, value: numbers[row], requirement })
            }
        }
    }

    /// Refuses a model without rows, and columns with flat priors of which one is a combination of others.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let mut names: Vec<String> = self.hyperparameters().into_iter().map(|own| own.name).collect();
        names.sort_unstable();
        if let Some(same) = names.windows(2).find(|own| own[0] == own[1]) {
            return Err(Error::RepeatedName { name: same[0].clone() });
        }
        let seen: Vec<usize> = (0..self.rows()).filter(|&row| self.is_seen(row)).collect();
        if seen.is_empty() {
            return Err(Error::NoRows);
        }
        let size = |column: &Column| seen.iter().map(|&row| column.values[row].powi(2)).sum::<f64>().sqrt();
        let flat: Vec<&Column> = self.columns.iter().filter(|column| column.precision == 0.0).collect();
        let mut sizes = Vec::with_capacity(flat.len());
        for column in &flat {
            let size = size(column);
            if size == 0.0 {
                return Err(Error::Collinear { column: column.name.clone() });
            }
            sizes.push(size);
        }
        let gram = DMatrix::from_fn(flat.len(), flat.len(), |i, j| {
            let product: f64 = seen.iter().map(|&row| flat[i].values[row] * flat[j].values[row]).sum();
            product / (sizes[i] * sizes[j])
        });
        match Cholesky::decompose(gram) {
            Ok(factor) => {
                let lower = factor.into_factor();
                let small = (0..flat.len()).find(|&j| lower[(j, j)] * lower[(j, j)] < COLLINEAR);
                small.map_or(Ok(()), |j| Err(Error::Collinear { column: flat[j].name.clone() }))
            }
            Err(posterior_math::linalg::MatrixError::NotPositiveDefinite { pivot, .. }) => {
                Err(Error::Collinear { column: flat[pivot].name.clone() })
            }
            Err(error) => Err(error.into()),
        }
    }
}
