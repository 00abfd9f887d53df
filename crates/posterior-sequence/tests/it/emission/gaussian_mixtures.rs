//! Mixtures of Gaussians within states, and shapes of covariances, against hmmlearn, `NumPy`, and mixtures
//! one by one.

use posterior_dist::Mixture;
use posterior_dist::stream::stream;
use posterior_gaussian::{Gaussian, NormalInverseWishart};
use posterior_inference::em::EmOptions;
use posterior_latent::gaussian_mixture::Covariances;
use posterior_latent::mixture::MaximumLikelihood;
use posterior_math::iteration::Silent;
use posterior_math::linalg::DMatrix;
use posterior_sequence::baum_welch::{BaumWelch, BaumWelchOptions};
use posterior_sequence::emission::{
    DrawEmissions, Emissions, GaussianEmissions, GaussianEstimate, GaussianMixtureEmissions, LearnEmissions,
    MixtureEmissions, Sequences,
};
use posterior_sequence::hmm::HiddenMarkovModel;

/// The observations of the figures by hmmlearn 0.3.3, which start at these π and A.
const ROWS: [f64; 24] = [
    -2.1, 0.3, -1.7, 1.1, -2.6, 0.8, 1.9, 2.2, 2.4, 3.1, 2.2, 1.7, -1.2, -0.4, 0.1, 0.9, 2.9, 2.6, 1.5, 2.9,
    -2.0, 0.1, -1.4, 1.4,
];
const INITIAL: [f64; 2] = [0.6, 0.4];

fn data() -> DMatrix<f64> {
    DMatrix::from_row_slice(12, 2, &ROWS)
}

fn start<E: Emissions>(emissions: E) -> HiddenMarkovModel<E> {
    HiddenMarkovModel::new(&INITIAL, &DMatrix::from_row_slice(2, 2, &[0.7, 0.3, 0.2, 0.8]), emissions)
        .unwrap()
}

fn options(steps: usize) -> BaumWelchOptions {
    let em = EmOptions { tolerance: f64::NEG_INFINITY, max_iterations: steps };
    BaumWelchOptions { em, ..BaumWelchOptions::default() }
}

fn no_floor() -> GaussianEstimate {
    GaussianEstimate::with_floor(&Sequences::one(&data()), 0.0).unwrap()
}

#[track_caller]
fn close(found: f64, wanted: f64, tolerance: f64) {
    assert!((found - wanted).abs() <= tolerance * wanted.abs().max(1.0), "{found} is not {wanted}");
}

fn identity(factor: f64) -> DMatrix<f64> {
    DMatrix::identity(2, 2) * factor
}

/// `GaussianHMM(2, covariance_type=KIND)` without priors: ln p before each of five steps and after them, and
/// the last first mean.
#[test]
fn shapes_of_covariances_climb_as_in_hmmlearn() {
    let variances = DMatrix::from_row_slice(2, 2, &[1.5, 1.5, 0.8, 0.8]);
    let rows = data();
    let sequences = Sequences::one(&rows);
    for (covariances, trace, mean) in [
        (
            Covariances::Full(vec![identity(1.5), identity(0.8)]),
            [
                -40.87321670002813,
                -29.99873857733552,
                -29.720432621274536,
                -29.257688619307164,
                -28.649133449338525,
                -28.626174645337688,
            ],
            -1.5571426345682322,
        ),
        (
            Covariances::Tied(identity(1.2)),
            [
                -39.84585078836401,
                -30.70251703314647,
                -29.793309640709285,
                -29.458413070236166,
                -29.43518923938395,
                -29.435028163771126,
            ],
            -1.5584607915906727,
        ),
        (
            Covariances::Diagonal(variances),
            [
                -40.87321670002814,
                -30.441071571387308,
                -28.80218901256173,
                -28.671628554818888,
                -28.67162787237471,
                -28.67162787237465,
            ],
            -1.557140200797692,
        ),
        (
            Covariances::Spherical(vec![1.5, 0.8]),
            [
                -40.87321670002814,
                -30.720054943732535,
                -29.285577593062364,
                -29.0396124848441,
                -29.039588410600086,
                -29.03958841058704,
            ],
            -1.5571461187494602,
        ),
    ] {
        let means = DMatrix::from_row_slice(2, 2, &[-1.0, 0.5, 1.0, 2.0]);
        let start = start(GaussianEmissions::new(&means, covariances).unwrap());
        let problem = BaumWelch::new(&sequences, MaximumLikelihood, options(5)).unwrap();
        let fitted = problem.fit(start, &mut Silent).unwrap();
        for (found, wanted) in fitted.report.trace.iter().zip(trace) {
            close(*found, wanted, 1e-9);
        }
        assert_eq!(fitted.report.trace.len(), 6);
        close(fitted.model.hmm.emissions().means()[(0, 0)], mean, 1e-9);
    }
}

