//! Draws of several chains: chain x draw x named parameter.

mod arviz;
mod cmdstan;
mod fields;
mod file_error;
mod names;
#[cfg(feature = "netcdf")]
mod netcdf;
mod reader;
mod writer;

pub use arviz::ArvizGroups;
pub use cmdstan::CmdstanFile;
pub use file_error::FileError;

use crate::Error;
use posterior_dist::target::{JointModel, JointTarget, Target as _};
use posterior_math::check::{self, DimensionError};

/// Draws of several chains, each as long as the others, and the statistics of the steps that made them.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(try_from = "Unchecked"))]
pub struct Draws {
    parameters: Numbers,
    statistics: Numbers,
    len: usize,
}

/// Named columns; for each chain its rows, one after another.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Numbers {
    names: Vec<String>,
    #[cfg_attr(feature = "serde", serde(with = "crate::any_float"))]
    chains: Vec<Vec<f64>>,
}

impl Draws {
    /// Draws of parameters with these names; of each chain its draws, one after another.
    ///
    /// # Errors
    /// Names that come twice; no chain; chains that are not as long as the first, or not whole draws.
    pub fn new(names: Vec<String>, chains: Vec<Vec<f64>>) -> Result<Self, Error> {
        let parameters = Numbers::new(names, chains)?;
        let len = parameters.rows();
        Ok(Self { parameters, statistics: Numbers::default(), len })
    }

    /// With statistics of the same draws: `lp`, `acceptance_rate`, `diverging`, ...
    ///
    /// # Errors
    /// As [`new`](Self::new); other numbers of chains or draws.
    pub fn with_statistics(self, names: Vec<String>, chains: Vec<Vec<f64>>) -> Result<Self, Error> {
        let statistics = Numbers::new(names, chains)?;
        check::dimension("chains of statistics", self.chains(), statistics.chains.len())?;
        // Draws of no parameter are as many as their statistics.
        let len = if self.names().is_empty() { statistics.rows() } else { self.len };
        check::dimension("draws of statistics", len, statistics.rows())?;
        Ok(Self { statistics, len, ..self })
    }

    fn with_statistics_if_any(self, names: Vec<String>, chains: Vec<Vec<f64>>) -> Result<Self, Error> {
        if names.is_empty() { Ok(self) } else { self.with_statistics(names, chains) }
    }

    /// The chains of several draws of the same parameters and statistics, one after another.
    ///
    /// # Errors
    /// Nothing to join; other names; chains of other lengths.
    pub fn join(all: impl IntoIterator<Item = Self>) -> Result<Self, Error> {
        let mut all = all.into_iter();
        let Some(mut joined) = all.next() else {
            return Err(DimensionError::new("draws to join", 1, 0).into());
        };
        for (place, draws) in all.enumerate() {
            let pairs = [(&joined.parameters, &draws.parameters), (&joined.statistics, &draws.statistics)];
            for (ours, theirs) in pairs {
                if ours.names != theirs.names {
                    let differ = ours.names.iter().zip(&theirs.names).position(|(a, b)| a != b);
                    let at = differ.unwrap_or(ours.names.len().min(theirs.names.len()));
                    let name = |names: &[String]| names.get(at).cloned();
                    let (expected, found) = (name(&ours.names), name(&theirs.names));
                    return Err(Error::OtherNames { draws: place + 1, expected, found });
                }
            }
            check::dimension("draws of each chain", joined.len, draws.len)?;
            joined.parameters.chains.extend(draws.parameters.chains);
            joined.statistics.chains.extend(draws.statistics.chains);
        }
        Ok(joined)
    }

    /// The names of the parameters.
    pub fn names(&self) -> &[String] {
        &self.parameters.names
    }

    /// The names of the statistics.
    pub fn statistic_names(&self) -> &[String] {
        &self.statistics.names
    }

    /// How many chains.
    pub const fn chains(&self) -> usize {
        self.parameters.chains.len()
    }

    /// How many draws of each chain.
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// One draw: a number for each parameter.
    #[track_caller]
    pub fn draw(&self, chain: usize, draw: usize) -> &[f64] {
        let width = self.names().len();
        &self.parameters.chains[chain][draw * width..(draw + 1) * width]
    }

    /// The draws of a parameter, by its place, for each chain.
    #[track_caller]
    pub fn parameter(&self, parameter: usize) -> Vec<Vec<f64>> {
        self.parameters.column(parameter)
    }

