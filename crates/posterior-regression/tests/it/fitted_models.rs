//! Posteriors that were fitted, not made up, go to JSON and back: with equal predictions to the bit; and what
//! no fit has written is refused.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use posterior_math::iteration::Silent;
use posterior_math::linalg::DMatrix;
use posterior_regression::glm::{
    CoefficientPrior, CountMixture, Family, Glm, GlmData, GlmDraws, RowSpace, ScalePrior, SoftmaxDraws,
    SoftmaxRegression,
};
use posterior_regression::linear::{AveragedPosterior, CoefficientScale, averaged};
use posterior_regression::network::{
    Activation, HessianKind, Joint, Network, NetworkData, NetworkFitOptions, NetworkHyperparameters,
    NetworkLaplace, ScaleMixture, fit,
};
use posterior_sampling::Run;
use proptest::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// What is read of what was written; it is written alike again.
#[track_caller]
fn again<M: Serialize + DeserializeOwned>(model: &M) -> M {
    let text = serde_json::to_string(model).unwrap();
    let read: M = serde_json::from_str(&text).unwrap();
    assert_eq!(serde_json::to_string(&read).unwrap(), text);
    read
}

/// Why a model is not read once `change` has changed what was written.
#[track_caller]
fn refused<M: Serialize + DeserializeOwned>(model: &M, change: impl FnOnce(&mut Value)) -> String {
    let mut value = serde_json::to_value(model).unwrap();
    change(&mut value);
    serde_json::from_value::<M>(value).err().unwrap().to_string()
}

fn remove_last(list: &mut Value) {
    list.as_array_mut().unwrap().pop().unwrap();
}

/// Rows between -2 and 2 that look random.
fn rows(seed: u64, rows: usize, columns: usize) -> DMatrix<f64> {
    let mut state = seed | 1;
    DMatrix::from_fn(rows, columns, |_, _| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as f64 / (1_u64 << 31) as f64 * 4.0 - 2.0
    })
}

fn with_intercept(design: DMatrix<f64>) -> DMatrix<f64> {
    design.insert_column(0, 1.0)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn averages_over_the_scale(seed in any::<u64>(), size in 0_usize..3, given in any::<bool>()) {
        let (n, p) = [(20, 3), (5, 8), (12, 0)][size];
        let (x, noise) = (rows(seed, n, p), rows(seed ^ 7, n, 1));
        let y: Vec<f64> = (0..n).map(|i| 1e3 + x.row(i).sum() + 0.3 * noise[i]).collect();
        let scale = if given { CoefficientScale::Given(0.7) } else { CoefficientScale::Averaged };
        let posterior = averaged(&x, &y, scale).unwrap();
        let read: AveragedPosterior = again(&posterior);
        prop_assert_eq!(&read, &posterior);
        let new = rows(seed ^ 3, 4, p);
        prop_assert_eq!(read.predict(&new).unwrap(), posterior.predict(&new).unwrap());
        prop_assert_eq!(read.latent(&new).unwrap(), posterior.latent(&new).unwrap());
    }
}

#[test]
fn draws_of_two_classes_and_of_several() {
    let x = with_intercept(rows(5, 40, 2));
    let classes: Vec<usize> =
        (0..40).map(|i| usize::from(x[(i, 1)] > 0.6) + usize::from(x[(i, 1)] + x[(i, 2)] > -0.5)).collect();
    let y: Vec<f64> = classes.iter().map(|&class| f64::from(u8::from(class > 0))).collect();
    let new = with_intercept(rows(6, 5, 2));

    let data = GlmData::new(&x, &y).unwrap();
    let model = Glm::new(Family::Logit, data).unwrap();
    let model = model.with_prior(CoefficientPrior::isotropic(3, 2.5).unwrap()).unwrap();
    let draws = model.by_nuts(&Run { warm_up: 100, draws: 50, ..Run::default() }).unwrap();
    let read: GlmDraws = again(&draws);
    assert_eq!(read, draws);
    let response =
        |own: &GlmDraws| own.response(&Family::Logit, new.row(0).transpose().as_slice(), 0.0).unwrap();
    assert_eq!(response(&read), response(&draws));
    let why = refused(&draws, |value| remove_last(&mut value["weights"]));
    assert!(why.contains("a weight of each draw"), "{why}");
    assert!(refused(&draws, |value| remove_last(&mut value["names"])).contains("a name of each coefficient"));
    assert!(refused(&draws, |value| value["points"]["rows"] = 2.into()).contains("values"));

    let model = SoftmaxRegression::new(&x, &classes, 3).unwrap();
    let draws = model.laplace(&ScalePrior::half_cauchy(1.0).unwrap(), 2.5, 1).unwrap();
    let read: SoftmaxDraws = again(&draws);
    assert_eq!(read, draws);
    assert_eq!(read.response(&new).unwrap(), draws.response(&new).unwrap());
    let why = refused(&draws, |value| value["columns"] = 4.into());
    assert!(why.contains("as many coefficients of each class"), "{why}");
    assert!(refused(&draws, |value| value["columns"] = 0.into()).contains("as many coefficients"));
}