/// Two states with two components each.
fn mixtures(covariances: Covariances) -> GaussianMixtureEmissions {
    let weights = DMatrix::from_row_slice(2, 2, &[0.6, 0.4, 0.5, 0.5]);
    let means = DMatrix::from_row_slice(4, 2, &[-2.0, 0.5, 0.0, 1.0, 1.5, 2.0, 2.5, 3.0]);
    GaussianMixtureEmissions::new(&weights, &means, covariances).unwrap()
}

/// ln p before each of four steps and after them, and the last weights, by messages and moments in plain
/// `NumPy`. The first ln p is also that of `GMMHMM(2, n_mix=2, covariance_type=KIND)` of hmmlearn 0.3.3,
/// which then takes covariances around the means of before.
#[test]
fn mixtures_climb_as_in_numpy() {
    let rows = data();
    let sequences = Sequences::one(&rows);
    for (covariances, trace, weights) in [
        (
            Covariances::Full(vec![identity(1.2); 4]),
            [
                -38.15075765286102,
                -28.64154907360064,
                -27.973918203572236,
                -27.357691456185464,
                -26.645487658479993,
            ],
            [0.7991324274292992, 0.35478405199589863],
        ),
        (
            Covariances::Diagonal(DMatrix::from_element(4, 2, 1.2)),
            [
                -38.15075765286102,
                -28.86705749734528,
                -27.496230346788717,
                -26.930794818260562,
                -26.469548954490836,
            ],
            [0.7929129910075433, 0.40251784871507357],
        ),
        (
            Covariances::Spherical(vec![1.2; 4]),
            [
                -38.15075765286102,
                -29.111989327322966,
                -27.995209182147377,
                -27.81862958929854,
                -27.70868282239876,
            ],
            [0.7949472677658607, 0.39636984906796024],
        ),
    ] {
        let problem = BaumWelch::new(&sequences, no_floor(), options(4)).unwrap();
        let fitted = problem.fit(start(mixtures(covariances)), &mut Silent).unwrap();
        for (found, wanted) in fitted.report.trace.iter().zip(trace) {
            close(*found, wanted, 1e-9);
        }
        let found = fitted.model.hmm.emissions();
        for (state, weight) in weights.into_iter().enumerate() {
            close(found.weights(state)[0], weight, 1e-8);
            close(found.weights(state).iter().sum(), 1.0, 1e-14);
        }
    }
}

/// The same mixtures, one distribution at a time.
fn one_by_one(emissions: &GaussianMixtureEmissions) -> MixtureEmissions<Gaussian> {
    let count = emissions.components_of_a_state();
    let mixture = |state: usize| {
        let gaussian = |component: usize| {
            let mean: Vec<f64> = emissions.means().row(state * count + component).iter().copied().collect();
            Gaussian::new(&mean, &emissions.covariance(state, component)).unwrap()
        };
        Mixture::from_weights(emissions.weights(state), (0..count).map(gaussian).collect()).unwrap()
    };
    MixtureEmissions::new((0..emissions.states()).map(mixture).collect()).unwrap()
}

#[test]
fn densities_and_a_step_are_those_of_mixtures_one_by_one() {
    let fast = mixtures(Covariances::Full(vec![identity(1.2), identity(0.5), identity(2.0), identity(0.9)]));
    let slow = one_by_one(&fast);
    let rows = data();
    let vectors: Vec<Vec<f64>> = rows.row_iter().map(|row| row.iter().copied().collect()).collect();
    let (mut a, mut b) = (vec![0.0; 20], vec![0.0; 20]);
    fast.ln_densities(&rows, 1..11, &mut a);
    slow.ln_densities(&vectors, 1..11, &mut b);
    a.iter().zip(&b).for_each(|(a, b)| close(*a, *b, 1e-13));
    let fitted = BaumWelch::new(&Sequences::one(&rows), no_floor(), options(1))
        .unwrap()
        .fit(start(fast), &mut Silent)
        .unwrap();
    let wanted = BaumWelch::new(&Sequences::one(&vectors[..]), MaximumLikelihood, options(1))
        .unwrap()
        .fit(start(slow), &mut Silent)
        .unwrap();
    fitted.report.trace.iter().zip(&wanted.report.trace).for_each(|(a, b)| close(*a, *b, 1e-12));
    let found = one_by_one(fitted.model.hmm.emissions());
    for (found, wanted) in found.as_slice().iter().zip(wanted.model.hmm.emissions().as_slice()) {
        let both = found.components().iter().zip(wanted.components());
        both.for_each(|(a, b)| assert!((a.mean() - b.mean()).amax() < 1e-10));
        close(found.weights().probabilities()[0], wanted.weights().probabilities()[0], 1e-11);
    }
}

