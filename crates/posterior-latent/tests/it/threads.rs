//! Numbers do not depend on the number of threads, to the bit.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use posterior_dist::{Gamma, PitmanYor};
use posterior_gaussian::{Gaussian, NormalInverseWishart};
use posterior_inference::em::EmOptions;
use posterior_inference::variational::AscentOptions;
use posterior_latent::Observations;
use posterior_latent::dirichlet_process::{HyperPrior, ProcessGibbs};
use posterior_latent::gaussian_mixture::{CovarianceKind, GaussianMixtureOptions, GaussianMixtureProblem};
use posterior_latent::gibbs::{ConjugateGaussians, sample};
use posterior_latent::k_means::{KMeansOptions, MiniBatchOptions, best_of_starts, mini_batch};
use posterior_latent::principal_components::{self, PcaOptions};
use posterior_latent::variational::{BayesianMixture, MixtureAscent};
use posterior_math::iteration::Silent;
use posterior_math::linalg::DMatrix;
use posterior_sampling::Run;

/// Three groups that overlap; many rows are several blocks of tiles.
fn groups(rows: usize) -> DMatrix<f64> {
    DMatrix::from_fn(rows, 3, |i, j| {
        let wave = ((17 * i + 5 * j + 3) as f64 * 0.7).sin() + ((29 * i + 11 * j) as f64 * 0.31).cos();
        2.0 * (i % 3) as f64 * (1.0 - 0.4 * j as f64) + wave
    })
}

fn same_bits<T: PartialEq + std::fmt::Debug + Send>(f: impl Fn() -> T + Sync) {
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(&f)
    };
    let one = with(1);
    for threads in [2, 3] {
        assert_eq!(with(threads), one, "{threads} threads");
    }
}

#[test]
fn clusters_and_components() {
    let data = Observations::new(&groups(20_000)).unwrap();
    same_bits(|| {
        best_of_starts(&data, &KMeansOptions { max_iterations: 10, ..KMeansOptions::new(9) }, 3, 1).unwrap()
    });
    same_bits(|| {
        mini_batch(
            &data,
            &MiniBatchOptions { max_iterations: 10, ..MiniBatchOptions::new(3) },
            1,
            &mut Silent,
        )
        .unwrap()
    });
    same_bits(|| principal_components::fit(&data, &PcaOptions::default()).unwrap());
}

#[test]
fn mixtures() {
    let data = Observations::new(&groups(20_000)).unwrap();
    for kind in [CovarianceKind::Full, CovarianceKind::Diagonal] {
        let mut options = GaussianMixtureOptions { covariance: kind, ..GaussianMixtureOptions::default() };
        options.em = EmOptions { max_iterations: 5, ..options.em };
        let problem = GaussianMixtureProblem::new(&data, options).unwrap();
        same_bits(|| {
            let found = problem.fit_best(3, 2, 1).unwrap();
            let proportions = found.best.model.mixture.responsibilities(&data).unwrap();
            (found.best, found.index, proportions)
        });
    }
    let prior = NormalInverseWishart::new(&[0.0; 3], 0.1, &DMatrix::identity(3, 3), 5.0).unwrap();
    let model = BayesianMixture::<Gaussian, _>::finite(3, 0.5, prior, 3).unwrap();
    let problem = MixtureAscent::new(&model, &data).unwrap();
    let options = AscentOptions { max_iterations: 5, ..AscentOptions::default() };
    same_bits(|| problem.fit_best(2, 1, &options).unwrap().best);
}

#[test]
fn chains() {
    let prior = NormalInverseWishart::new(&[0.0; 3], 0.1, &DMatrix::identity(3, 3), 5.0).unwrap();
    let components = ConjugateGaussians::new(&groups(60), &prior).unwrap();
    let learned = HyperPrior::concentration(Gamma::shape_rate(1.0, 1.0).unwrap());
    let sampler =
        ProcessGibbs::new(&components, PitmanYor::chinese_restaurant(1.0).unwrap()).with_hyper_prior(learned);
    let run = Run { warm_up: 5, draws: 20, chains: 4, seed: 3, ..Run::default() };
    same_bits(|| sample(&sampler, &run).unwrap());
}
