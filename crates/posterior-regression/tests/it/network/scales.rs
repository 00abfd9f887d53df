//! An average over the scale of the prior.

use posterior_dist::stream::stream;
use posterior_math::linalg::{Cholesky, DMatrix};
use posterior_math::log_space::{ln_sum_exp, logistic};
use posterior_math::special::normal_cdf;
use posterior_regression::network::{
    Activation, Head, HessianKind, Joint, Network, NetworkData, NetworkFitOptions, NetworkHyperparameters,
    NetworkLaplace, ScaleMixture, averaged_logistic,
};
use rand::RngExt;

use super::exact::sharp_mode;
use super::oracle::{assert_close, normals, observed};

/// ln of the half-Cauchy density of ln τ, without its constant, at each scale that is tried.
fn ln_prior(median: f64) -> Vec<(f64, f64)> {
    let at = |step: i32| {
        let scale = median * 10_f64.powf(f64::from(step) / 4.0);
        (scale, (scale / (median * median + scale * scale)).ln())
    };
    (-4..=4).map(at).collect()
}

/// Linear with Gaussian noise: every evidence is known, y ~ N(0, s² I + τ² X Xᵀ).
#[test]
fn weights_are_evidence_times_prior() {
    let observations = observed(Head::Gaussian, 12, 2, 1, 3);
    let network = Network::new(2, &[], 1, Activation::Tanh).unwrap();
    let hyperparameters = NetworkHyperparameters::new(1.0).unwrap().with_noise_variance(0.5).unwrap();
    let joint = Joint::new(network, observations.clone(), hyperparameters).unwrap();
    let found =
        ScaleMixture::new(&joint, 2.0, HessianKind::GaussNewton, &NetworkFitOptions::default()).unwrap();
    let x = observations.inputs().clone().insert_column(2, 1.0);
    let ln_evidence = |scale: f64| {
        let gram = &x * x.transpose() * (scale * scale) + DMatrix::identity(12, 12) * 0.5;
        let factor = Cholesky::new(&gram).unwrap();
        let y = observations.targets().column(0).into_owned();
        -0.5 * (factor.quadratic_form(&y) + factor.ln_determinant() + 12.0 * std::f64::consts::TAU.ln())
    };
    let prior = ln_prior(2.0);
    let all: Vec<f64> = prior.iter().map(|(scale, ln_prior)| ln_evidence(*scale) + ln_prior).collect();
    let total = ln_sum_exp(&all);
    let weights: Vec<f64> = all.iter().map(|ln| (ln - total).exp()).collect();
    assert_close(&found.weights().map(|(_, weight)| weight).collect::<Vec<_>>(), &weights, 1e-6);
    assert_close(
        &found.weights().map(|(scale, _)| scale).collect::<Vec<_>>(),
        &prior.iter().map(|(scale, _)| *scale).collect::<Vec<_>>(),
        1e-14,
    );
    let normaliser = ln_sum_exp(&prior.iter().map(|(_, ln)| *ln).collect::<Vec<_>>());
    assert_close(&[found.ln_evidence()], &[total - normaliser], 1e-6);
    let below: f64 =
        found.weights().filter(|(scale, _)| *scale < found.median()).map(|(_, weight)| weight).sum();
    assert!(below < 0.5);
}

#[test]
fn predictions_are_those_of_the_scales_together() {
    for (head, outputs) in [(Head::Bernoulli, 1), (Head::Categorical, 2)] {
        let network = Network::new(2, &[], outputs, Activation::Tanh).unwrap();
        let observations = observed(head, 20, 2, outputs, 5);
        let joint = Joint::new(network, observations, NetworkHyperparameters::new(1.0).unwrap()).unwrap();
        let found =
            ScaleMixture::new(&joint, 1.0, HessianKind::GaussNewton, &NetworkFitOptions::default()).unwrap();
        let new = normals(6, 3, 2);
        let (response, levels) = (found.response(&new).unwrap(), [0.05, 0.5, 0.95]);
        let quantiles = found.response_quantiles(&new, &levels).unwrap();
        let parts: Vec<(f64, Vec<[f64; 2]>)> = found
            .weights()
            .map(|(scale, weight)| {
                let own = NetworkHyperparameters::new(scale.powi(-2)).unwrap();
                let joint = joint.clone().with_hyperparameters(own).unwrap();
                let laplace =
                    NetworkLaplace::new(&joint, &sharp_mode(&joint), HessianKind::GaussNewton).unwrap();
                let latent = laplace.latent(&new).unwrap();
                let difference = |i: usize| {
                    let (mean, covariance) = (latent.mean().row(i).into_owned(), latent.covariance(i));
                    match outputs {
                        1 => [mean[0], covariance[0]],
                        _ => [mean[1] - mean[0], covariance[0] + covariance[3] - 2.0 * covariance[1]],
                    }
                };
                (weight, (0..3).map(difference).collect())
            })
            .collect();
        for i in 0..3 {
            let average = |g: &dyn Fn(f64, f64) -> f64| -> f64 {
                parts
                    .iter()
                    .map(|(weight, distributions)| weight * g(distributions[i][0], distributions[i][1]))
                    .sum()
            };
            let last = outputs - 1;
            assert!((response[(i, last)] - average(&averaged_logistic)).abs() < 1e-5);
            for (quantiles, level) in quantiles.iter().zip(levels) {
                let p = quantiles[(i, last)];
                let below =
                    average(&|mean, variance| normal_cdf(((p / (1.0 - p)).ln() - mean) / variance.sqrt()));
                assert!((below - level).abs() < 1e-4, "{head:?} {level} {below}");
            }
        }
    }
}