#[test]
fn gaps_draws_priors_and_what_cannot_be() {
    let emissions = mixtures(Covariances::Tied(identity(1.0)));
    // Nothing seen says nothing; of half a row, the other half.
    let gaps = DMatrix::from_row_slice(2, 2, &[f64::NAN, f64::NAN, 0.5, f64::NAN]);
    let mut ln = [f64::NAN; 4];
    emissions.ln_densities(&gaps, 0..2, &mut ln);
    close(ln[0], 0.0, 1e-14);
    let density = |x: f64| (-0.5 * x * x).exp() / std::f64::consts::TAU.sqrt();
    close(ln[2], (0.6 * density(2.5) + 0.4 * density(0.5)).ln(), 1e-13);
    close(ln[3], (0.5 * density(1.0) + 0.5 * density(2.0)).ln(), 1e-13);
    // A step with a prior does not lower the density of the data and the prior.
    let prior = NormalInverseWishart::new(&[0.0, 1.0], 0.01, &identity(1.0), 4.0).unwrap();
    let rows = data();
    let sequences = Sequences::one(&rows);
    let learn = no_floor().with_prior(prior);
    assert!(learn.ln_prior(&emissions).is_finite());
    let problem = BaumWelch::new(&sequences, learn, options(20)).unwrap();
    let fitted = problem.fit(start(emissions.clone()), &mut Silent).unwrap();
    assert!(fitted.report.falls.is_empty() && fitted.model.incidents.is_empty());
    // Draws have the mean of the mixture.
    let drawn = emissions.draw(&vec![1; 4000], &mut stream(5, &[]));
    close(drawn.column(0).mean(), 2.0, 0.05);
    // A component that nothing is left to is reported, and stays.
    let far = DMatrix::from_row_slice(4, 2, &[-2.0, 0.5, 1e9, 1e9, 1.5, 2.0, 2.5, 3.0]);
    let weights = DMatrix::from_element(2, 2, 0.5);
    let far = GaussianMixtureEmissions::new(&weights, &far, Covariances::Spherical(vec![1.0; 4])).unwrap();
    let problem = BaumWelch::new(&sequences, no_floor(), options(3)).unwrap();
    let fitted = problem.fit(start(far), &mut Silent).unwrap();
    assert_eq!(fitted.model.incidents[0].component, 0);
    assert_eq!(fitted.model.hmm.emissions().weights(0), [1.0, 0.0]);

    let spheres = |count: usize| Covariances::Spherical(vec![1.0; count]);
    let means = DMatrix::zeros(4, 2);
    assert!(GaussianMixtureEmissions::new(&DMatrix::from_element(2, 2, 0.6), &means, spheres(4)).is_err());
    assert!(GaussianMixtureEmissions::new(&DMatrix::from_element(2, 3, 0.5), &means, spheres(4)).is_err());
    assert!(GaussianMixtureEmissions::new(&DMatrix::zeros(0, 0), &means, spheres(4)).is_err());
    assert!(emissions.check(&DMatrix::zeros(3, 1)).is_err());
    assert!(emissions.check(&DMatrix::from_element(1, 2, f64::INFINITY)).is_err());
}

#[cfg(feature = "serde")]
#[test]
fn mixtures_are_read_back_to_the_bit_and_checked() {
    let emissions = mixtures(Covariances::Diagonal(DMatrix::from_element(4, 2, 0.3)));
    let text = serde_json::to_string(&emissions).unwrap();
    assert_eq!(serde_json::from_str::<GaussianMixtureEmissions>(&text).unwrap(), emissions);
    let wrong =
        |from: &str, to: &str| serde_json::from_str::<GaussianMixtureEmissions>(&text.replace(from, to));
    assert!(wrong("[0.6,0.4]", "[0.6,0.5]").is_err() && wrong("[0.6,0.4]", "[1.0]").is_err());
    assert!(wrong("\"weights\"", "\"more\":0,\"weights\"").is_err());
}
