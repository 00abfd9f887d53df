//! Predictors of rows that were not among the data, and any linear combinations.

use posterior_math::check;
use posterior_math::sparse::SparseMatrix;

use crate::Error;
use crate::fit::{HierarchicalFit, Node};
use crate::marginal::{Component, LatentMarginal};
use crate::rows::{Combination, CopiedEntry};

/// Entries (row, place, factor) of a matrix.
type Entries = Vec<(usize, usize, f64)>;

/// Rows to predict, or contrasts: sums of what is named here; what is not named counts as 0.
///
/// A group without rows in the data is predicted by an effect that has a place for it.
///
/// ```
/// use posterior_hierarchical::NewRows;
///
/// // The difference between the second and the first group.
/// let contrast = NewRows::new(1).through("group", &[(0, 0, -1.0), (0, 1, 1.0)]);
/// // Two new rows: intercept + slope x + the values of groups 0 and 2.
/// let rows = NewRows::new(2).column("intercept", &[1.0; 2]).column("x", &[0.5, 0.7]).at("group", &[0, 2]);
/// assert_ne!(contrast, rows);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct NewRows {
    count: usize,
    offset: Option<Vec<f64>>,
    columns: Vec<(String, Vec<f64>)>,
    effects: Vec<(String, Entries)>,
    copies: Vec<(String, Entries)>,
}

impl NewRows {
    /// So many rows, of which nothing counts yet.
    pub const fn new(count: usize) -> Self {
        Self { count, offset: None, columns: Vec::new(), effects: Vec::new(), copies: Vec::new() }
    }

    /// How many rows there are.
    pub(crate) const fn count(&self) -> usize {
        self.count
    }

    /// With a known part of each row.
    #[must_use]
    pub fn offset(self, offset: &[f64]) -> Self {
        Self { offset: Some(offset.to_vec()), ..self }
    }

    /// With the values of a column of the fixed effects; the intercept is one too.
    #[must_use]
    pub fn column(mut self, name: impl Into<String>, values: &[f64]) -> Self {
        self.columns.push((name.into(), values.to_vec()));
        self
    }

    /// With the value of an effect at one place for each row.
    #[must_use]
    pub fn at(mut self, effect: impl Into<String>, indices: &[usize]) -> Self {
        let entries = indices.iter().enumerate().map(|(row, &index)| (row, index, 1.0)).collect();
        self.effects.push((effect.into(), entries));
        self
    }

    /// With combinations of the values of an effect: entries (row, place, factor).
    #[must_use]
    pub fn through(mut self, effect: impl Into<String>, entries: &[(usize, usize, f64)]) -> Self {
        self.effects.push((effect.into(), entries.to_vec()));
        self
    }

    /// With a [copy](crate::HierarchicalModel::copy_of) of an effect: entries (row, place of the effect,
    /// factor).
    #[must_use]
    pub fn copied(mut self, copy: impl Into<String>, entries: &[(usize, usize, f64)]) -> Self {
        self.copies.push((copy.into(), entries.to_vec()));
        self
    }
}