/// Three classes by points: about what two networks of one output each would say, and quantiles in order.
#[test]
fn several_classes_have_quantiles_too() {
    let network = Network::new(2, &[4], 3, Activation::Tanh).unwrap();
    let observations = observed(Head::Categorical, 30, 2, 3, 8);
    let joint = Joint::new(network, observations, NetworkHyperparameters::new(1.0).unwrap()).unwrap();
    let found =
        ScaleMixture::new(&joint, 1.0, HessianKind::GaussNewton, &NetworkFitOptions::default()).unwrap();
    let new = normals(9, 4, 2);
    let (response, levels) = (found.response(&new).unwrap(), [0.05, 0.25, 0.5, 0.75, 0.95]);
    let quantiles = found.response_quantiles(&new, &levels).unwrap();
    for i in 0..4 {
        assert!((response.row(i).sum() - 1.0).abs() < 1e-12);
        for class in 0..3 {
            let own: Vec<f64> = quantiles.iter().map(|matrix| matrix[(i, class)]).collect();
            assert!(
                own.is_sorted() && own[0] < response[(i, class)] && response[(i, class)] < own[4],
                "{own:?}"
            );
        }
    }
}

/// The proportion of probabilities at new rows that are in their intervals, and the narrowest of these, over
/// simulated data.
fn coverage(rows: usize, sets: u64, outputs: impl Fn(&DMatrix<f64>, u64) -> DMatrix<f64>) -> (f64, f64) {
    let (mut inside, mut narrowest) = (0.0, 1.0_f64);
    for set in 0..sets {
        let (x, new) = (normals(1000 + set, rows, 2), normals(2000 + set, 30, 2));
        let mut rng = stream(set, &[3]);
        let labels: Vec<bool> = outputs(&x, set).iter().map(|f| rng.random::<f64>() < logistic(*f)).collect();
        let network = Network::new(2, &[10], 1, Activation::Tanh).unwrap();
        let observations = NetworkData::binary(x, &labels).unwrap();
        let joint = Joint::new(network, observations, NetworkHyperparameters::new(1.0).unwrap()).unwrap();
        let found =
            ScaleMixture::new(&joint, 2.0, HessianKind::GaussNewton, &NetworkFitOptions::default()).unwrap();
        let ends = found.response_quantiles(&new, &[0.05, 0.95]).unwrap();
        for (i, f) in outputs(&new, set).iter().enumerate() {
            let interval = ends[0][i]..=ends[1][i];
            inside += f64::from(u8::from(interval.contains(&logistic(*f)))) / (30 * sets) as f64;
            narrowest = narrowest.min(ends[1][i] - ends[0][i]);
        }
    }
    (inside, narrowest)
}

/// By the evidence alone a fifth of the probabilities were in their intervals at 60 rows, and every fourth
/// table had one probability for all rows with an interval narrower than 0.01. The coverage of 24 tables has
/// a standard error of about 0.03.
#[test]
fn intervals_hold_where_the_data_say_little() {
    let network = Network::new(2, &[10], 1, Activation::Tanh).unwrap();
    let drawn = |x: &DMatrix<f64>, set: u64| {
        network.outputs_at(normals(3000 + set, network.parameters(), 1).as_slice(), x).unwrap()
    };
    let (inside, narrowest) = coverage(60, 24, drawn);
    assert!(inside > 0.8 && narrowest > 1e-4, "{inside} {narrowest}");
    let (inside, narrowest) = coverage(60, 12, |x, _| DMatrix::zeros(x.nrows(), 1));
    assert!(inside > 0.85 && narrowest > 0.05, "{inside} {narrowest}");
    let (inside, _) = coverage(60, 12, |x, _| x.columns(0, 1) - x.columns(1, 1) * 0.5);
    assert!(inside > 0.8, "{inside}");
}

#[test]
fn misuse_is_refused() {
    let network = Network::new(2, &[], 1, Activation::Tanh).unwrap();
    let observations = observed(Head::Bernoulli, 5, 2, 1, 3);
    let joint = Joint::new(network, observations, NetworkHyperparameters::new(1.0).unwrap()).unwrap();
    for median in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(
            ScaleMixture::new(&joint, median, HessianKind::Diagonal, &NetworkFitOptions::default()).is_err()
        );
    }
    let found = ScaleMixture::new(&joint, 1.0, HessianKind::Diagonal, &NetworkFitOptions::default()).unwrap();
    assert!(found.response(&DMatrix::zeros(1, 3)).is_err());
    assert!(found.response_quantiles(&DMatrix::zeros(1, 2), &[1.0]).is_err());
    assert!(found.disagreement() < 1e-6);
}
