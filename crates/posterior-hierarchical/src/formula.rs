//! Models by formulas: `y ~ x + (1 + x | school) + rw1(year)`.

mod areas;
mod layout;
mod steps;

pub use areas::AreaMap;

use posterior_dist::text::TextError;
use posterior_math::check;
use posterior_math::linalg::DMatrix;
use posterior_math::sparse::SparseMatrix;
use posterior_regression::formula::{FormulaData, FormulaMap, ModelFormula};

use self::layout::Layout;
use crate::Error;
use crate::model::HierarchicalModel;
use crate::predict::NewRows;
use crate::prior::HyperPrior;
use crate::response::Response;

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
    pub priors: Vec<(String, HyperPrior)>,
}

impl Default for FormulaSettings {
    fn default() -> Self {
        Self { areas: None, scale: 1.0, coefficient_sd: None, priors: Vec::new() }
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
    /// The line of each curve that is not among the fixed effects.
    lines: Vec<(String, usize)>,
    effects: Vec<Layout>,
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
    /// The name of each value: of a group, a time, an area.
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
        let (mut lines, mut names) = (Vec::new(), Vec::new());
        for term in formula.effects() {
            let layout = Layout::learn(term, data, also, settings)?;
            for name in layout.names() {
                if names.contains(&name) {
                    let message = format!("`{name}` is there twice");
                    return Err(TextError::new(term.place(), message).into());
                }
                names.push(name);
            }
            let line = layout.line().filter(|line| !fixed.columns().contains(line));
            lines.extend(line.map(|line| (line, effects.len())));
            effects.push(layout);
        }
        Ok(Self { fixed, lines, effects, settings: settings.clone() })
    }

    /// The fixed effects.
    pub const fn fixed(&self) -> &FormulaMap {
        &self.fixed
    }

    /// The names of the coefficients: of the fixed effects, and of the lines of curves.
    pub fn columns(&self) -> Vec<String> {
        self.fixed.columns().iter().chain(self.lines.iter().map(|(name, _)| name)).cloned().collect()
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
        for (j, name) in self.columns().into_iter().enumerate() {
            let values: Vec<f64> = design.column(j).iter().copied().collect();
            let spread = deviation(&values);
            model = match self.settings.coefficient_sd.filter(|_| spread > 0.0) {
                Some(sd) => model.column_with_sd(name, &values, sd * self.settings.scale / spread)?,
                None => model.column(name, &values)?,
            };
        }
        if let Some(offset) = self.fixed.offset(data)? {
            model = model.offset(&offset)?;
        }
        let mut known: Vec<String> =
            model.response.hyperparameters().into_iter().map(|own| own.name).collect();
        for layout in &self.effects {
            for placed in layout.placed(data, &self.settings)? {
                known.extend(placed.hyperparameters.iter().map(|own| own.name.clone()));
                model = model.effect(placed)?;
            }
        }
        match self.settings.priors.iter().find(|(name, _)| !known.contains(name)) {
            None => Ok(model),
            Some((name, _)) => {
                let (what, name, known) = ("hyperparameter", name.clone(), known.join(", "));
                Err(Error::Unknown { what, name, known })
            }
        }
    }

    /// Rows to predict, of a table that the formula learned from.
    ///
    /// # Errors
    /// A column that is not there; a level, a group, a time or a place that was not learned.
    pub fn new_rows(&self, data: &FormulaData) -> Result<NewRows, Error> {
        let design = self.design(data)?;
        let mut rows = NewRows::new(data.rows());
        for (j, name) in self.columns().into_iter().enumerate() {
            let values: Vec<f64> = design.column(j).iter().copied().collect();
            rows = rows.column(name, &values);
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

    /// The fixed effects' columns and the lines.
    fn design(&self, data: &FormulaData) -> Result<DMatrix<f64>, Error> {
        let mut design = self.fixed.design(data)?;
        for (_, effect) in &self.lines {
            let at = design.ncols();
            let line = self.effects[*effect].positions(data)?;
            design = design.insert_column(at, 0.0);
            design.column_mut(at).copy_from_slice(&line);
        }
        Ok(design)
    }
}

/// The standard deviation of a column; 0 if it is constant.
fn deviation(values: &[f64]) -> f64 {
    let mut moments = posterior_math::streaming::MeanVariance::new();
    values.iter().for_each(|value| moments.push(*value));
    let sd = moments.variance().sqrt();
    if sd > 0.0 { sd } else { 0.0 }
}

/// A sparse matrix of one entry in each row.
fn one_each(places: &[usize], size: usize) -> Result<SparseMatrix, Error> {
    let entries = places.iter().enumerate().map(|(row, &place)| (row, place, 1.0));
    Ok(SparseMatrix::from_triplets(places.len(), size, entries)?)
}