    /// The draws of the parameter of this name.
    pub fn named(&self, name: &str) -> Option<Vec<Vec<f64>>> {
        Some(self.parameters.column(self.parameters.find(name)?))
    }

    /// The statistic of this name, for each chain.
    pub fn statistic(&self, name: &str) -> Option<Vec<Vec<f64>>> {
        Some(self.statistics.column(self.statistics.find(name)?))
    }

    /// The same draws under other names.
    ///
    /// # Errors
    /// Other than one name for each parameter; a name that comes twice.
    pub fn with_names<S: Into<String>>(self, names: impl IntoIterator<Item = S>) -> Result<Self, Error> {
        let names: Vec<String> = names.into_iter().map(Into::into).collect();
        check::dimension("names of parameters", self.names().len(), names.len())?;
        Ok(Self { parameters: Numbers::new(names, self.parameters.chains)?, ..self })
    }

    /// A function of each draw, as from free coordinates to the parameters of a model: `map` writes one
    /// number for each name.
    ///
    /// # Errors
    /// A name that comes twice.
    pub fn map<S: Into<String>>(
        &self,
        names: impl IntoIterator<Item = S>,
        mut map: impl FnMut(&[f64], &mut [f64]),
    ) -> Result<Self, Error> {
        let names: Vec<String> = names.into_iter().map(Into::into).collect();
        let width = names.len();
        let chains = (0..self.chains()).map(|chain| {
            let mut rows = vec![0.0; width * self.len];
            for (i, row) in rows.chunks_exact_mut(width.max(1)).enumerate() {
                map(self.draw(chain, i), row);
            }
            rows
        });
        let parameters = Numbers::new(names, chains.collect())?;
        Ok(Self { parameters, statistics: self.statistics.clone(), len: self.len })
    }

    /// The unknowns and the derived quantities of a model, by their names, from draws of its free
    /// coordinates.
    ///
    /// # Errors
    /// If the draws have another dimension than the model, or the model asks for other unknowns than in its
    /// first run.
    pub fn of_model<M: JointModel>(&self, model: &JointTarget<M>) -> Result<Self, Error> {
        check::dimension("free coordinates of a draw", model.dim(), self.names().len())?;
        let mut outcome = Ok(());
        let draws = self.map(model.names(), |free, row| {
            if let Err(error) = model.values(free, row) {
                outcome = Err(error);
            }
        })?;
        outcome.map_err(Error::from).map(|()| draws)
    }
}

impl Numbers {
    fn new(names: Vec<String>, chains: Vec<Vec<f64>>) -> Result<Self, Error> {
        let mut sorted: Vec<&String> = names.iter().collect();
        sorted.sort_unstable();
        if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(Error::RepeatedName { name: pair[0].clone() });
        }
        let Some(first) = chains.first() else {
            return Err(DimensionError::new("chains", 1, 0).into());
        };
        let whole = first.len() / names.len().max(1) * names.len();
        for chain in &chains {
            check::dimension("numbers of a chain", whole, chain.len())?;
        }
        Ok(Self { names, chains })
    }

    /// The numbers of a draw; none where there are no columns.
    fn row(&self, chain: usize, draw: usize) -> &[f64] {
        let width = self.names.len();
        self.chains.get(chain).map_or(&[], |rows| &rows[draw * width..(draw + 1) * width])
    }

    fn rows(&self) -> usize {
        self.chains[0].len() / self.names.len().max(1)
    }

    fn find(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|own| own == name)
    }

    fn column(&self, column: usize) -> Vec<Vec<f64>> {
        let width = self.names.len();
        assert!(column < width, "there is no column {column} of {width}");
        self.chains.iter().map(|rows| rows.iter().skip(column).step_by(width).copied().collect()).collect()
    }
}

/// Draws as somebody wrote them.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
struct Unchecked {
    parameters: Numbers,
    statistics: Numbers,
    len: usize,
}

#[cfg(feature = "serde")]
impl TryFrom<Unchecked> for Draws {
    type Error = Error;

    fn try_from(Unchecked { parameters, statistics, len }: Unchecked) -> Result<Self, Error> {
        let draws = Self::new(parameters.names, parameters.chains)?;
        let draws = draws.with_statistics_if_any(statistics.names, statistics.chains)?;
        // Nothing else tells how many draws of no number there are.
        let len_is_free = draws.names().is_empty() && draws.statistic_names().is_empty();
        check::dimension("draws", if len_is_free { len } else { draws.len }, len)?;
        Ok(Self { len, ..draws })
    }
}
