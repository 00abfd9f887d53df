//! The distribution of an observation given the outputs of a network, for many rows at once.

use posterior_math::linalg::DMatrix;
use posterior_math::log_space::{ln_1p_exp, logistic, softmax_in_place};
use posterior_math::special::ln_factorial;

/// The distribution of an observation, given the outputs f of a network.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Head {
    /// y ~ N(f, s² I), with one noise variance s² for all outputs.
    Gaussian,
    /// y = 1 with probability σ(f).
    Bernoulli,
    /// Class c with probability proportional to exp f_c. A constant added to all f changes nothing; the prior
    /// decides it.
    Categorical,
    /// y ~ Poisson(exp f).
    Poisson,
}

impl Head {
    /// E[y | f], row by row: f, a probability, probabilities, or a rate.
    pub fn response(self, outputs: &DMatrix<f64>) -> DMatrix<f64> {
        match self {
            Self::Gaussian => outputs.clone(),
            Self::Bernoulli => outputs.map(logistic),
            Self::Categorical => softmax_of_rows(outputs).0,
            Self::Poisson => outputs.map(f64::exp),
        }
    }

    /// ln p(y | f) summed over the rows, and its negative's derivatives by f.
    pub(super) fn ln_likelihood(
        self,
        outputs: &DMatrix<f64>,
        targets: &DMatrix<f64>,
        noise_variance: f64,
    ) -> (f64, DMatrix<f64>) {
        match self {
            Self::Gaussian => {
                let slope = (outputs - targets) / noise_variance;
                let squares = (outputs - targets).component_mul(&slope).sum();
                let constant = outputs.len() as f64 * (std::f64::consts::TAU * noise_variance).ln();
                (-0.5 * (squares + constant), slope)
            }
            Self::Bernoulli => {
                let value = |(f, y): (&f64, &f64)| if *y > 0.0 { -ln_1p_exp(-f) } else { -ln_1p_exp(*f) };
                let slope =
                    outputs.zip_map(targets, |f, y| if y > 0.0 { -logistic(-f) } else { logistic(f) });
                (outputs.iter().zip(targets.iter()).map(value).sum(), slope)
            }
            Self::Categorical => {
                let (mut probabilities, normalizers) = softmax_of_rows(outputs);
                let chosen = outputs.component_mul(targets).sum();
                // The class that was seen: p - 1 without cancellation is minus the sum of the others.
                for i in 0..targets.nrows() {
                    for class in (0..targets.ncols()).filter(|&class| targets[(i, class)] > 0.0) {
                        let others = (0..targets.ncols()).filter(|&other| other != class);
                        let rest: f64 = others.map(|other| probabilities[(i, other)]).sum();
                        probabilities[(i, class)] = -rest;
                    }
                }
                (chosen - normalizers.iter().sum::<f64>(), probabilities)
            }
            Self::Poisson => {
                let rates = outputs.map(f64::exp);
                let terms = outputs.iter().zip(targets.iter()).zip(rates.iter());
                let value = terms.map(|((f, y), rate)| y * f - rate - ln_factorial(*y as u64)).sum();
                (value, rates - targets)
            }
        }
    }

    /// The matrices S of each row with S Sᵀ = -∇² ln p(y | f), by columns: entry j has the j-th column of
    /// each row's S.
    pub(super) fn curvature_roots(self, outputs: &DMatrix<f64>, noise_variance: f64) -> Vec<DMatrix<f64>> {
        match self {
            Self::Gaussian => (0..outputs.ncols())
                .map(|output| {
                    let mut root = DMatrix::zeros(outputs.nrows(), outputs.ncols());
                    root.column_mut(output).fill(noise_variance.sqrt().recip());
                    root
                })
                .collect(),
            Self::Bernoulli => vec![outputs.map(|f| (logistic(f) * logistic(-f)).sqrt())],
            Self::Categorical => {
                let (p, _) = softmax_of_rows(outputs);
                (0..p.ncols())
                    .map(|j| {
                        // √p_j (e_j - p).
                        DMatrix::from_fn(p.nrows(), p.ncols(), |i, c| {
                            let unit = if c == j { 1.0 } else { 0.0 };
                            p[(i, j)].sqrt() * (unit - p[(i, c)])
                        })
                    })
                    .collect()
            }
            Self::Poisson => vec![outputs.map(|f| (0.5 * f).exp())],
        }
    }

    /// -∇² ln p(y | f) times the change of f, row by row.
    pub(super) fn curvature_times(
        self,
        outputs: &DMatrix<f64>,
        noise_variance: f64,
        change: &DMatrix<f64>,
    ) -> DMatrix<f64> {
        match self {
            Self::Gaussian => change / noise_variance,
            Self::Bernoulli => change.zip_map(outputs, |change, f| change * logistic(f) * logistic(-f)),
            Self::Categorical => {
                let (p, _) = softmax_of_rows(outputs);
                let mut product = p.component_mul(change);
                for i in 0..p.nrows() {
                    let mean = product.row(i).sum();
                    for class in 0..p.ncols() {
                        product[(i, class)] -= p[(i, class)] * mean;
                    }
                }
                product
            }
            Self::Poisson => change.zip_map(outputs, |change, f| change * f.exp()),
        }
    }
}

/// The probabilities of each row, and the logarithms of their sums before they were normalised.
pub(super) fn softmax_of_rows(outputs: &DMatrix<f64>) -> (DMatrix<f64>, Vec<f64>) {
    let mut columns = outputs.transpose();
    let classes = columns.nrows();
    let normalizers = columns.as_mut_slice().chunks_mut(classes.max(1)).map(softmax_in_place).collect();
    (columns.transpose(), normalizers)
}
