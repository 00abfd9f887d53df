//! Predictions: closed forms against draws and quadrature.

use posterior_dist::stream::stream;
use posterior_math::iteration::Silent;
use posterior_math::linalg::DMatrix;
use posterior_math::log_space::logistic;
use posterior_math::quadrature::{QuadratureOptions, gauss_kronrod, gauss_kronrod_pieces};
use posterior_math::special::{ln_factorial, normal_cdf};
use posterior_regression::network::{
    Activation, Head, HessianKind, Joint, Network, NetworkData, NetworkFitOptions, NetworkHyperparameters,
    NetworkLaplace, averaged_logistic, fit,
};
use rand::RngExt;

use super::exact::{KINDS, golden, sharp_mode};
use super::oracle::{assert_close, normals, observed, some_weights};

/// ∫ g(f) N(f; mean, variance) df over ±12 standard deviations.
fn averaged(mean: f64, variance: f64, g: impl Fn(f64) -> f64) -> f64 {
    let deviation = variance.sqrt();
    let density = |z: f64| (-0.5 * z * z).exp() / std::f64::consts::TAU.sqrt() * g(mean + deviation * z);
    gauss_kronrod(density, -12.0, 12.0, &QuadratureOptions::default()).value
}

#[test]
fn averages_of_the_logistic_function_are_integrals() {
    // 30 digits of another program, and by this quadrature.
    assert_close(&[averaged_logistic(1.0, 2.0)], &[0.675056702338], 1e-11);
    assert_close(&[averaged(1.0, 2.0, logistic)], &[0.675056702338], 1e-11);
    assert_close(&[averaged(1.0, 2.0, normal_cdf)], &[0.718148569175], 1e-11);
    for i in 0..=80 {
        let mean = 0.2 * f64::from(i) - 8.0;
        assert_eq!(averaged_logistic(mean, 0.0), logistic(mean));
        for variance in [1e-12, 0.05, 0.3, 1.0, 2.0, 4.0, 7.0, 15.0, 30.0, 55.0, 1e4] {
            let found = averaged_logistic(mean, variance);
            assert!((found + averaged_logistic(-mean, variance) - 1.0).abs() < 1e-14);
            assert!((found - averaged(mean, variance, logistic)).abs() < 1e-9, "{mean} {variance}");
        }
    }
    for (mean, variance) in [(0.0, -1.0), (0.0, f64::INFINITY), (f64::NAN, 1.0)] {
        assert!(averaged_logistic(mean, variance).is_nan());
    }
}

/// E softmax(f) of three classes by another route: softmax is σ(-a) σ(ln(1 + e^a) - b) with the differences a
/// and b of the other classes to the one, and b is normal given a.
fn three_classes(mean: &[f64], covariance: &DMatrix<f64>, class: usize) -> f64 {
    let [first, second] = match class {
        0 => [1, 2],
        1 => [0, 2],
        _ => [0, 1],
    };
    let between = |a: usize, b: usize| {
        covariance[(a, b)] - covariance[(a, class)] - covariance[(b, class)] + covariance[(class, class)]
    };
    let (sd, slope) = (between(first, first).sqrt(), between(first, second) / between(first, first));
    let rest = (between(second, second) - slope * between(first, second)).max(0.0);
    let given = |z: f64| {
        let a = mean[first] - mean[class] + sd * z;
        let b = mean[second] - mean[class] + slope * sd * z;
        let density = (-0.5 * z * z).exp() / std::f64::consts::TAU.sqrt();
        density * logistic(-a) * averaged_logistic(posterior_math::log_space::ln_1p_exp(a) - b, rest)
    };
    // Where a is 0 the integrand may have a step.
    let step = (mean[class] - mean[first]) / sd;
    let mut cuts = vec![-9.0, 0.0, 9.0];
    cuts.extend([step - 30.0 / sd, step, step + 30.0 / sd].iter().filter(|cut| cut.abs() < 9.0));
    cuts.sort_by(f64::total_cmp);
    gauss_kronrod_pieces(given, &cuts, &QuadratureOptions { absolute: 1e-8, ..QuadratureOptions::default() })
        .value
}

