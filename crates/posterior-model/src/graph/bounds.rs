//! Conditions on numbers.

use crate::op::{Op, matrix};
use crate::trace::Bound;

impl Bound {
    /// Whether the numbers fulfil it, up to 1e-8 where numbers must add up.
    pub(crate) fn holds(self, x: &[f64]) -> bool {
        self.holds_within(x, 1e-8)
    }

    /// Whether they do up to this.
    pub(crate) fn holds_within(self, x: &[f64], slack: f64) -> bool {
        let near = |a: f64, b: f64| (a - b).abs() <= slack;
        let rows_are_units =
            |n: usize| (0..n).all(|i| near((0..n).map(|j| x[i + j * n] * x[i + j * n]).sum::<f64>(), 1.0));
        let lower = |n: usize, m: usize| {
            (0..m).all(|j| (0..j.min(n)).all(|i| x[i + j * n] == 0.0) && (j >= n || x[j + j * n] > 0.0))
        };
        let symmetric = |n: usize| (0..n).all(|i| (0..i).all(|j| near(x[i + j * n], x[j + i * n])));
        let factor = |n: usize| {
            let mut l = vec![0.0; n * n];
            matrix::forward(Op::Cholesky(n as u32), x, &mut l);
            !l.iter().any(|x| x.is_nan())
        };
        match self {
            Self::AtLeast => x[..x.len() / 2].iter().zip(&x[x.len() / 2..]).all(|(x, low)| x >= low),
            Self::AtMost => x[..x.len() / 2].iter().zip(&x[x.len() / 2..]).all(|(x, high)| x <= high),
            Self::Ordered => x.windows(2).all(|two| two[0] < two[1]),
            Self::PositiveOrdered => {
                x.first().is_none_or(|x| *x >= 0.0) && x.windows(2).all(|two| two[0] < two[1])
            }
            Self::Simplex => x.iter().all(|x| *x >= 0.0) && near(x.iter().sum(), 1.0),
            Self::UnitVector => near(x.iter().map(|x| x * x).sum(), 1.0),
            Self::SumToZero => near(x.iter().sum(), 0.0),
            Self::CholeskyCorr(n) => lower(n, n) && rows_are_units(n),
            Self::CholeskyCov(n, m) => lower(n, m),
            Self::Corr(n) => symmetric(n) && (0..n).all(|i| near(x[i + i * n], 1.0)) && factor(n),
            Self::Cov(n) => symmetric(n) && factor(n),
        }
    }
}
