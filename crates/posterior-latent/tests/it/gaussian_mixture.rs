//! Gaussian mixtures: golden traces, reference tables, the generic engine as oracle, missing values, floors
//! and priors.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod floors;
mod golden;
mod missing;
mod oracle;
mod properties;

use posterior_dist::stream::stream;
use posterior_inference::em::EmOptions;
use posterior_latent::Observations;
use posterior_latent::gaussian_mixture::{
    CovarianceKind, Covariances, GaussianMixture, GaussianMixtureOptions,
};
use posterior_math::linalg::DMatrix;
use rand::RngExt;

const KINDS: [CovarianceKind; 4] =
    [CovarianceKind::Full, CovarianceKind::Tied, CovarianceKind::Diagonal, CovarianceKind::Spherical];

/// As many steps as asked for.
fn steps(count: usize) -> GaussianMixtureOptions {
    GaussianMixtureOptions {
        em: EmOptions { tolerance: -1.0, max_iterations: count, ..EmOptions::default() },
        ..GaussianMixtureOptions::default()
    }
}

/// n observations about three centres, in d dimensions.
fn clouds(n: usize, d: usize, seed: u64) -> DMatrix<f64> {
    let mut rng = stream(seed, &[]);
    let centres: Vec<f64> = (0..3 * d).map(|_| 8.0 * rng.random::<f64>()).collect();
    DMatrix::from_fn(n, d, |i, j| {
        centres[(i % 3) * d + j] + (0..4).map(|_| rng.random::<f64>()).sum::<f64>() - 2.0
    })
}

/// A start with these means, and covariances of this kind.
fn start(kind: CovarianceKind, means: &DMatrix<f64>, variance: f64) -> GaussianMixture {
    let (k, d) = means.shape();
    let one = DMatrix::identity(d, d) * variance;
    let covariances = match kind {
        CovarianceKind::Full => Covariances::Full(vec![one; k]),
        CovarianceKind::Tied => Covariances::Tied(one),
        CovarianceKind::Diagonal => Covariances::Diagonal(DMatrix::from_element(k, d, variance)),
        CovarianceKind::Spherical => Covariances::Spherical(vec![variance; k]),
    };
    GaussianMixture::new(&vec![1.0; k], means, covariances).unwrap()
}

fn observations(values: &DMatrix<f64>) -> Observations {
    Observations::new(values).unwrap()
}
