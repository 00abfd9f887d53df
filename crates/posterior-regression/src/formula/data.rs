//! The columns of a table.

use std::collections::BTreeMap;

use posterior_dist::text::TextError;
use posterior_math::check;

use crate::Error;

/// Columns of numbers and of labels, which a [`ModelFormula`](super::ModelFormula) names.
///
/// ```
/// use posterior_regression::formula::FormulaData;
///
/// let data = FormulaData::new(3)
///     .with_numbers("age", vec![31.0, 40.0, 52.0])?
///     .with_labels("site", &["lake", "hill", "lake"])?;
/// assert_eq!(data.names().collect::<Vec<_>>(), ["age", "site"]);
/// assert!(data.with_numbers("weight", vec![70.0]).is_err());
/// # Ok::<(), posterior_regression::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(try_from = "Saved"))]
pub struct FormulaData {
    rows: usize,
    columns: Vec<(String, Content)>,
    /// The place of each by its name.
    #[cfg_attr(feature = "serde", serde(skip_serializing))]
    places: BTreeMap<String, usize>,
}

/// What a column holds.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub(super) enum Content {
    Numbers(Vec<f64>),
    Labels(Labels),
}

/// The level of each row.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub(super) struct Labels {
    pub(super) levels: Vec<String>,
    pub(super) of_row: Vec<usize>,
}

impl FormulaData {
    /// A table of so many rows, and no columns yet.
    pub const fn new(rows: usize) -> Self {
        Self { rows, columns: Vec::new(), places: BTreeMap::new() }
    }

    /// With a column of numbers.
    ///
    /// # Errors
    /// Another number of rows; a name that is there already.
    pub fn with_numbers(self, name: impl Into<String>, numbers: Vec<f64>) -> Result<Self, Error> {
        check::dimension("rows of a column", self.rows, numbers.len())?;
        self.with(name.into(), Content::Numbers(numbers))
    }

    /// With a column of labels, whose levels are in their alphabetical order.
    ///
    /// # Errors
    /// Another number of rows; a name that is there already.
    pub fn with_labels<S: AsRef<str>>(self, name: impl Into<String>, labels: &[S]) -> Result<Self, Error> {
        let mut places: BTreeMap<&str, usize> = labels.iter().map(|label| (label.as_ref(), 0)).collect();
        for (place, own) in places.values_mut().enumerate() {
            *own = place;
        }
        let of_row = labels.iter().map(|label| places[label.as_ref()]).collect();
        let levels = places.keys().map(|&level| level.to_owned()).collect();
        self.with_levels(name, levels, of_row)
    }

    /// With a column of labels: its levels in their order, and the place of each row's level among them.
    ///
    /// # Errors
    /// Another number of rows; a name that is there already; a level that is there twice; a place that is not
    /// one of a level.
    pub fn with_levels(
        self,
        name: impl Into<String>,
        levels: Vec<String>,
        of_row: Vec<usize>,
    ) -> Result<Self, Error> {
        check::dimension("rows of a column", self.rows, of_row.len())?;
        for (row, &place) in of_row.iter().enumerate() {
            if place >= levels.len() {
                let (what, requirement) = ("the level", "below the number of levels");
                return Err(Error::Observation { what, row, value: place as f64, requirement });
            }
        }
        let mut sorted: Vec<&String> = levels.iter().collect();
        sorted.sort_unstable();
        if let Some([level, _]) = sorted.array_windows().find(|[one, other]| one == other) {
            return Err(TextError::new(0, format!("the level {level:?} is there twice")).into());
        }
        self.with(name.into(), Content::Labels(Labels { levels, of_row }))
    }

    /// These rows and after them those of another table, which has the same columns and may have more. Labels
    /// have the levels of both, those of the other table last.
    ///
    /// # Errors
    /// A column that the other table does not have, or has of another kind.
    pub fn followed_by(&self, other: &Self) -> Result<Self, Error> {
        let mut all = Self::new(self.rows + other.rows);
        for (name, content) in &self.columns {
            let content = match (content, other.required(name, 0)?) {
                (Content::Numbers(one), Content::Numbers(more)) => {
                    Content::Numbers([one.as_slice(), more].concat())
                }
                (Content::Labels(one), Content::Labels(more)) => {
                    let mut levels = one.levels.clone();
                    let mut place_of = |level: &String| {
                        levels.iter().position(|own| own == level).unwrap_or_else(|| {
                            levels.push(level.clone());
                            levels.len() - 1
                        })
                    };
                    let places: Vec<usize> = more.levels.iter().map(&mut place_of).collect();
                    let rest = more.of_row.iter().map(|&level| places[level]);
                    let of_row = one.of_row.iter().copied().chain(rest).collect();
                    Content::Labels(Labels { levels, of_row })
                }
                _ => {
                    let message =
                        format!("the column {name:?} holds numbers in one table and labels in the other");
                    return Err(TextError::new(0, message).into());
                }
            };
            all = all.with(name.clone(), content)?;
        }
        Ok(all)
    }

    fn with(mut self, name: String, content: Content) -> Result<Self, Error> {
        if self.column(&name).is_some() {
            return Err(TextError::new(0, format!("the column {name:?} is there twice")).into());
        }
        self.places.insert(name.clone(), self.columns.len());
        self.columns.push((name, content));
        Ok(self)
    }

    /// The number of rows.
    pub const fn rows(&self) -> usize {
        self.rows
    }

    /// The names of the columns.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(|(name, _)| name.as_str())
    }

    pub(super) fn column(&self, name: &str) -> Option<&Content> {
        self.places.get(name).map(|&place| &self.columns[place].1)
    }

    /// A column that a formula names at a place.
    pub(super) fn required(&self, name: &str, place: usize) -> Result<&Content, TextError> {
        self.column(name).ok_or_else(|| no_column(name, place, &self.names().collect::<Vec<_>>()))
    }
}

/// That a formula names a column that there is not.
pub(super) fn no_column(name: &str, place: usize, names: &[&str]) -> TextError {
    TextError::unknown(place, format!("there is no column {name:?}"), name, names)
}

/// A table as somebody wrote it.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Saved {
    rows: usize,
    columns: Vec<(String, Content)>,
}

#[cfg(feature = "serde")]
impl TryFrom<Saved> for FormulaData {
    type Error = Error;

    fn try_from(Saved { rows, columns }: Saved) -> Result<Self, Error> {
        columns.into_iter().try_fold(Self::new(rows), |all, (name, content)| match content {
            Content::Numbers(numbers) => all.with_numbers(name, numbers),
            Content::Labels(Labels { levels, of_row }) => all.with_levels(name, levels, of_row),
        })
    }
}
