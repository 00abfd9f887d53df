//! The mean and the variance of each coordinate, of points that come one by one.

/// The mean and the sum of squares of each coordinate, by Welford's recursion.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Spread {
    count: f64,
    mean: Vec<f64>,
    squares: Vec<f64>,
}

impl Spread {
    pub(super) fn new(dim: usize) -> Self {
        Self { count: 0.0, mean: vec![0.0; dim], squares: vec![0.0; dim] }
    }

    pub(super) fn push(&mut self, point: &[f64]) {
        self.count += 1.0;
        let weight = 1.0 / self.count;
        for ((mean, squares), x) in self.mean.iter_mut().zip(&mut self.squares).zip(point) {
            let before = x - *mean;
            *mean += before * weight;
            *squares += before * (x - *mean);
        }
    }

    pub(super) const fn count(&self) -> usize {
        self.count as usize
    }

    /// The variance of each coordinate; NaN of less than two points.
    pub(super) fn variances(&self) -> impl Iterator<Item = f64> {
        let degrees = if self.count > 1.0 { self.count - 1.0 } else { f64::NAN };
        self.squares.iter().map(move |squares| squares / degrees)
    }
}