impl HierarchicalFit<'_> {
    /// The distributions of the predictors of new rows, or of contrasts: mixtures of normal distributions
    /// with means to third order. Where the likelihood is maximised, fixed effects are taken as known.
    ///
    /// Costs a mode at each point of the hyperparameters, and one solution there for each row.
    ///
    /// # Errors
    /// Names that the model doesn't have; other numbers of values than of rows; places that are not there.
    pub fn predict(&self, new: &NewRows) -> Result<Vec<LatentMarginal>, Error> {
        let seen = self.seen(new)?;
        let mut parts = vec![Vec::with_capacity(self.nodes.len()); new.count];
        for node in &self.nodes {
            let laplace = self.engine.laplace(&node.theta, Some(&node.x))?;
            for (row, parts) in parts.iter_mut().enumerate() {
                let (mean, entries) = self.seen_at(node, row, &seen);
                let mut combination = vec![0.0; node.mean.len()];
                for (place, factor) in entries {
                    combination[place] += factor;
                }
                let variance = dot(&combination, &laplace.factor.solve(&combination)).max(0.0);
                parts.push(Component { weight: node.weight, mean, sd: variance.sqrt(), skewness: 0.0 });
            }
        }
        Ok(parts.into_iter().map(LatentMarginal::new).collect())
    }

    /// The means of [`predict`](Self::predict), which cost next to nothing: for pictures of surfaces.
    ///
    /// # Errors
    /// As [`predict`](Self::predict).
    pub fn predicted_means(&self, new: &NewRows) -> Result<Vec<f64>, Error> {
        let seen = self.seen(new)?;
        let mut means = vec![0.0; new.count];
        for node in &self.nodes {
            for (row, mean) in means.iter_mut().enumerate() {
                *mean += node.weight * self.seen_at(node, row, &seen).0;
            }
        }
        Ok(means)
    }

    /// The mean of a new row at a point of the hyperparameters, and what it sees of the latent vector there.
    fn seen_at(&self, node: &Node, row: usize, seen: &Seen) -> (f64, Combination) {
        let natural = self.engine.natural(&node.theta);
        let coefficients = &node.theta[self.engine.hyperparameters.len() - seen.outer..];
        let (latent, maximised): (Combination, Combination) =
            seen.rows[row].iter().partition(|(place, _)| *place < node.mean.len());
        let copies = seen.copies.iter().filter(|entry| entry.row == row).map(|entry| {
            let factor = natural[self.engine.of_copies.start + entry.factor];
            (entry.place, entry.value * factor)
        });
        let entries: Combination = latent.into_iter().chain(copies).collect();
        let fixed = maximised.iter().map(|(place, factor)| factor * coefficients[place - node.mean.len()]);
        let random = entries.iter().map(|(place, factor)| factor * node.mean[*place]);
        (seen.known[row] + fixed.chain(random).sum::<f64>(), entries)
    }

    /// The mean of a response that is not known yet, given the distribution of its predictor: over the points
    /// of the hyperparameters, on which the response may depend itself, and over the predictor at each of
    /// them. Of several kinds of responses, one of the first kind.
    ///
    /// # Errors
    /// A distribution that is not of this fit: it has one part for each point of the hyperparameters.
    pub fn response_mean(&self, predictor: &LatentMarginal) -> Result<f64, Error> {
        self.mean_of_row(0, predictor)
    }

    /// The same of a response of a [part](crate::HierarchicalModel::and).
    ///
    /// # Errors
    /// As [`response_mean`](Self::response_mean); a part that is not there.
    pub fn response_mean_of(&self, part: &str, predictor: &LatentMarginal) -> Result<f64, Error> {
        self.mean_of_row(self.engine.model.rows_of(part)?.start, predictor)
    }

    fn mean_of_row(&self, row: usize, predictor: &LatentMarginal) -> Result<f64, Error> {
        let model = self.engine.model;
        let parts = predictor.components();
        check::dimension("parts of a predictor", self.nodes.len(), parts.len())?;
        let means = self.nodes.iter().zip(parts).map(|(node, part)| {
            let natural = self.engine.natural(&node.theta);
            LatentMarginal::new(vec![*part]).expectation(|at| model.mean_of_row(row, at, &natural))
        });
        Ok(means.sum())
    }

    /// What new rows see of copies.
    fn copies(&self, new: &NewRows) -> Result<Vec<CopiedEntry>, Error> {
        let placed = || self.engine.model.effects.iter().zip(&self.engine.places);
        let known =
            || placed().flat_map(|(placed, places)| placed.copies.iter().map(move |copy| (copy, places)));
        let mut all = Vec::new();
        for (name, entries) in &new.copies {
            let found = known().enumerate().find(|(_, (copy, _))| copy.factor.name == *name);
            let names = known().map(|(copy, _)| copy.factor.name.as_str());
            let (factor, (_, places)) = found.ok_or_else(|| Error::unknown("copy", name, names))?;
            let checked = SparseMatrix::from_triplets(new.count, places.len(), entries.iter().copied())?;
            let entries = checked.triplets().map(|(row, place, value)| CopiedEntry {
                row,
                place: places.start + place,
                at: 0,
                value,
                factor,
            });
            all.extend(entries);
        }
        Ok(all)
    }

    /// What new rows see, at any point of the hyperparameters.
    fn seen(&self, new: &NewRows) -> Result<Seen, Error> {
        let model = self.engine.model;
        let mut rows = vec![Vec::new(); new.count];
        for (name, values) in &new.columns {
            check::dimension("values of a column of new rows", new.count, values.len())?;
            let names = model.columns.iter().map(|column| column.name.as_str());
            let at = model.columns.iter().position(|column| column.name == *name);
            let at = at.ok_or_else(|| Error::unknown("fixed effect", name, names))?;
            for (row, &value) in rows.iter_mut().zip(values) {
                row.push((self.engine.fixed.start + at, value));
            }
        }
        for (name, entries) in &new.effects {
            let places = self.places(name)?;
            // As a matrix, whose indices are checked.
            let checked = SparseMatrix::from_triplets(new.count, places.len(), entries.iter().copied())?;
            for (row, place, factor) in checked.triplets() {
                rows[row].push((places.start + place, factor));
            }
        }
        let known = match &new.offset {
            Some(offset) => {
                check::dimension("offsets of new rows", new.count, offset.len())?;
                offset.clone()
            }
            None => vec![0.0; new.count],
        };
        let outer = if self.engine.outer.is_some() { model.columns.len() } else { 0 };
        Ok(Seen { known, rows, copies: self.copies(new)?, outer })
    }
}

/// What new rows are sums of.
struct Seen {
    /// What does not depend on the latent vector.
    known: Vec<f64>,
    /// Places and factors, fixed effects that are maximised over behind the latent vector.
    rows: Vec<Combination>,
    copies: Vec<CopiedEntry>,
    /// How many fixed effects are maximised over.
    outer: usize,
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
