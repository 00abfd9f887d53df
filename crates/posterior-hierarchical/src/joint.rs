//! Several kinds of responses in one model, and copies of effects that they share.

use std::ops::Range;

use posterior_dist::Normal;
use posterior_math::check;
use posterior_math::sparse::SparseMatrix;

use crate::Error;
use crate::effect::{EffectCopy, MeasuredCovariate, PlaceEffect as _, PlacedEffect};
use crate::formula::deviation;
use crate::hyperparameter::{HyperScale, Hyperparameter};
use crate::model::HierarchicalModel;
use crate::part::ResponsePart;
use crate::prior::HyperparameterPrior;
use crate::response::{FamilyResponse, Response, ResponseTerm, TermSlopes};

/// # Several kinds of responses
/// A joint model has rows of several kinds, whose predictors share effects: a marker that is measured many
/// times and a time to an event; a covariate with errors and what depends on it.
impl HierarchicalModel {
    /// The name of the part that a model begins with.
    pub const RESPONSE: &str = ResponsePart::FIRST;

    /// With more rows behind those that are there, whose responses are of another kind; NaN where one is
    /// missing. Columns and effects that are there don't touch them, nor has any an offset; weights are 1.
    /// Hyperparameters of the response get the name of the part behind theirs: `shape(death)`.
    ///
    /// The responses that the model began with are the part [`RESPONSE`](Self::RESPONSE).
    ///
    /// ```
    /// use posterior_hierarchical::{FamilyResponse, FieldEffect, HierarchicalModel, HierarchicalOptions,
    /// PlaceEffect as _, SurvivalResponse};
    ///
    /// // A marker, twice of each of four patients, and the times at which they fell ill.
    /// let marker = [2.1, 2.3, 0.4, 0.6, 1.4, 1.1, -0.3, 0.2];
    /// let times = [3.0, 20.0, 8.0, 31.0];
    /// let model = HierarchicalModel::new(FamilyResponse::gaussian(1.0)?, &marker)?
    ///     .intercept()?
    ///     .effect(FieldEffect::groups("patient", 4)?.at(&[0, 0, 1, 1, 2, 2, 3, 3])?)?
    ///     .and("illness", SurvivalResponse::exponential(), &times)?
    ///     .column_of("illness", "ln scale", &[1.0; 4])?
    ///     .copy_of("illness", "patient", "association", &[(0, 0, 1.0), (1, 1, 1.0), (2, 2, 1.0), (3, 3, 1.0)])?;
    /// let fit = model.fit(&HierarchicalOptions::default())?;
    /// // The higher the marker, the shorter the time.
    /// assert!(fit.hyperparameter("association")?.mean() < 0.0);
    /// # Ok::<(), posterior_hierarchical::Error>(())
    /// ```
    ///
    /// # Errors
    /// No response, or one that can't be; a name that another part has.
    pub fn and(mut self, name: &str, response: impl Response + 'static, y: &[f64]) -> Result<Self, Error> {
        if self.parts.iter().any(|part| part.name == name) {
            return Err(Error::RepeatedName { name: name.to_owned() });
        }
        let more = Self::with_missing(response, y)?;
        let (rows, before) = (self.rows()..self.rows() + y.len(), self.response_hyperparameters().len());
        for part in more.parts {
            let parameters = before..before + part.parameters.len();
            self.parts.push(ResponsePart { name: name.to_owned(), rows: rows.clone(), parameters, ..part });
        }
        self.y.extend(more.y);
        self.weights.extend(more.weights);
        self.offset.extend(more.offset);
        self.columns.iter_mut().for_each(|column| column.values.resize(rows.end, 0.0));
        for placed in &mut self.effects {
            placed.rows = moved(&placed.rows, 0, rows.end)?;
            for copy in &mut placed.copies {
                copy.rows = moved(&copy.rows, 0, rows.end)?;
            }
        }
        Ok(self)
    }

    /// With a column of the fixed effects with a flat prior that only the rows of one part have.
    ///
    /// # Errors
    /// As [`column`](Self::column); a part that is not there.
    pub fn column_of(self, part: &str, name: impl Into<String>, values: &[f64]) -> Result<Self, Error> {
        let all = self.with_part(part, vec![0.0; self.rows()], values)?;
        self.column(name, &all)
    }

    /// With a known part of the predictors of one part of the rows.
    ///
    /// # Errors
    /// As [`offset`](Self::offset); a part that is not there.
    pub fn offset_of(self, part: &str, offset: &[f64]) -> Result<Self, Error> {
        let all = self.with_part(part, self.offset.clone(), offset)?;
        self.offset(&all)
    }

