//! Models by formulas: `y ~ x + (1 + x | school) + rw1(year)`.

mod areas;
mod grid;
mod layout;
mod reading;
mod space;
mod steps;

pub use areas::AreaMap;
pub use grid::EffectGrid;

use posterior_dist::text::TextError;
use posterior_math::check;
use posterior_math::linalg::DMatrix;
use posterior_math::sparse::SparseMatrix;
use posterior_regression::formula::{FormulaData, FormulaMap, ModelFormula};

use self::layout::Layout;
use crate::Error;
use crate::model::HierarchicalModel;
use crate::predict::NewRows;
use crate::prior::HyperparameterPrior;
use crate::response::Response;

/// The prior standard deviation of the coefficient of a column with errors, unless one is given.
const WIDE: f64 = 10.0;

/// What a formula says beside its text.
#[derive(Debug, Clone)]
pub struct FormulaSettings {
    /// The map of `car` and `bym2`. None by default.
    pub areas: Option<AreaMap>,
    /// The size of the responses on the scale of the predictor, 1 by default: the prior of each standard
    /// deviation is exponential with this mean, over the standard deviation of the column for slopes.
    pub scale: f64,
    /// The prior standard deviation of coefficients, per standard deviation of their column and in units of
    /// the scale; that of the intercept stays flat. None by default: flat.
    pub coefficient_sd: Option<f64>,
    /// Other priors, by the names of hyperparameters.
    pub priors: Vec<(String, HyperparameterPrior)>,
    /// Whether there is an intercept, if the formula has one: true by default, false for levels in an order,
    /// whose thresholds are in its place.
    pub intercept: bool,
}

impl FormulaSettings {
    /// With the standard deviation of numbers as the scale, for responses that are on that of the predictor;
    /// 1 if they are all the same.
    pub fn of_numbers(y: &[f64]) -> Self {
        let sd = deviation(y);
        Self { scale: if sd > 0.0 && sd.is_finite() { sd } else { 1.0 }, ..Self::default() }
    }
}

impl Default for FormulaSettings {
    fn default() -> Self {
        Self { areas: None, scale: 1.0, coefficient_sd: None, priors: Vec::new(), intercept: true }
    }
}

/// A formula with effects, and what it learned of tables: levels, groups, times, places.
///
/// ```
/// use posterior_hierarchical::{FamilyResponse, FormulaSettings, HierarchicalFormula, HierarchicalOptions};
/// use posterior_regression::formula::FormulaData;
///
/// let seen = FormulaData::new(6)
///     .with_numbers("dose", vec![0.0, 1.0, 0.0, 1.0, 0.0, 1.0])?
///     .with_labels("ward", &["a", "a", "b", "b", "c", "c"])?;
/// let new = FormulaData::new(1).with_numbers("dose", vec![1.0])?.with_labels("ward", &["d"])?;
///
/// let formula = "count ~ dose + (1 | ward)".parse()?;
/// let learned = HierarchicalFormula::learn(&formula, &seen, &[&new], &FormulaSettings::default())?;
/// let counts = [2.0, 3.0, 0.0, 1.0, 5.0, 8.0];
/// let model = learned.model(FamilyResponse::poisson(), &counts, &seen)?;
/// let fit = model.fit(&HierarchicalOptions::default())?;
///
/// // Nothing was seen of ward d: what is not known of its mean is what wards differ by, and more.
/// let [rate] = &fit.predict(&learned.new_rows(&new)?)?[..] else { panic!("one row") };
/// assert!(rate.sd() > fit.hyperparameter("sd(ward)")?.mean());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct HierarchicalFormula {
    fixed: FormulaMap,
    /// Lines of curves that are not among the fixed effects: the name, the effect, and the place there.
    lines: Vec<(String, usize, usize)>,
    effects: Vec<Layout>,
    /// The standard deviation of each column; 0 if it is constant.
    spreads: Vec<f64>,
    settings: FormulaSettings,
}

/// An effect of a formula.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct FormulaEffect {
    /// The name in a fit.
    pub name: String,
    /// The term that it is of.
    pub term: String,
    /// The coefficients that each group has, one value after another, if they are correlated. Else empty.
    pub columns: Vec<String>,
    /// The names of groups, times, areas; of `bym2` the structured parts come after the areas.
    pub labels: Vec<String>,
    /// Where each value is, on a line or in a plane. None for groups and areas.
    pub places: Option<Vec<Vec<f64>>>,
}

impl HierarchicalFormula {
    /// The terms for a table. Levels, knots and polynomials of fixed effects are those of its rows; `also`
    /// are tables of rows to predict, whose groups, times and places have values of the effects, too.
    ///
    /// # Errors
    /// A column that is not there or does not go with its term; times that are not equal steps apart; an area
    /// that is not on the map. They name the place in the formula.
    pub fn learn(
        formula: &ModelFormula,
        data: &FormulaData,
        also: &[&FormulaData],
        settings: &FormulaSettings,
    ) -> Result<Self, Error> {
        check::positive("FormulaSettings", "scale", settings.scale)?;
        let fixed = formula.learn_fixed(data)?;
        let mut effects = Vec::with_capacity(formula.effects().len());
        let (mut lines, mut names) = (Vec::<(String, usize, usize)>::new(), Vec::new());
        for term in formula.effects() {
            let layout = Layout::learn(term, data, also, settings)?;
            for name in layout.names() {
                if names.contains(&name) {
                    let message = format!("`{name}` is there twice");
                    return Err(TextError::new(term.place(), message).into());
                }
                names.push(name);
            }
            for (place, name) in layout.lines().into_iter().enumerate() {
                if !fixed.columns().contains(&name) && !lines.iter().any(|(known, ..)| *known == name) {
                    lines.push((name, effects.len(), place));
                }
            }
            effects.push(layout);
        }
        let own = Self { fixed, lines, effects, spreads: Vec::new(), settings: settings.clone() };
        let spreads = own.design(data)?.column_iter().map(|column| deviation(column.as_slice())).collect();
        Ok(Self { spreads, ..own })
    }

