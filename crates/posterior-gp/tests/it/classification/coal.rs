//! A log-Gaussian Cox process: disasters in British coal mines, counted by years.

use posterior_dist::stream::stream;
use posterior_gp::classification::ObservationModel;
use posterior_gp::likelihood::{Count, PoissonLikelihood};
use rand_distr::{Distribution, Poisson};

use super::{close, converged, line, propagated, rbf};

/// The 191 explosions with ten deaths or more from 15 March 1851 to 22 March 1962, by year (Jarrett 1979).
pub(crate) const DISASTERS: [u32; 112] = [
    4, 5, 4, 1, 0, 4, 3, 4, 0, 6, 3, 3, 4, 0, 2, 6, 3, 3, 5, 4, 5, 3, 1, 4, 4, 1, 5, 5, 3, 4, 2, 5, 2, 2, 3,
    4, 2, 1, 3, 2, 2, 1, 1, 1, 1, 3, 0, 0, 1, 0, 1, 1, 0, 0, 3, 1, 0, 3, 2, 2, 0, 1, 1, 1, 0, 1, 0, 1, 0, 0,
    0, 2, 1, 0, 0, 0, 1, 1, 0, 2, 3, 3, 1, 1, 2, 1, 1, 1, 1, 2, 3, 3, 0, 0, 0, 1, 4, 0, 0, 0, 1, 0, 0, 0, 0,
    0, 1, 0, 0, 1, 0, 1,
];

fn by_year(counts: &[u32]) -> ObservationModel<PoissonLikelihood> {
    let years: Vec<f64> = (0..counts.len()).map(|year| 1851.0 + year as f64).collect();
    let counts: Vec<Count> = counts.iter().map(|&count| u64::from(count).into()).collect();
    ObservationModel::new(line(&years), &counts, PoissonLikelihood).unwrap()
}

/// By GPy 1.13 (Laplace's method, RBF of variance 1 and length 20), and by NumPy's Newton steps: evidence,
/// and mean and variance of the logarithm of the rate.
#[test]
fn the_rate_of_disasters_is_that_of_another_program() {
    assert_eq!(DISASTERS.iter().sum::<u32>(), 191);
    let fitted = converged(&by_year(&DISASTERS), &rbf(1.0, 20.0));
    close(fitted.ln_evidence(), -175.176_624_416_871, 1e-10);
    let latent = fitted.latent(&line(&[1860.0, 1885.0, 1890.0, 1920.0, 1950.0])).unwrap();
    let means =
        [1.145_878_087_28, 0.922_426_100_316, 0.645_420_880_904, -0.134_424_749_879, -0.309_553_603_126];
    let variances =
        [0.018_160_234_393, 0.020_697_960_629, 0.025_387_341_148, 0.046_310_406_117, 0.061_325_574_238];
    for i in 0..5 {
        close(latent.mean[i], means[i], 1e-8);
        close(latent.variance[i], variances[i], 1e-8);
    }
    // Three a year at first and one later, as change points have it (Carlin, Gelfand and Smith 1992: 3.1 to
    // 0.9, about 1890): by expectation propagation too.
    let rates = propagated(&by_year(&DISASTERS), &rbf(1.0, 20.0));
    let rates = rates.latent(&line(&[1865.0, 1910.0])).unwrap().mean_response(&PoissonLikelihood);
    assert!((2.8..3.4).contains(&rates[0]) && (0.7..1.1).contains(&rates[1]), "{rates:?}");
}

/// Intervals of 90 % for the rate of a year, over 100 histories that are drawn from the prior: 20 years each,
/// which are dependent, so that the standard error is taken over histories.
#[test]
fn intervals_hold_the_rate_as_often_as_they_say() {
    let prior = rbf(1.0, 8.0);
    let years: Vec<f64> = (0..20).map(|year| 1851.0 + f64::from(year)).collect();
    let sampler = prior.sampler(&line(&years)).unwrap();
    let mut rng = stream(7, &[]);
    let covered: Vec<f64> = (0..100)
        .map(|_| {
            let truth = sampler.sample(&mut rng);
            let counts: Vec<u32> =
                truth.iter().map(|f| Poisson::new(f.exp()).unwrap().sample(&mut rng) as u32).collect();
            let latent = propagated(&by_year(&counts), &prior).latent(&line(&years)).unwrap();
            let inside = |i: &usize| (truth[*i] - latent.mean[*i]).abs() < 1.645 * latent.variance[*i].sqrt();
            (0..20).filter(inside).count() as f64 / 20.0
        })
        .collect();
    let mean = covered.iter().sum::<f64>() / 100.0;
    let error = (covered.iter().map(|own| (own - mean).powi(2)).sum::<f64>() / 99.0 / 100.0).sqrt();
    assert!((mean - 0.9).abs() < 3.0 * error && error < 0.02, "{mean} {error}");
}
