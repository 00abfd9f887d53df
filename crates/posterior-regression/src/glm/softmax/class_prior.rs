//! Priors of the coefficients of classes, of which class 0 is the reference.

use std::f64::consts::TAU;

use posterior_math::linalg::DMatrix;

use crate::glm::prior::CoefficientPrior;

/// A prior of the coefficients βₖ of the classes from 1 on, class after class.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum ClassPrior {
    /// Independent ones of the log-odds of each class against class 0.
    Against(CoefficientPrior),
    /// The same for all classes, class 0 among them: βₖ = γₖ - γ₀ with independent γₖⱼ ~ N(0, 1/τⱼ), which
    /// are the τⱼ.
    Alike(Vec<f64>),
}

impl ClassPrior {
    /// ln p; without a constant for coefficients whose prior is flat.
    pub(super) fn ln_density(&self, x: &[f64], columns: usize) -> f64 {
        match self {
            Self::Against(prior) => x.chunks(columns).map(|class| prior.ln_density(class)).sum(),
            Self::Alike(precisions) => {
                // The precision of the differences is τ (I - 11ᵀ/K), of determinant τ^(K-1) / K.
                let others = (x.len() / columns) as f64;
                let of_column = |(column, precision): (usize, &f64)| {
                    let own = x.iter().skip(column).step_by(columns);
                    let (sum, squares) =
                        own.fold((0.0, 0.0), |(sum, squares), own| (sum + own, squares + own * own));
                    let distance = precision * (squares - sum * sum / (others + 1.0));
                    0.5 * (others * (precision / TAU).ln() - others.ln_1p() - distance)
                };
                precisions.iter().enumerate().map(of_column).sum()
            }
        }
    }

    /// Adds the gradient of ln p.
    pub(super) fn add_gradient(&self, x: &[f64], columns: usize, gradient: &mut [f64]) {
        match self {
            Self::Against(prior) => {
                for (x, gradient) in x.chunks(columns).zip(gradient.chunks_mut(columns)) {
                    prior.add_gradient(x, gradient);
                }
            }
            Self::Alike(precisions) => {
                let classes = (x.len() / columns + 1) as f64;
                for (column, precision) in precisions.iter().enumerate() {
                    let mean = x.iter().skip(column).step_by(columns).sum::<f64>() / classes;
                    let own = x.iter().zip(gradient.iter_mut()).skip(column).step_by(columns);
                    own.for_each(|(x, slope)| *slope -= precision * (x - mean));
                }
            }
        }
    }

    /// Adds minus the Hessian of ln p, for so many classes besides class 0.
    pub(super) fn add_precision(&self, others: usize, matrix: &mut DMatrix<f64>) {
        let (precisions, common) = match self {
            Self::Against(prior) => (prior.precision(), 0.0),
            Self::Alike(precisions) => (&precisions[..], ((others + 1) as f64).recip()),
        };
        let columns = precisions.len();
        for (column, precision) in precisions.iter().enumerate() {
            for c in 0..others {
                for d in 0..others {
                    let own = if c == d { 1.0 - common } else { -common };
                    matrix[(c * columns + column, d * columns + column)] += precision * own;
                }
            }
        }
    }

    /// Whether it is not flat for a column.
    pub(super) fn holds(&self, column: usize) -> bool {
        match self {
            Self::Against(prior) => prior.precision()[column] > 0.0,
            Self::Alike(_) => true,
        }
    }
}
