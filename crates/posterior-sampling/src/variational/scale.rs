//! The scale S of a Gaussian N(μ, S Sᵀ).

use posterior_math::linalg::{DMatrix, solve_lower_in_place, solve_lower_transpose_in_place};

/// Which Gaussians.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum GaussianFamily {
    /// Independent coordinates: n scales. Too narrow where coordinates depend on each other.
    #[default]
    MeanField,
    /// Any covariance: n (n + 1) / 2 numbers, n² operations a draw and n³ a step.
    FullRank,
}

/// A lower triangular matrix with a positive diagonal.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Scale {
    Diagonal(Vec<f64>),
    Triangular(DMatrix<f64>),
}

impl Scale {
    pub(super) fn new(family: GaussianFamily, dim: usize, sd: f64) -> Self {
        match family {
            GaussianFamily::MeanField => Self::Diagonal(vec![sd; dim]),
            GaussianFamily::FullRank => Self::Triangular(DMatrix::from_diagonal_element(dim, dim, sd)),
        }
    }

    /// S v.
    pub(super) fn times(&self, v: &[f64], product: &mut [f64]) {
        match self {
            Self::Diagonal(sds) => {
                for ((product, sd), v) in product.iter_mut().zip(sds).zip(v) {
                    *product = sd * v;
                }
            }
            Self::Triangular(lower) => {
                product.fill(0.0);
                for (j, column) in lower.column_iter().enumerate() {
                    for (product, entry) in product[j..].iter_mut().zip(&column.as_slice()[j..]) {
                        *product += entry * v[j];
                    }
                }
            }
        }
    }

    /// Sᵀ v.
    pub(super) fn transpose_times(&self, v: &[f64], product: &mut [f64]) {
        match self {
            Self::Diagonal(_) => self.times(v, product),
            Self::Triangular(lower) => {
                for (j, column) in lower.column_iter().enumerate() {
                    let terms = column.as_slice()[j..].iter().zip(&v[j..]);
                    product[j] = terms.map(|(entry, v)| entry * v).sum();
                }
            }
        }
    }

    /// S⁻¹ A.
    pub(super) fn solve(&self, mut a: DMatrix<f64>) -> DMatrix<f64> {
        match self {
            Self::Diagonal(sds) => {
                for (mut row, sd) in a.row_iter_mut().zip(sds) {
                    row /= *sd;
                }
            }
            Self::Triangular(lower) => solve_lower_in_place(lower, &mut a),
        }
        a
    }

    /// S⁻ᵀ A.
    pub(super) fn transpose_solve(&self, mut a: DMatrix<f64>) -> DMatrix<f64> {
        match self {
            Self::Diagonal(_) => self.solve(a),
            Self::Triangular(lower) => {
                solve_lower_transpose_in_place(lower, &mut a);
                a
            }
        }
    }

    /// S exp(step), to first order below the diagonal: S (I + lower part of the step), with exp on the
    /// diagonal.
    pub(super) fn grow(&mut self, step: &Self) {
        match (self, step) {
            (Self::Triangular(lower), Self::Triangular(step)) => {
                let n = lower.nrows();
                // From left to right a row needs only its entries further right.
                for j in 0..n {
                    for i in j..n {
                        let later: f64 = (j + 1..=i).map(|k| lower[(i, k)] * step[(k, j)]).sum();
                        lower[(i, j)] = lower[(i, j)] * step[(j, j)].exp() + later;
                    }
                }
            }
            (own, step) => {
                for (i, sd) in own.diagonal_mut().enumerate() {
                    *sd *= step.diagonal()[i].exp();
                }
            }
        }
    }

    /// Multiplied by a positive number.
    pub(super) fn rescale(&mut self, factor: f64) {
        self.numbers_mut().iter_mut().for_each(|entry| *entry *= factor);
    }

    pub(super) fn diagonal(&self) -> Vec<f64> {
        match self {
            Self::Diagonal(sds) => sds.clone(),
            Self::Triangular(lower) => lower.diagonal().as_slice().to_vec(),
        }
    }

    fn diagonal_mut(&mut self) -> impl Iterator<Item = &mut f64> {
        let step = match self {
            Self::Diagonal(_) => 1,
            Self::Triangular(lower) => lower.nrows() + 1,
        };
        self.numbers_mut().iter_mut().step_by(step)
    }

    /// All numbers; those above a diagonal are zero.
    pub(super) fn numbers(&self) -> &[f64] {
        match self {
            Self::Diagonal(sds) => sds,
            Self::Triangular(lower) => lower.as_slice(),
        }
    }

    pub(super) fn numbers_mut(&mut self) -> &mut [f64] {
        match self {
            Self::Diagonal(sds) => sds,
            Self::Triangular(lower) => lower.as_mut_slice(),
        }
    }

    pub(super) fn matrix(&self) -> DMatrix<f64> {
        match self {
            Self::Diagonal(sds) => DMatrix::from_diagonal(&sds.clone().into()),
            Self::Triangular(lower) => lower.clone(),
        }
    }

    pub(super) fn ln_determinant(&self) -> f64 {
        self.diagonal().iter().map(|sd| sd.ln()).sum()
    }
}