/// Laplace's approximation of a softmax regression of 30 rows on three inputs, drawn from about its own
/// model.
fn softmax_regression(classes: usize, precision: f64, seed: u64) -> NetworkLaplace {
    let (x, weights) = (normals(seed, 30, 3), normals(seed + 1, 3, classes));
    let mut rng = stream(seed, &[2]);
    let labels: Vec<usize> = (x * weights * 1.5)
        .row_iter()
        .map(|row| {
            let noisy = row.map(|f| f - (-rng.random::<f64>().ln()).ln());
            noisy.transpose().imax()
        })
        .collect();
    let observations = NetworkData::classes(normals(seed, 30, 3), &labels, classes).unwrap();
    let network = Network::new(3, &[], classes, Activation::Tanh).unwrap();
    let joint = Joint::new(network, observations, NetworkHyperparameters::new(precision).unwrap()).unwrap();
    NetworkLaplace::new(&joint, &sharp_mode(&joint), HessianKind::GaussNewton).unwrap()
}

const PRECISIONS: [f64; 6] = [10.0, 1.0, 0.1, 1e-2, 1e-3, 1e-4];

/// The largest error over these problems is 5e-5; by the marginal variances of the outputs, which hold the
/// constant that no observation determines, probabilities were off by 0.4.
#[test]
fn three_classes_are_averaged_over_their_differences() {
    for (problem, precision) in PRECISIONS.into_iter().flat_map(|precision| [(1, precision), (2, precision)])
    {
        let laplace = softmax_regression(3, precision, 100 + problem);
        let latent = laplace.latent(&normals(7, 5, 3)).unwrap();
        let response = latent.response();
        for row in 0..5 {
            let mean: Vec<f64> = latent.mean().row(row).iter().copied().collect();
            for class in 0..3 {
                let expected = three_classes(&mean, &latent.covariance(row), class);
                let found = response[(row, class)];
                assert!((found - expected).abs() < 1e-4, "{precision} {row} {class}: {found} {expected}");
            }
        }
    }
}

/// Two classes by quadrature, and more against 200,000 draws: five standard errors, and the error that is
/// documented.
#[test]
fn classes_are_averages_whatever_the_prior() {
    for (classes, error) in [(2, 1e-9), (4, 4e-4), (6, 2e-3)] {
        for (index, precision) in PRECISIONS.into_iter().enumerate() {
            let laplace = softmax_regression(classes, precision, 200 + index as u64);
            let latent = laplace.latent(&normals(8, 2, 3)).unwrap();
            let (found, draws) = (latent.response(), 200_000);
            let drawn = latent.response_by_draws(draws, &mut stream(3, &[index as u64])).unwrap();
            for (found, drawn) in found.iter().zip(drawn.iter()) {
                let noise = 5.0 * (drawn * (1.0 - drawn) / draws as f64).sqrt();
                assert!((found - drawn).abs() < error + noise, "{classes} {precision}: {found} {drawn}");
            }
        }
    }
}

/// Two classes by two outputs are two classes by one, of half the precision.
#[test]
fn two_outputs_are_one() {
    let (x, new) = (normals(5, 40, 2), normals(6, 5, 2));
    let labels: Vec<bool> =
        x.column(0).iter().zip(normals(7, 40, 1).iter()).map(|(x, e)| x + e > 0.3).collect();
    let classes: Vec<usize> = labels.iter().map(|&label| usize::from(label)).collect();
    let fit = |observations: NetworkData, outputs: usize, precision: f64| {
        let network = Network::new(2, &[], outputs, Activation::Tanh).unwrap();
        let joint =
            Joint::new(network, observations, NetworkHyperparameters::new(precision).unwrap()).unwrap();
        NetworkLaplace::new(&joint, &sharp_mode(&joint), HessianKind::GaussNewton).unwrap()
    };
    for precision in [10.0, 1e-2, 1e-6] {
        let one = fit(NetworkData::binary(x.clone(), &labels).unwrap(), 1, 0.5 * precision);
        let two = fit(NetworkData::classes(x.clone(), &classes, 2).unwrap(), 2, precision);
        let (one_latent, two_latent) = (one.latent(&new).unwrap(), two.latent(&new).unwrap());
        let second = two_latent.response().column(1).into_owned();
        assert_close(second.as_slice(), one_latent.response().as_slice(), 1e-6);
        let levels = [0.05, 0.95];
        let (a, b) = (one_latent.response_quantiles(&levels), two_latent.response_quantiles(&levels));
        for (a, b) in a.unwrap().iter().zip(b.unwrap()) {
            assert_close(b.column(1).into_owned().as_slice(), a.as_slice(), 1e-6);
        }
    }
}

