//! Tempering: the path from prior to posterior, and what is made of it.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod annealed;
mod path;
mod schedule;
mod sequential;

use posterior_dist::Density;
use posterior_dist::target::{FromFn, Target, Unconstrained};
use posterior_gaussian::{Gaussian, LinearGaussian};
use posterior_math::bijection::{Elementwise, Identity};
use posterior_math::linalg::DMatrix;
use posterior_sampling::Info;
use posterior_sampling::importance::NormalizedTarget;

/// A Gaussian prior of three numbers, two noisy sums of them, and the exact answer.
struct Conjugate {
    prior: Gaussian,
    posterior: Gaussian,
    noise: Gaussian,
    ln_evidence: f64,
}

const SUMS: [[f64; 3]; 2] = [[1.0, 1.0, 0.0], [0.0, -1.0, 2.0]];
const OBSERVED: [f64; 2] = [2.5, -1.0];

fn conjugate() -> Conjugate {
    let prior = Gaussian::independent(&[0.0, 0.5, -0.5], &[1.0, 4.0, 2.0]).unwrap();
    let covariance = DMatrix::from_row_slice(2, 2, &[0.3, 0.1, 0.1, 0.2]);
    let map =
        LinearGaussian::new(&DMatrix::from_row_slice(2, 3, &SUMS.concat()), &[0.0; 2], &covariance).unwrap();
    let updated = prior.bayes(&map, &OBSERVED).unwrap();
    let noise = Gaussian::new(&[0.0; 2], &covariance).unwrap();
    Conjugate { prior, noise, posterior: updated.posterior, ln_evidence: updated.ln_evidence }
}

impl Conjugate {
    fn prior(&self) -> impl NormalizedTarget + Sync + use<> {
        Unconstrained::new(self.prior.clone(), Elementwise::new(Identity, 3), 3).unwrap()
    }

    fn likelihood(&self) -> impl Target + Sync + use<> {
        let noise = self.noise.clone();
        FromFn::new(3, move |x: &[f64]| {
            let residual =
                |row: usize| OBSERVED[row] - SUMS[row].iter().zip(x).map(|(a, x)| a * x).sum::<f64>();
            noise.ln_pdf(&[residual(0), residual(1)])
        })
    }
}

/// What a kernel says that has nothing to say.
struct Nothing;

impl Info for Nothing {
    const NAMES: &'static [&'static str] = &[];

    fn write(&self, _: &mut [f64]) {}
}