#[test]
fn rows_as_coordinates() {
    let x = rows(9, 4, 7);
    let space = RowSpace::of(&x).unwrap();
    let read: RowSpace = again(&space);
    assert_eq!(read, space);
    assert_eq!(read.coordinates(&x).unwrap(), space.coordinates(&x).unwrap());
}

/// Data of two classes, or numbers, and a network for them.
fn joint(numbers: bool, hidden: &[usize]) -> Joint {
    let x = rows(11, 30, 2);
    let network = Network::new(2, hidden, 1, Activation::Tanh).unwrap();
    let data = if numbers {
        NetworkData::real(x.clone(), DMatrix::from_fn(30, 1, |i, _| x[(i, 0)].sin() + 0.1 * x[(i, 1)]))
            .unwrap()
    } else {
        NetworkData::binary(x.clone(), &(0..30).map(|i| x[(i, 0)] > x[(i, 1)]).collect::<Vec<_>>()).unwrap()
    };
    let hyperparameters = NetworkHyperparameters::new(0.5).unwrap().with_noise_variance(0.05).unwrap();
    Joint::new(network, data, hyperparameters).unwrap()
}

#[test]
fn networks_with_every_curvature() {
    let new = rows(12, 5, 2);
    for numbers in [true, false] {
        let joint = joint(numbers, &[3]);
        let mode = fit(&joint, &NetworkFitOptions::default(), &mut Silent).unwrap().model;
        for kind in
            [HessianKind::GaussNewton, HessianKind::Kronecker, HessianKind::Diagonal, HessianKind::LastLayer]
        {
            let laplace = NetworkLaplace::new(&joint, &mode.weights, kind).unwrap();
            // Other hyperparameters than those at which the curvature was taken.
            let other = NetworkHyperparameters::new(2.0).unwrap().with_noise_variance(0.03).unwrap();
            for laplace in [laplace.with_hyperparameters(other).unwrap(), laplace] {
                let read: NetworkLaplace = again(&laplace);
                assert_eq!(read.latent(&new).unwrap(), laplace.latent(&new).unwrap(), "{kind:?}");
                assert_eq!(read.ln_evidence().to_bits(), laplace.ln_evidence().to_bits(), "{kind:?}");
                assert_eq!(read.evidence_gradient(), laplace.evidence_gradient());
                refused(&laplace, |value| remove_last(&mut value["mode"]));
                let other = if kind == HessianKind::Diagonal { "Kronecker" } else { "Diagonal" };
                refused(&laplace, |value| value["kind"] = other.into());
            }
        }
    }
}

#[test]
fn networks_averaged_over_the_scale() {
    let (joint, new) = (joint(false, &[2]), rows(13, 4, 2));
    let average =
        ScaleMixture::new(&joint, 1.0, HessianKind::GaussNewton, &NetworkFitOptions::default()).unwrap();
    let read: ScaleMixture = again(&average);
    assert_eq!(read.response(&new).unwrap(), average.response(&new).unwrap());
    let quantiles = |own: &ScaleMixture| own.response_quantiles(&new, &[0.1, 0.9]).unwrap();
    assert_eq!(quantiles(&read), quantiles(&average));
    assert!(refused(&average, |value| value["parts"] = Value::Array(Vec::new())).contains("one shape"));
}

/// Against the distribution function, which is another sum.
#[test]
fn counts_of_uncertain_rates_have_probabilities_and_moments() {
    let count = CountMixture::of_rates(vec![(0.2, 1.0), (3.0, 2.0), (11.0, 1.0)]);
    let (mut sum, mut mean, mut square) = (0.0, 0.0, 0.0);
    for k in 0..80 {
        let k = f64::from(k);
        let p = count.ln_pmf(k).exp();
        assert!((p - (count.cdf(k) - count.cdf(k - 1.0))).abs() < 1e-14, "{k}");
        (sum, mean, square) = (sum + p, mean + p * k, square + p * k * k);
    }
    assert!((sum - 1.0).abs() < 1e-13 && (count.mean() - mean).abs() < 1e-12);
    assert!((count.sd() - (square - mean * mean).sqrt()).abs() < 1e-12);
    assert_eq!((count.ln_pmf(-1.0), count.ln_pmf(0.5)), (f64::NEG_INFINITY, f64::NEG_INFINITY));
    // Far in the tail, where the probability itself underflows.
    let far = CountMixture::of_rates(vec![(1e-3, 1.0)]).ln_pmf(400.0);
    let factorial: f64 = (1..=400).map(|k| f64::from(k).ln()).sum();
    assert!((far - (400.0 * 1e-3_f64.ln() - 1e-3 - factorial)).abs() < 1e-9, "{far}");
    // A rate of zero has the count of zero.
    let none = CountMixture::of_rates(vec![(0.0, 1.0)]);
    assert_eq!((none.ln_pmf(0.0), none.ln_pmf(1.0)), (0.0, f64::NEG_INFINITY));
}