/// Weights that no search found, held fast by their prior: the outputs are as far apart as one likes.
#[test]
fn predictive_densities_have_logarithms_where_they_underflow() {
    let far = |observations: NetworkData, outputs: usize, w: &[f64]| {
        let network = Network::new(1, &[], outputs, Activation::Tanh).unwrap();
        let joint =
            Joint::new(network, observations.clone(), NetworkHyperparameters::new(4.0).unwrap()).unwrap();
        let latent = NetworkLaplace::new(&joint, w, HessianKind::GaussNewton)
            .unwrap()
            .latent(observations.inputs())
            .unwrap();
        (latent.ln_predictive(&observations).unwrap()[0], latent.response())
    };
    let x = DMatrix::from_element(1, 1, 2.0);
    // Each output has the variance (1 + 2²) / 4: E e^f = e^(m + v/2), of a difference twice that.
    let (ln_p, p) = far(NetworkData::binary(x.clone(), &[true]).unwrap(), 1, &[-500.0, 0.0]);
    assert!((ln_p - (-1000.0 + 0.625)).abs() < 1e-6 && p[0] == 0.0, "{ln_p}");
    let two = NetworkData::classes(x.clone(), &[1], 2).unwrap();
    let (ln_p, p) = far(two, 2, &[500.0, 0.0, 0.0, 0.0]);
    assert!((ln_p - (-1000.0 + 1.25)).abs() < 1e-6 && p[(0, 1)] == 0.0, "{ln_p}");
    let three = NetworkData::classes(x, &[1], 3).unwrap();
    let (ln_p, p) = far(three, 3, &[500.0, 0.0, 0.0, 0.0, -100.0, 0.0]);
    assert!((ln_p - (-1000.0 + 1.25)).abs() < 1e-3 && p[(0, 1)] == 0.0, "{ln_p}");
}

#[test]
fn quantiles_are_of_the_response_and_not_of_an_observation() {
    let laplace = softmax_regression(3, 0.16, 300);
    let latent = laplace.latent(&normals(9, 3, 3)).unwrap();
    let [low, high] = <[_; 2]>::try_from(latent.response_quantiles(&[0.05, 0.95]).unwrap()).unwrap();
    let mut rng = stream(4, &[]);
    let mut inside = DMatrix::<f64>::zeros(3, 3);
    for _ in 0..10_000 {
        let w = laplace.draw_weights(&mut rng);
        let drawn = Head::Categorical.response(&laplace.network().outputs_at(&w, &normals(9, 3, 3)).unwrap());
        inside += DMatrix::from_fn(3, 3, |i, c| {
            f64::from(u8::from((low[(i, c)]..=high[(i, c)]).contains(&drawn[(i, c)])))
        });
    }
    // Five standard errors of a proportion of 0.9.
    assert!(inside.iter().all(|count| (count / 10_000.0 - 0.9).abs() < 0.015), "{inside}");
    assert!(latent.response_quantiles(&[0.0]).is_err() && latent.response_quantiles(&[f64::NAN]).is_err());
}

