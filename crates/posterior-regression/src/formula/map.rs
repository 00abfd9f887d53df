//! A formula with what it learned from a table.

use std::ops::Range;

use posterior_dist::text::TextError;
use posterior_math::linalg::DMatrix;

use super::data::FormulaData;
use super::evaluate;
use super::expression::{Expression, each_once};
use super::terms::{Term, Terms};
use super::variable::{Columns, Learned};
use super::written::ModelFormula;
use crate::Error;

/// How many columns a design may have: each row holds them all.
const MOST_COLUMNS: usize = 100_000;

/// The terms of a [`ModelFormula`] with the levels, knots and polynomials of the table that it was learned
/// from.
///
/// ```
/// use posterior_regression::formula::{ModelFormula, FormulaData};
///
/// let formula: ModelFormula = "y ~ g + poly(x, 2)".parse()?;
/// let data = FormulaData::new(4)
///     .with_labels("g", &["a", "b", "a", "b"])?
///     .with_numbers("x", vec![1.0, 2.0, 3.0, 4.0])?;
/// let map = formula.learn(&data)?;
/// assert_eq!(map.columns(), ["(Intercept)", "gb", "poly(x, 2)1", "poly(x, 2)2"]);
///
/// // The polynomials are those of the four rows.
/// let new = FormulaData::new(1).with_labels("g", &["b"])?.with_numbers("x", vec![2.5])?;
/// let row = map.design(&new)?;
/// assert!(row[2].abs() < 1e-15 && row[(0, 1)] == 1.0);
/// let unknown = FormulaData::new(1).with_labels("g", &["c"])?.with_numbers("x", vec![2.5])?;
/// let error = map.design(&unknown).unwrap_err();
/// assert_eq!(error.to_string(), "column 5: g of row 0 is \"c\": it must be one of a, b");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(try_from = "Saved"))]
pub struct FormulaMap {
    formula: ModelFormula,
    /// What `.` stands for.
    others: Vec<String>,
    /// Of each variable.
    learned: Vec<Learned>,
    #[cfg_attr(feature = "serde", serde(skip_serializing))]
    own: Resolved,
}

/// What formula and variables say together.
#[derive(Debug, Clone, PartialEq)]
struct Resolved {
    terms: Terms,
    columns: Vec<String>,
    labels: Vec<(String, Range<usize>)>,
}

impl ModelFormula {
    /// The terms for a table with these columns; levels, knots and polynomials are those of its rows.
    ///
    /// # Errors
    /// A column that is not there, or holds labels where a number is expected; a number that is not finite in
    /// some row, such as the logarithm of zero; a factor of one level beside an intercept; no rows; more than
    /// 100 000 columns of the design; a latent effect, as `(1 | g)`. All of them name the place.
    pub fn learn(&self, data: &FormulaData) -> Result<FormulaMap, Error> {
        if let Some(effect) = self.effects().first() {
            let message = format!("`{effect}` is a latent effect, which this regression does not have");
            return Err(TextError::new(effect.place(), message).into());
        }
        self.learn_fixed(data)
    }

    /// The terms but for the [effects](Self::effects).
    ///
    /// # Errors
    /// As [`learn`](Self::learn).
    pub fn learn_fixed(&self, data: &FormulaData) -> Result<FormulaMap, Error> {
        FormulaMap::learn(self, self.others(data.names()), data)
    }
}

impl FormulaMap {
    pub(super) fn learn(
        formula: &ModelFormula,
        others: Vec<String>,
        data: &FormulaData,
    ) -> Result<Self, Error> {
        if data.rows() == 0 {
            return Err(TextError::new(0, "a formula learns from one row at least").into());
        }
        let terms = formula.terms(&others)?;
        let used = terms.used();
        let variable = |(place, own): (usize, &Expression)| {
            // The others are offsets, or taken away again.
            if used.contains(&place) { Learned::of(own, data) } else { Ok(Learned::Number) }
        };
        let learned = terms.variables.iter().enumerate().map(variable).collect::<Result<Vec<_>, _>>()?;
        let own = Resolved::of(terms, &learned)?;
        let map = Self { formula: formula.clone(), others, learned, own };
        // What is wrong with a row is wrong now.
        for own in &map.own.terms.offsets {
            evaluate::finite(own, data)?;
        }
        Ok(map)
    }

    /// The formula.
    pub const fn formula(&self) -> &ModelFormula {
        &self.formula
    }

    /// The names of the columns of the design, as R's `model.matrix` has them.
    pub fn columns(&self) -> &[String] {
        &self.own.columns
    }

    /// Whether the first column is the intercept.
    pub const fn has_intercept(&self) -> bool {
        self.own.terms.intercept
    }

    /// The terms in their order, each with its columns; the intercept is not one of them.
    pub fn terms(&self) -> &[(String, Range<usize>)] {
        &self.own.labels
    }

    /// The columns that a table of new rows needs, but for the outcome.
    pub fn inputs(&self) -> Vec<String> {
        let mut all = Vec::new();
        let terms = &self.own.terms;
        terms.used().into_iter().for_each(|own| terms.variables[own].names(&mut all));
        terms.offsets.iter().for_each(|own| own.names(&mut all));
        each_once(all.into_iter().map(|(name, _)| name)).into_iter().map(str::to_owned).collect()
    }