    /// With weights of the rows of one part.
    ///
    /// # Errors
    /// As [`weights`](Self::weights); a part that is not there.
    pub fn weights_of(self, part: &str, weights: &[f64]) -> Result<Self, Error> {
        let all = self.with_part(part, self.weights.clone(), weights)?;
        self.weights(&all)
    }

    /// With a latent effect that was placed for the rows of one part.
    ///
    /// # Errors
    /// As [`effect`](Self::effect); a part that is not there.
    pub fn effect_of(self, part: &str, mut placed: PlacedEffect) -> Result<Self, Error> {
        let rows = self.rows_of(part)?;
        check::dimension("rows of an effect", rows.len(), placed.rows.rows())?;
        placed.rows = moved(&placed.rows, rows.start, self.rows())?;
        self.effect(placed)
    }

    /// With rows of one part that see β times the values of an effect that is there: entries (row of the
    /// part, place of the effect, factor). β is the hyperparameter `name`, normal with mean 0 and standard
    /// deviation 10 unless [another prior](Self::with_prior) is given.
    ///
    /// # Errors
    /// A part or an effect that is not there; a name that another part of the model has; places that are not
    /// there.
    pub fn copy_of(
        mut self,
        part: &str,
        effect: &str,
        name: &str,
        entries: &[(usize, usize, f64)],
    ) -> Result<Self, Error> {
        let (rows, all) = (self.rows_of(part)?, self.rows());
        if self.hyperparameters().iter().any(|own| own.name == name) {
            return Err(Error::RepeatedName { name: name.to_owned() });
        }
        let placed = self.effect_named(effect)?;
        let own = SparseMatrix::from_triplets(rows.len(), placed.effect.size(), entries.iter().copied())?;
        placed.copies.push(EffectCopy::new(name, moved(&own, rows.start, all)?)?);
        Ok(self)
    }

    /// With a column that was measured with errors: `values` with normal errors of these standard
    /// deviations, NaN where one is missing. True values are N(α, σ²); they are the effect `name`, its last
    /// value is α, and the measurements are the part `name` of the rows. The coefficient of the true values
    /// is the hyperparameter `coefficient(NAME)`, normal with mean 0 and this standard deviation.
    ///
    /// Left as they are, errors of a column draw its coefficient to zero. A standard deviation of the
    /// responses needs a proper prior here: that of [`FamilyResponse::gaussian`] is flat in its logarithm,
    /// and errors of the column may explain the responses without any of their own.
    ///
    /// ```
    /// use posterior_hierarchical::{FamilyResponse, HierarchicalModel, HierarchicalOptions, HyperparameterPrior};
    ///
    /// let y: Vec<f64> = (0..40).map(|i| f64::from(i) / 20.0).collect();
    /// // y is x, of which we know one of two values, each with an error of 0.3 or so.
    /// let noisy = |(i, x): (usize, &f64)| if i % 2 == 0 { x + 0.3 * (9.0 * i as f64).sin() } else { f64::NAN };
    /// let x: Vec<f64> = y.iter().enumerate().map(noisy).collect();
    /// let noise = FamilyResponse::gaussian(0.5)?.with_prior(HyperparameterPrior::deviation_above(1.0, 0.1)?);
    /// let model = HierarchicalModel::new(noise, &y)?
    ///     .intercept()?
    ///     .measured_column("x", &x, &[0.3; 40], 10.0)?;
    /// let fit = model.fit(&HierarchicalOptions::default())?;
    /// let [low, high] = fit.hyperparameter("coefficient(x)")?.interval(0.9);
    /// assert!(low < 1.0 && high > 1.0);
    /// # Ok::<(), posterior_hierarchical::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`and`](Self::and); other than one value and one positive error for each row of the part
    /// `response`; fewer than two values.
    pub fn measured_column(
        self,
        name: &str,
        values: &[f64],
        errors: &[f64],
        coefficient_sd: f64,
    ) -> Result<Self, Error> {
        let rows = self.rows_of(Self::RESPONSE)?.len();
        check::dimension("numbers of a column", rows, values.len())?;
        check::dimension("errors of a column", rows, errors.len())?;
        check::each(errors, |error| check::positive("measured_column", "errors", error))?;
        let known: Vec<f64> = values.iter().copied().filter(|value| !value.is_nan()).collect();
        check::enough("values of a column", 2, known.len())?;
        let spread = deviation(&known);
        check::positive("measured_column", "the spread of the values", spread)?;
        let prior = HyperparameterPrior::deviation_with_mean(spread)?;
        let sd = format!("sd({name})");
        let effect = MeasuredCovariate::new(name, rows)?
            .at(&(0..rows).collect::<Vec<_>>())?
            .with_prior(&sd, prior)?
            .starting_at(&sd, spread)?;
        let precisions: Vec<f64> = errors.iter().map(|error| error.powi(-2)).collect();
        let coefficient = format!("coefficient({name})");
        let seen: Vec<(usize, usize, f64)> = (0..rows).map(|row| (row, row, 1.0)).collect();
        let mut model = self
            .and(name, FamilyResponse::gaussian_with_sd(1.0)?, values)?
            .weights_of(name, &precisions)?
            .effect_of(name, effect)?
            .copy_of(Self::RESPONSE, name, &coefficient, &seen)?
            .with_prior(&coefficient, HyperparameterPrior::density(Normal::mean_sd(0.0, coefficient_sd)?))?;
        let copies = model.effects.iter_mut().flat_map(|placed| &mut placed.copies);
        for copy in copies.filter(|copy| copy.factor.name == coefficient) {
            copy.factor.scale = HyperScale::Scaled(coefficient_sd.min(spread.recip()));
            copy.factor.start = 0.0;
        }
        Ok(model)
    }