/// Contrasts have the variances that the whole covariance gives them, and none of the prior's.
#[test]
fn deviations_of_contrasts_are_without_what_is_common() {
    for precision in [1.0, 1e-10] {
        let laplace = softmax_regression(3, precision, 400);
        let layer = laplace.network().layers()[0];
        let contrasts = DMatrix::from_fn(laplace.mode().len(), 3, |at, class| {
            let own = (0..3).find(|&unit| at == layer.weight(0, unit));
            own.map_or(0.0, |unit| f64::from(u8::from(unit == class)) - 1.0 / 3.0)
        });
        let found = laplace.deviations_of(&contrasts).unwrap();
        // Of the class itself, less the variance of the mean of three coefficients under the prior alone.
        let all = laplace.standard_deviations();
        for class in 0..3 {
            let own = all[layer.weight(0, class)].powi(2) - 1.0 / (3.0 * precision);
            assert!((found[class].powi(2) / own - 1.0).abs() < 1e-8 || precision < 1.0);
            assert!(found[class] < 10.0, "{found}");
        }
        let sum = DMatrix::from_fn(laplace.mode().len(), 1, |at, _| contrasts.row(at).sum());
        assert!(laplace.deviations_of(&sum).unwrap()[0] < 1e-8 / precision.sqrt());
        assert!(laplace.deviations_of(&DMatrix::zeros(2, 1)).is_err());
    }
}

/// The variance of E[y | f], for one row and one output; for classes not above that of a coin.
fn variance_of_response(head: Head, mean: f64, variance: f64) -> f64 {
    match head {
        Head::Gaussian => variance,
        Head::Poisson => (2.0 * mean + variance).exp() * variance.exp_m1(),
        _ => 0.25,
    }
}

/// Five standard errors of 40,000 draws for each of 56 numbers: a false alarm in 30,000 seeds.
#[test]
fn responses_are_the_means_of_draws() {
    for (head, outputs) in
        [(Head::Gaussian, 2), (Head::Bernoulli, 1), (Head::Categorical, 3), (Head::Poisson, 1)]
    {
        let network = Network::new(2, &[], outputs, Activation::Tanh).unwrap();
        let hyperparameters = NetworkHyperparameters::new(2.0).unwrap();
        let joint = Joint::new(network, observed(head, 30, 2, outputs, 13), hyperparameters).unwrap();
        let laplace = NetworkLaplace::new(&joint, &sharp_mode(&joint), HessianKind::GaussNewton).unwrap();
        let new = normals(14, 4, 2);
        let latent = laplace.latent(&new).unwrap();
        let by_draws = latent.response_by_draws(40_000, &mut stream(1, &[])).unwrap();
        // Without hidden layers a drawn network is its linearisation.
        let networks = laplace.response_of_networks(&new, 40_000, &mut stream(2, &[])).unwrap();
        let (closed, variance) = (latent.response(), latent.variance());
        for at in 0..closed.len() {
            let noise = 5.0 * (variance_of_response(head, latent.mean()[at], variance[at]) / 40_000.0).sqrt();
            assert!((by_draws[at] - closed[at]).abs() < noise, "{head:?} {at}");
            assert!((networks[at] - by_draws[at]).abs() < 1.5 * noise, "{head:?} {at}");
        }
    }
}

/// The variance of 4000 draws has a relative standard error of 2.2 %: five of them, for each of 15 numbers a
/// false alarm in 1.7 million.
#[test]
fn drawn_weights_have_the_covariance_of_predictions() {
    let network = Network::new(2, &[4, 3], 1, Activation::Tanh).unwrap();
    let joint = Joint::new(
        network,
        observed(Head::Bernoulli, 40, 2, 1, 3),
        NetworkHyperparameters::new(1.0).unwrap(),
    )
    .unwrap();
    let w = some_weights(joint.network(), 12);
    let new = normals(15, 3, 2);
    let jacobian = &joint.network().jacobians_at(&w, &new).unwrap()[0];
    for kind in KINDS {
        let Ok(laplace) = NetworkLaplace::new(&joint, &w, kind) else { continue };
        let mut rng = stream(5, &[]);
        let mut sums = DMatrix::zeros(3, 1);
        for _ in 0..4000 {
            let drawn = laplace.draw_weights(&mut rng);
            let deviation = DMatrix::from_fn(w.len(), 1, |at, _| drawn[at] - w[at]);
            sums += (jacobian * deviation).map(|f| f * f / 4000.0);
        }
        let variance = laplace.latent(&new).unwrap().variance();
        for (drawn, variance) in sums.iter().zip(variance.iter()) {
            assert!((drawn / variance - 1.0).abs() < 0.112, "{kind:?}: {drawn} {variance}");
        }
    }
}

