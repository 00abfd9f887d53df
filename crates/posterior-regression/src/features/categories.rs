//! Indicators of categories.

use posterior_math::check::{self, ParamError};

use super::counted;
use crate::Error;

#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Categories {
    /// The codes in increasing order, each with its column; the reference of treatment coding has none.
    codes: Vec<(f64, Option<usize>)>,
    columns: usize,
}

impl Categories {
    pub(super) fn one_hot(codes: &[f64]) -> Result<Self, ParamError> {
        counted("Basis::one_hot", codes.len())?;
        Self::new("Basis::one_hot", codes.iter().enumerate().map(|(i, &code)| (code, Some(i))).collect())
    }

    pub(super) fn treatment(codes: &[f64]) -> Result<Self, ParamError> {
        let several = codes.len() >= 2;
        check::require(several, "Basis::treatment", "codes", codes.len() as f64, "at least two")?;
        counted("Basis::treatment", codes.len())?;
        let columns = codes.iter().enumerate().map(|(i, &code)| (code, i.checked_sub(1))).collect();
        Self::new("Basis::treatment", columns)
    }

    fn new(name: &'static str, mut codes: Vec<(f64, Option<usize>)>) -> Result<Self, ParamError> {
        for (index, &(code, _)) in codes.iter().enumerate() {
            check::finite(name, "codes", code).map_err(|error| error.at(index))?;
        }
        codes.sort_by(|a, b| a.0.total_cmp(&b.0));
        if let Some(pair) = codes.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            return Err(ParamError::new(name, "codes", pair[0].0, "there once"));
        }
        let columns = codes.iter().filter(|(_, column)| column.is_some()).count();
        Ok(Self { codes, columns })
    }

    pub(super) const fn width(&self) -> usize {
        self.columns
    }

    pub(super) fn names(&self, input: &str) -> Vec<String> {
        let mut names = vec![String::new(); self.columns];
        for &(code, column) in &self.codes {
            if let Some(column) = column {
                names[column] = format!("{input}[{code}]");
            }
        }
        names
    }

    /// The columns hold zeros before.
    pub(super) fn fill(&self, x: &[f64], columns: &mut [f64]) -> Result<(), Error> {
        let rows = x.len();
        for (row, &value) in x.iter().enumerate() {
            // `==` and not the total order: -0 and 0 are one code.
            let place = self.codes.partition_point(|&(code, _)| code < value);
            match self.codes.get(place) {
                Some(&(code, column)) if code == value => {
                    if let Some(column) = column {
                        columns[column * rows + row] = 1.0;
                    }
                }
                _ => {
                    let requirement = "one of the categories that were fitted";
                    return Err(Error::Observation { what: "category", row, value, requirement });
                }
            }
        }
        Ok(())
    }
}

#[cfg(feature = "serde")]
impl Categories {
    /// What was read, if it is what a constructor makes.
    pub(super) fn checked(self) -> Result<Self, ParamError> {
        let name = "Basis::categories";
        let again = Self::new(name, self.codes)?;
        counted(name, again.columns)?;
        let mut columns: Vec<usize> = again.codes.iter().filter_map(|&(_, column)| column).collect();
        columns.sort_unstable();
        let each_once = columns.iter().copied().eq(0..again.columns);
        check::require(each_once, name, "columns", again.columns as f64, "each of one code")?;
        Ok(again)
    }
}