    /// The fixed effects.
    pub const fn fixed(&self) -> &FormulaMap {
        &self.fixed
    }

    /// The names of the coefficients: of the fixed effects, and of the lines of curves.
    pub fn columns(&self) -> Vec<String> {
        let fixed = &self.fixed.columns()[self.left_out()..];
        fixed.iter().chain(self.lines.iter().map(|(name, ..)| name)).cloned().collect()
    }

    /// The effects.
    pub fn effects(&self) -> Vec<FormulaEffect> {
        self.effects.iter().flat_map(Layout::described).collect()
    }

    /// The model of these responses; NaN where one is missing. Offsets of the formula are part of it.
    ///
    /// # Errors
    /// As [`HierarchicalModel::with_missing`]; a prior by the name of a hyperparameter that there is not.
    pub fn model(
        &self,
        response: impl Response + 'static,
        y: &[f64],
        data: &FormulaData,
    ) -> Result<HierarchicalModel, Error> {
        let mut model = HierarchicalModel::with_missing(response, y)?;
        let design = self.design(data)?;
        for ((name, spread), column) in
            self.columns().into_iter().zip(&self.spreads).zip(design.column_iter())
        {
            let prior = self.settings.coefficient_sd.filter(|_| *spread > 0.0);
            model = match prior {
                Some(sd) => {
                    model.column_with_sd(name, column.as_slice(), sd * self.settings.scale / spread)?
                }
                None => model.column(name, column.as_slice())?,
            };
        }
        if let Some(offset) = self.fixed.offset(data)? {
            model = model.offset(&offset)?;
        }
        for layout in &self.effects {
            for placed in layout.placed(data, &self.settings)? {
                model = model.effect(placed)?;
            }
        }
        for layout in &self.effects {
            if let Some((name, values, errors)) = layout.measured(data)? {
                let sd = self.settings.coefficient_sd.unwrap_or(WIDE) * self.settings.scale;
                model = model.measured_column(&name, &values, &errors, sd / deviation(&values))?;
            }
        }
        for (name, prior) in &self.settings.priors {
            model = model.with_prior(name, prior.clone())?;
        }
        Ok(model)
    }

    /// The columns that were measured with errors, by `measured(x, …)`: each is an effect of the model, and
    /// has the coefficient `coefficient(x)` among the hyperparameters.
    pub fn measured(&self) -> Vec<String> {
        self.effects.iter().filter_map(Layout::measured_name).collect()
    }

    /// Rows to predict, of a table that the formula learned from.
    ///
    /// # Errors
    /// A column that is not there; a level, a group, a time or a place that was not learned; a column that
    /// was measured with errors, whose new values a model has only among its own rows, without a response.
    pub fn new_rows(&self, data: &FormulaData) -> Result<NewRows, Error> {
        if let Some(name) = self.measured().first() {
            let message = format!("measured({name}): rows to predict go into the model, without a response");
            return Err(TextError::new(1, message).into());
        }
        let design = self.design(data)?;
        let mut rows = NewRows::new(data.rows());
        for (name, column) in self.columns().into_iter().zip(design.column_iter()) {
            rows = rows.column(name, column.as_slice());
        }
        if let Some(offset) = self.fixed.offset(data)? {
            rows = rows.offset(&offset);
        }
        for layout in &self.effects {
            for (name, seen) in layout.names().into_iter().zip(layout.rows(data)?) {
                rows = rows.through(name, &seen.triplets().collect::<Vec<_>>());
            }
        }
        Ok(rows)
    }

    /// How many columns are left out: the intercept, the first one, or none.
    fn left_out(&self) -> usize {
        let has = self.fixed.columns().first().is_some_and(|name| name == "(Intercept)");
        usize::from(has && !self.settings.intercept)
    }

    /// The fixed effects' columns and the lines.
    fn design(&self, data: &FormulaData) -> Result<DMatrix<f64>, Error> {
        let mut design = self.fixed.design(data)?.remove_columns(0, self.left_out());
        for (_, effect, place) in &self.lines {
            let at = design.ncols();
            let layout = &self.effects[*effect];
            let lines = layout.positions(&layout.inputs(data)?.unwrap_or_default());
            design = design.insert_column(at, 0.0);
            design.column_mut(at).copy_from_slice(&lines[*place]);
        }
        Ok(design)
    }
}

/// The standard deviation of a column; 0 if it is constant.
pub(crate) fn deviation(values: &[f64]) -> f64 {
    let mut moments = posterior_math::streaming::MeanVariance::new();
    for value in values {
        moments.push(*value);
    }
    let sd = moments.variance().sqrt();
    if sd > 0.0 { sd } else { 0.0 }
}

/// A sparse matrix of one entry in each row.
fn one_each(places: &[usize], size: usize) -> Result<SparseMatrix, Error> {
    let entries = places.iter().enumerate().map(|(row, &place)| (row, place, 1.0));
    Ok(SparseMatrix::from_triplets(places.len(), size, entries)?)
}