#[test]
fn predictive_densities_are_those_of_the_distributions() {
    let binary = golden();
    let laplace = NetworkLaplace::new(&binary, &sharp_mode(&binary), HessianKind::Hessian).unwrap();
    let x = DMatrix::from_column_slice(2, 1, &[1.5, 1.5]);
    let new = NetworkData::binary(x.clone(), &[true, false]).unwrap();
    let found = laplace.latent(&x).unwrap().ln_predictive(&new).unwrap();
    let expected = averaged(0.682383683601, 1.218650699294, logistic);
    assert_close(&found, &[expected.ln(), (1.0 - expected).ln()], 1e-10);

    let network = Network::new(1, &[], 1, Activation::Tanh).unwrap();
    let observations = observed(Head::Poisson, 12, 1, 1, 8);
    let joint = Joint::new(network, observations, NetworkHyperparameters::new(1.0).unwrap()).unwrap();
    let laplace = NetworkLaplace::new(&joint, &sharp_mode(&joint), HessianKind::Hessian).unwrap();
    let x = DMatrix::from_column_slice(3, 1, &[0.3, -2.0, 5.0]);
    let counts = [2, 0, 7];
    let latent = laplace.latent(&x).unwrap();
    let found = latent.ln_predictive(&NetworkData::counts(x, &counts).unwrap()).unwrap();
    for i in 0..3 {
        let y = counts[i] as f64;
        let density = |f: f64| (y * f - f.exp() - ln_factorial(counts[i])).exp();
        let expected = averaged(latent.mean()[i], latent.variance()[i], density).ln();
        assert!((found[i] - expected).abs() < 1e-4, "{}: {} {expected}", counts[i], found[i]);
    }
}

#[test]
fn three_classes_far_apart_are_reported_apart() {
    let centers = [[-2.0, 0.0], [2.0, 0.0], [0.0, 3.0]];
    let labels: Vec<usize> = (0..90).map(|i| i % 3).collect();
    let noise = normals(3, 90, 2);
    let x = DMatrix::from_fn(90, 2, |i, c| centers[labels[i]][c] + 0.7 * noise[(i, c)]);
    let observations = NetworkData::classes(x.clone(), &labels, 3).unwrap();
    let network = Network::new(2, &[8], 3, Activation::Tanh).unwrap();
    let joint = Joint::new(network, observations.clone(), NetworkHyperparameters::new(0.2).unwrap()).unwrap();
    let mode = fit(&joint, &NetworkFitOptions::default(), &mut Silent).unwrap().model;
    for kind in
        [HessianKind::GaussNewton, HessianKind::Kronecker, HessianKind::Diagonal, HessianKind::LastLayer]
    {
        let laplace = NetworkLaplace::new(&joint, &mode.weights, kind).unwrap();
        let latent = laplace.latent(&x).unwrap();
        let p = latent.response();
        assert!(p.row_iter().all(|row| (row.sum() - 1.0).abs() < 1e-14));
        let right =
            p.row_iter().zip(&labels).filter(|(row, label)| row.transpose().imax() == **label).count();
        assert!(right >= 86, "{kind:?}: {right}");
        let score: f64 = latent.ln_predictive(&observations).unwrap().iter().sum();
        let by_hand: f64 = labels.iter().enumerate().map(|(i, &label)| p[(i, label)].ln()).sum();
        assert_close(&[score], &[by_hand], 1e-12);
    }
}

