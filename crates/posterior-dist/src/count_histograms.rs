//! Vectors of counts, summarised for the likelihood of a Dirichlet-multinomial.

use std::collections::BTreeMap;

use posterior_math::special::{digamma_difference, ln_rising_factorial, trigamma_difference};

/// How often each count occurs in each category, and each total, over many vectors of counts.
///
/// The likelihood of α depends on nothing else, so that a fit costs time by the number of *different* counts per category
/// and not by the number of vectors (Wallach).
///
/// # References
/// H. Wallach, Structured topic models for language, 2008, section 2.4.
///
/// ```
/// use posterior_dist::CountHistograms;
///
/// let mut counts = CountHistograms::new(3);
/// counts.push(&[2, 0, 1]);
/// counts.push_sparse([(1, 4)]);
/// assert_eq!(counts.vectors(), 2);
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
    /// # Panics
    /// If it has another length than the number of categories, or its sum overflows.
    #[track_caller]
    pub fn push(&mut self, counts: &[u64]) {
        assert!(
            counts.len() == self.cells.len(),
            "{} counts for {} categories",
            counts.len(),
            self.cells.len()
        );
        self.push_sparse(counts.iter().copied().enumerate());
    }

    /// Adds one vector of counts, given as pairs of a category and its count; each category at most once.
    ///
    /// # Panics
    /// If a category is beyond the last, or the sum of the counts overflows.
    #[track_caller]
    pub fn push_sparse(&mut self, counts: impl IntoIterator<Item = (usize, u64)>) {
        let mut total = 0_u64;
        for (category, count) in counts {
            if count > 0 {
                *self.cells[category].entry(count).or_default() += 1;
                total = total.checked_add(count).expect("the sum of counts fits in 64 bits");
            }
        }
        if total > 0 {
            *self.totals.entry(total).or_default() += 1;
        }
        self.vectors += 1;
    }

    /// Adds all vectors of another summary.
    ///
    /// # Panics
    /// If it has another number of categories.
    #[track_caller]
    pub fn merge(&mut self, other: &Self) {
        assert!(
            other.cells.len() == self.cells.len(),
            "{} and {} categories",
            other.cells.len(),
            self.cells.len()
        );
        for (mine, theirs) in self.cells.iter_mut().zip(&other.cells) {
            add(mine, theirs);
        }
        add(&mut self.totals, &other.totals);
        self.vectors += other.vectors;
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
/// differences f(a + count) - f(a) share the stretches.
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