    /// The design of some rows.
    ///
    /// # Errors
    /// A column that is not there; a level that is not one of those that were learned; a number that is not
    /// finite. All of them name the place in the formula, and the row.
    pub fn design(&self, data: &FormulaData) -> Result<DMatrix<f64>, Error> {
        let (rows, terms) = (data.rows(), &self.own.terms);
        let mut design = DMatrix::zeros(rows, self.own.columns.len());
        if terms.intercept {
            design.column_mut(0).fill(1.0);
        }
        for (place, (term, (label, range))) in terms.products.iter().zip(&self.own.labels).enumerate() {
            let blocks: Vec<Columns> = term
                .iter()
                .map(|&own| {
                    let all = self.own.all_levels(&self.learned, place, own);
                    self.learned[own].columns(&terms.variables[own], all, data)
                })
                .collect::<Result<_, _>>()?;
            for (index, column) in range.clone().enumerate() {
                let mut left = index;
                let places: Vec<usize> = blocks
                    .iter()
                    .map(|block| {
                        let own = left % block.width();
                        left /= block.width();
                        own
                    })
                    .collect();
                for row in 0..rows {
                    let value: f64 =
                        blocks.iter().zip(&places).map(|(block, own)| block.at(row, *own)).product();
                    if !value.is_finite() {
                        return Err(Error::Term {
                            column: 0,
                            term: label.clone(),
                            row,
                            found: value.to_string(),
                            expected: "a finite number".to_owned(),
                        });
                    }
                    design[(row, column)] = value;
                }
            }
        }
        Ok(design)
    }

    /// The sum of the offsets of some rows; None where the formula has none.
    ///
    /// # Errors
    /// As [`design`](Self::design).
    pub fn offset(&self, data: &FormulaData) -> Result<Option<Vec<f64>>, Error> {
        let mut sum: Option<Vec<f64>> = None;
        for own in &self.own.terms.offsets {
            let more = evaluate::finite(own, data)?;
            match &mut sum {
                None => sum = Some(more),
                Some(sum) => sum.iter_mut().zip(more).for_each(|(sum, more)| *sum += more),
            }
        }
        Ok(sum)
    }

    /// Whether the formula has an offset.
    pub const fn has_offset(&self) -> bool {
        !self.own.terms.offsets.is_empty()
    }
}

impl Resolved {
    fn of(terms: Terms, learned: &[Learned]) -> Result<Self, Error> {
        let own = Self { terms, columns: Vec::new(), labels: Vec::new() };
        let mut columns: Vec<String> =
            own.terms.intercept.then(|| "(Intercept)".to_owned()).into_iter().collect();
        let mut labels = Vec::new();
        for (place, term) in own.terms.products.iter().enumerate() {
            let first = columns.len();
            let names = own.names(learned, place, term, MOST_COLUMNS - first)?;
            columns.extend(names);
            labels.push((own.terms.label(term), first..columns.len()));
        }
        Ok(Self { columns, labels, ..own })
    }

    fn all_levels(&self, learned: &[Learned], place: usize, variable: usize) -> bool {
        let is_factor = |own: usize| learned[own].is_factor();
        is_factor(variable) && self.terms.has_all_levels(place, variable, is_factor)
    }

    /// The names of a term's columns: the first variable changes first.
    fn names(
        &self,
        learned: &[Learned],
        place: usize,
        term: &Term,
        most: usize,
    ) -> Result<Vec<String>, Error> {
        let mut names = vec![String::new()];
        for &own in term {
            let all = self.all_levels(learned, place, own);
            let more = learned[own].names(&self.terms.variables[own], all)?;
            if names.len().saturating_mul(more.len()) > most {
                let message = format!("`{}` makes more than {MOST_COLUMNS} columns", self.terms.label(term));
                return Err(TextError::new(self.terms.variables[own].place, message).into());
            }
            let joined = |(before, name): (&String, &String)| {
                if before.is_empty() { name.clone() } else { format!("{before}:{name}") }
            };
            names =
                more.iter().flat_map(|name| names.iter().map(move |own| (own, name))).map(joined).collect();
        }
        Ok(names)
    }
}

/// A map as somebody wrote it.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Saved {
    formula: ModelFormula,
    others: Vec<String>,
    learned: Vec<Learned>,
}

#[cfg(feature = "serde")]
impl TryFrom<Saved> for FormulaMap {
    type Error = Error;

    fn try_from(Saved { formula, others, learned }: Saved) -> Result<Self, Error> {
        let terms = formula.terms(&others)?;
        let used = terms.used();
        let fits = terms.variables.len() == learned.len()
            && terms.variables.iter().zip(&learned).enumerate().all(|(place, (own, learned))| {
                learned.fits(own) || !used.contains(&place) && *learned == Learned::Number
            });
        if !fits {
            return Err(TextError::new(0, "what was learned is not of the variables of the formula").into());
        }
        let own = Resolved::of(terms, &learned)?;
        Ok(Self { formula, others, learned, own })
    }
}