#[test]
fn misuse_is_refused() {
    let joint = golden();
    let w = sharp_mode(&joint);
    assert!(NetworkLaplace::new(&joint, &w[1..], HessianKind::Diagonal).is_err());
    assert!(NetworkLaplace::new(&joint, &[f64::NAN, 0.0], HessianKind::Diagonal).is_err());
    let laplace = NetworkLaplace::new(&joint, &w, HessianKind::Diagonal).unwrap();
    let two = DMatrix::zeros(1, 2);
    assert!(laplace.latent(&two).is_err() && laplace.plug_in_response(&two).is_err());
    assert!(laplace.covariance(&two, &two).is_err());
    assert!(laplace.latent(&DMatrix::from_element(1, 1, f64::NAN)).is_err());
    let x = DMatrix::zeros(1, 1);
    assert!(laplace.response_of_networks(&x, 0, &mut stream(0, &[])).is_err());
    let latent = laplace.latent(&x).unwrap();
    assert!(latent.response_by_draws(0, &mut stream(0, &[])).is_err());
    assert!(latent.ln_predictive(&NetworkData::counts(x.clone(), &[1]).unwrap()).is_err());
    assert!(latent.ln_predictive(&NetworkData::binary(DMatrix::zeros(2, 1), &[true; 2]).unwrap()).is_err());
    assert!(laplace.with_hyperparameters(NetworkHyperparameters::by_layer(&[1.0, 2.0]).unwrap()).is_err());
    assert_eq!(laplace.latent(&DMatrix::zeros(0, 1)).unwrap().response().nrows(), 0);
}

/// Data from the model itself, and new rows: of the predictions of about one probability that share comes
/// true. Five bins of probabilities of each kind, each within 4 standard errors: a false alarm in 1,500
/// seeds.
#[test]
fn predicted_probabilities_come_true() {
    for (head, outputs) in [(Head::Bernoulli, 1), (Head::Categorical, 3)] {
        let mut bins = [[0.0; 3]; 5];
        for set in 0..250 {
            let (x, w) = (normals(5000 + set, 104, 2), normals(6000 + set, 3, outputs) * 2.5);
            let f = x.clone().insert_column(2, 1.0) * w;
            let mut rng = stream(set, &[7]);
            let noisy = |f: f64, rng: &mut _| f - (-RngExt::random::<f64>(rng).ln()).ln();
            let labels: Vec<usize> = f
                .row_iter()
                .map(|row| {
                    let first = if outputs == 1 { vec![0.0] } else { Vec::new() };
                    let all = first.into_iter().chain(row.iter().copied()).map(|f| noisy(f, &mut rng));
                    all.enumerate().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap().0
                })
                .collect();
            let seen = x.rows(0, 100).into_owned();
            let observations = match head {
                Head::Bernoulli => {
                    NetworkData::binary(seen, &labels[..100].iter().map(|&l| l == 1).collect::<Vec<_>>())
                }
                _ => NetworkData::classes(seen, &labels[..100], outputs),
            };
            let network = Network::new(2, &[], outputs, Activation::Tanh).unwrap();
            let joint =
                Joint::new(network, observations.unwrap(), NetworkHyperparameters::new(0.16).unwrap())
                    .unwrap();
            let mode = fit(&joint, &NetworkFitOptions::default(), &mut Silent).unwrap().model;
            let laplace = NetworkLaplace::new(&joint, &mode.weights, HessianKind::GaussNewton).unwrap();
            let response = laplace.latent(&x.rows(100, 4).into_owned()).unwrap().response();
            for (i, &label) in labels[100..].iter().enumerate() {
                for (column, &p) in response.row(i).iter().enumerate() {
                    let class = if outputs == 1 { 1 } else { column };
                    let bin = &mut bins[((5.0 * p) as usize).min(4)];
                    bin[0] += f64::from(u8::from(label == class)) - p;
                    bin[1] += p * (1.0 - p);
                    bin[2] += 1.0;
                }
            }
        }
        for [excess, variance, count] in bins {
            assert!(
                excess.abs() < 4.0 * variance.sqrt() + 0.5,
                "{head:?}: {excess} of {count}, {}",
                variance.sqrt()
            );
        }
    }
}
