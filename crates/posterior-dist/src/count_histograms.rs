//! Vectors of counts, summarised for the likelihood of a Dirichlet-multinomial.

use std::collections::BTreeMap;

use posterior_math::check::{self, ParamError};
use posterior_math::special::{digamma_difference, ln_rising_factorial, trigamma_difference};

/// The type's name in errors.
const NAME: &str = "CountHistograms";

/// How often each count occurs in each category, and each total, over many vectors of counts.
///
/// The likelihood of α depends on nothing else, so that a fit costs time by the number of *different* counts
/// per category and not by the number of vectors (Wallach).
///
/// # References
/// H. Wallach, Structured topic models for language, 2008, section 2.4.
///
/// ```
/// use posterior_dist::CountHistograms;
///
/// let mut counts = CountHistograms::new(3);
/// counts.push(&[2, 0, 1])?;
/// counts.push_sparse([(1, 4)])?;
/// assert_eq!(counts.vectors(), 2);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CountHistograms {
    cells: Vec<BTreeMap<u64, u64>>,
    totals: BTreeMap<u64, u64>,
    vectors: u64,
}

impl CountHistograms {
    /// No vectors of `categories` counts.
    pub fn new(categories: usize) -> Self {
        Self { cells: vec![BTreeMap::new(); categories], totals: BTreeMap::new(), vectors: 0 }
    }

    /// Adds one vector of counts.
    ///
    /// # Errors
    /// If it has another length than the number of categories, or its sum overflows; nothing has changed
    /// then.
    pub fn push(&mut self, counts: &[u64]) -> Result<(), ParamError> {
        let length = counts.len();
        let fits = length == self.cells.len();
        check::require(fits, NAME, "length", length as f64, "the number of categories")?;
        self.push_sparse(counts.iter().copied().enumerate())
    }

    /// Adds one vector of counts, given as pairs of a category and its count; each category at most once.
    ///
    /// # Errors
    /// If a category is beyond the last, or the sum of the counts overflows; nothing has changed then.
    pub fn push_sparse(&mut self, counts: impl IntoIterator<Item = (usize, u64)>) -> Result<(), ParamError> {
        let counts: Vec<(usize, u64)> = counts.into_iter().collect();
        let mut total = 0_u64;
        for &(category, count) in &counts {
            let known = category < self.cells.len();
            check::require(known, NAME, "category", category as f64, "less than the number of categories")?;
            let overflows =
                || ParamError::new(NAME, "count", count as f64, "so small that the sum fits in 64 bits");
            total = total.checked_add(count).ok_or_else(|| overflows().at(category))?;
        }
        for (category, count) in counts.into_iter().filter(|&(_, count)| count > 0) {
            *self.cells[category].entry(count).or_default() += 1;
        }
        if total > 0 {
            *self.totals.entry(total).or_default() += 1;
        }
        self.vectors += 1;
        Ok(())
    }

    /// Adds all vectors of another summary.
    ///
    /// # Errors
    /// If it has another number of categories; nothing has changed then.
    pub fn merge(&mut self, other: &Self) -> Result<(), ParamError> {
        let categories = other.cells.len();
        let fits = categories == self.cells.len();
        check::require(fits, NAME, "categories", categories as f64, "as many as here")?;
        for (mine, theirs) in self.cells.iter_mut().zip(&other.cells) {
            add(mine, theirs);
        }
        add(&mut self.totals, &other.totals);
        self.vectors += other.vectors;
        Ok(())
    }

    /// The number of categories.
    pub const fn categories(&self) -> usize {
        self.cells.len()
    }

    /// The number of vectors.
    pub const fn vectors(&self) -> u64 {
        self.vectors
    }

    /// The largest total of a vector.
    pub fn longest(&self) -> u64 {
        self.totals.last_key_value().map_or(0, |(&total, _)| total)
    }

    /// The sum of the counts of a category.
    ///
    /// # Panics
    /// If there is no such category.
    #[track_caller]
    pub fn count(&self, category: usize) -> f64 {
        self.cells[category].iter().map(|(&count, &times)| count as f64 * times as f64).sum()
    }

    /// Each category's rises.
    pub(crate) fn cell_rises(&self) -> Vec<Rises> {
        self.cells.iter().map(Rises::of).collect()
    }

    /// The rises of all categories together.
    pub(crate) fn pooled_rises(&self) -> Rises {
        let mut pooled = BTreeMap::new();
        for cell in &self.cells {
            add(&mut pooled, cell);
        }
        Rises::of(&pooled)
    }

    /// The rises of the totals.
    pub(crate) fn total_rises(&self) -> Rises {
        Rises::of(&self.totals)
    }
}

fn add(mine: &mut BTreeMap<u64, u64>, theirs: &BTreeMap<u64, u64>) {
    for (&count, &times) in theirs {
        *mine.entry(count).or_default() += times;
    }
}

/// A histogram of counts, cut into the stretches between one count and the next: sums over the histogram of
/// differences f(a + count) - f(a) proportion the stretches.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Rises(Vec<Rise>);

#[derive(Debug, Clone, Copy, PartialEq)]
struct Rise {
    from: f64,
    steps: u64,
    /// How many counts reach the end of the stretch.
    times: f64,
}

impl Rises {
    fn of(histogram: &BTreeMap<u64, u64>) -> Self {
        let mut times: u64 = histogram.values().sum();
        let mut from = 0;
        let rises = histogram.iter().map(|(&count, &here)| {
            let rise = Rise { from: from as f64, steps: count - from, times: times as f64 };
            from = count;
            times -= here;
            rise
        });
        Self(rises.collect())
    }

    /// Whether no count was positive.
    pub(crate) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Σ ln Γ(a + count) - ln Γ(a).
    pub(crate) fn ln_gamma(&self, a: f64) -> f64 {
        self.0.iter().map(|rise| rise.times * ln_rising_factorial(a + rise.from, rise.steps)).sum()
    }

    /// Σ ψ(a + count) - ψ(a).
    pub(crate) fn digamma(&self, a: f64) -> f64 {
        self.0.iter().map(|rise| rise.times * digamma_difference(a + rise.from, rise.steps as f64)).sum()
    }

    /// Σ ψ₁(a) - ψ₁(a + count).
    pub(crate) fn trigamma(&self, a: f64) -> f64 {
        self.0.iter().map(|rise| rise.times * trigamma_difference(a + rise.from, rise.steps as f64)).sum()
    }
}