    /// The rows of a part.
    ///
    /// # Errors
    /// A part that is not there.
    pub fn rows_of(&self, part: &str) -> Result<Range<usize>, Error> {
        let known = || self.parts.iter().map(|part| part.name.as_str());
        let found = self.parts.iter().find(|own| own.name == part);
        Ok(found.ok_or_else(|| Error::unknown("part", part, known()))?.rows.clone())
    }

    fn effect_named(&mut self, name: &str) -> Result<&mut PlacedEffect, Error> {
        let error = Error::unknown("effect", name, self.effects.iter().map(|placed| placed.effect.name()));
        self.effects.iter_mut().find(|placed| placed.effect.name() == name).ok_or(error)
    }

    /// Numbers of all rows, with these in those of a part.
    fn with_part(&self, part: &str, mut all: Vec<f64>, values: &[f64]) -> Result<Vec<f64>, Error> {
        let rows = self.rows_of(part)?;
        check::dimension("numbers of a column", rows.len(), values.len())?;
        all[rows].copy_from_slice(values);
        Ok(all)
    }

    /// The part that a row is of.
    pub(crate) fn part(&self, row: usize) -> &ResponsePart {
        &self.parts[self.parts.partition_point(|part| part.rows.end <= row)]
    }

    /// The hyperparameters of all responses.
    pub(crate) fn response_hyperparameters(&self) -> Vec<Hyperparameter> {
        self.parts.iter().flat_map(ResponsePart::hyperparameters).collect()
    }

    /// What the response of a row says about its predictor, at natural values that begin with those of the
    /// responses.
    pub(crate) fn term(&self, row: usize, predictor: f64, natural: &[f64]) -> ResponseTerm {
        let part = self.part(row);
        part.response.term(self.y[row], self.weights[row], predictor, &natural[part.parameters.clone()])
    }

    /// Its derivatives by a hyperparameter of the responses; nothing if that is of another part.
    pub(crate) fn term_slopes(
        &self,
        row: usize,
        predictor: f64,
        natural: &[f64],
        parameter: usize,
    ) -> Option<TermSlopes> {
        let part = self.part(row);
        let own = part.parameters.contains(&parameter).then(|| parameter - part.parameters.start)?;
        let natural = &natural[part.parameters.clone()];
        Some(part.response.term_slopes(self.y[row], self.weights[row], predictor, natural, own))
    }

    /// P(Y < y) and P(Y ≤ y) of a row.
    pub(crate) fn cumulative(&self, row: usize, predictor: f64, natural: &[f64]) -> [f64; 2] {
        let part = self.part(row);
        let natural = &natural[part.parameters.clone()];
        part.response.cumulative(self.y[row], self.weights[row], predictor, natural)
    }

    /// The mean of a response of the first kind at a predictor η and at the response's own hyperparameters
    /// on their natural scale, on which means of [`FamilyResponse`](crate::FamilyResponse) do not depend. See
    /// [`HierarchicalFit::response_mean`](crate::HierarchicalFit::response_mean) for that of a fit.
    pub fn mean(&self, predictor: f64, parameters: &[f64]) -> f64 {
        self.parts[0].response.mean(predictor, parameters)
    }

    /// The same of a row, at natural values that begin with those of all responses.
    pub(crate) fn mean_of_row(&self, row: usize, predictor: f64, natural: &[f64]) -> f64 {
        let part = self.part(row);
        part.response.mean(predictor, &natural[part.parameters.clone()])
    }
}

/// A matrix with its rows from a place on, of so many rows.
fn moved(rows: &SparseMatrix, start: usize, count: usize) -> Result<SparseMatrix, Error> {
    let entries = rows.triplets().map(|(row, column, value)| (start + row, column, value));
    Ok(SparseMatrix::from_triplets(count, rows.columns(), entries.collect::<Vec<_>>())?)
}
