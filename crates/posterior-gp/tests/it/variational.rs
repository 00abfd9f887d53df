//! Variational posteriors: figures of other programs, the exact optimum, bounds, calibration.

mod calibration;
mod many;

use posterior_dist::stream::stream;
use posterior_gp::classification::ObservationModel;
use posterior_gp::hyperparameters::Learnable;
use posterior_gp::likelihood::{
    BinomialLikelihood, Count, GammaLikelihood, GaussianLikelihood, Likelihood, LogConcave, LogLinkGaussian,
    LogisticLikelihood, NegativeBinomialLikelihood, PoissonLikelihood, Probit, StudentTLikelihood, Trials,
};
use posterior_gp::markov::MarkovOptions;
use posterior_gp::sparse::{SparseApproximation, SparsePosterior};
use posterior_gp::variational::{
    InducingEvidence, MarkovEvidence, MiniBatches, NaturalGradientOptions, VariationalInducing,
    VariationalMarkov, variational_inducing, variational_markov,
};
use posterior_gp::{GaussianProcess, Kernel, Mean, Noise};
use posterior_math::iteration::{Silent, Stop};
use posterior_math::linalg::DMatrix;
use posterior_math::quadrature::{QuadratureOptions, gauss_kronrod_pieces};
use rand::RngExt;

use crate::classification::DISASTERS;

fn line(places: &[f64]) -> DMatrix<f64> {
    DMatrix::from_column_slice(places.len(), 1, places)
}

#[track_caller]
fn close(left: f64, right: f64, tolerance: f64) {
    assert!((left - right).abs() <= tolerance * right.abs().max(1.0), "{left} is not {right}");
}

fn inducing<L: Likelihood>(
    observations: &ObservationModel<L>,
    prior: &GaussianProcess,
    places: &DMatrix<f64>,
) -> VariationalInducing<L> {
    let options = NaturalGradientOptions { tolerance: 1e-12, ..NaturalGradientOptions::default() };
    let fitted = variational_inducing(observations, prior, places, &options, &mut Silent).unwrap();
    assert!(fitted.report.converged(), "{:?} {:?}", fitted.report.stop, fitted.report.trace);
    fitted.model
}

fn markov<L: LogConcave>(
    observations: &ObservationModel<L>,
    prior: &GaussianProcess,
) -> VariationalMarkov<L> {
    let options = NaturalGradientOptions { tolerance: 1e-12, ..NaturalGradientOptions::default() };
    let fitted =
        variational_markov(observations, prior, &MarkovOptions::default(), &options, &mut Silent).unwrap();
    assert!(fitted.report.converged(), "{:?} {:?}", fitted.report.stop, fitted.report.trace);
    fitted.model
}

/// Expectations against adaptive quadrature in pieces.
fn expectations<L: Likelihood>(likelihood: &L, outputs: &[L::Output]) {
    for &output in outputs {
        for (mean, variance) in [(0.0, 1e-6), (0.4, 0.3), (-1.0, 2.0), (1.5, 9.0)] {
            let sd = f64::sqrt(variance);
            let average = |of: &dyn Fn(f64) -> f64| {
                let cuts: Vec<f64> = (-20..=20).map(f64::from).collect();
                let options =
                    QuadratureOptions { relative: 1e-13, max_evaluations: 200_000, ..Default::default() };
                let weighted =
                    |z: f64| of(mean + sd * z) * (-0.5 * z * z).exp() / std::f64::consts::TAU.sqrt();
                gauss_kronrod_pieces(weighted, &cuts, &options).value
            };
            let found = likelihood.expected(output, mean, variance);
            close(found.value, average(&|f| likelihood.ln_density(output, f)), 1e-10);
            close(found.slope, average(&|f| likelihood.derivatives(output, f)[0]), 1e-10);
            close(found.curvature, average(&|f| likelihood.derivatives(output, f)[1]), 1e-10);
        }
        // Without a variance they are the values themselves.
        let at = likelihood.expected(output, 0.3, 0.0);
        assert_eq!(at.value, likelihood.ln_density(output, 0.3));
        assert!(likelihood.expected(output, 0.3, -1.0).value.is_nan());
    }
}

#[test]
fn expectations_are_integrals() {
    let counts = [Count::from(0), Count::from(3), Count::from(40)];
    expectations(&LogisticLikelihood, &[-1.0, 1.0]);
    expectations(&Probit, &[-1.0, 1.0]);
    expectations(&PoissonLikelihood, &counts);
    expectations(&NegativeBinomialLikelihood::size(1.7).unwrap(), &counts);
    expectations(&BinomialLikelihood, &[Trials::new(3, 7).unwrap()]);
    expectations(&GammaLikelihood::shape(2.5).unwrap(), &[0.3, 2.0]);
    expectations(&GaussianLikelihood::variance(0.4).unwrap(), &[0.3, -2.0]);
    expectations(&LogLinkGaussian::variance(0.4).unwrap(), &[0.3, 2.0]);
    expectations(&StudentTLikelihood::new(4.0, 0.2).unwrap(), &[0.3, -2.0]);
}

/// The Gaussian with the highest bound for four observations of two classes, by SciPy: BFGS over mean and
/// root of the covariance, with the inverse of the Gram matrix and 200 nodes of Gauss-Hermite's
/// rule. The true ln p(y) is -2.6865952.
#[test]
fn all_inputs_as_inducing_inputs_give_the_optimum_of_another_program() {
    let places = line(&[-1.5, -0.5, 0.3, 1.2]);
    let prior = GaussianProcess::new(4.0 * Kernel::rbf(1.0).unwrap());
    let observations =
        ObservationModel::new(places.clone(), &[-1.0, -1.0, 1.0, 1.0], LogisticLikelihood).unwrap();
    let fitted = inducing(&observations, &prior, &places);
    close(fitted.ln_bound(), -2.693_527_561_493_5, 1e-12);
    assert!(fitted.ln_bound() < -2.686_595_2);
    let means = [-1.557_685_296, -0.783_568_372_4, 0.823_974_580_6, 1.558_274_997_7, 0.234_613_058_3];
    let variances = [2.319_245_168_4, 1.849_085_453_3, 1.812_765_100_9, 2.257_998_305_4, 1.782_158_657_4];
    let latent = fitted.latent(&line(&[-1.5, -0.5, 0.3, 1.2, 0.0])).unwrap();
    let (mean, covariance) = fitted.inducing_distribution();
    for i in 0..5 {
        close(latent.mean[i], means[i], 1e-6);
        close(latent.variance[i], variances[i], 1e-6);
        if i < 4 {
            close(mean[i], means[i], 1e-6);
            close(covariance[(i, i)], variances[i], 1e-6);
        }
    }
}

/// The bound and the function at five years, by GPy 1.15 (SVGP with RBF of variance 1 and length 20; its
/// search by L-BFGS and BFGS settles on six digits).
fn peer<L: Likelihood>(
    outputs: &[L::Output],
    likelihood: L,
    (bound, means, variances): (f64, [f64; 5], [f64; 5]),
) {
    let years: Vec<f64> = (0..112).map(|year| 1851.0 + f64::from(year)).collect();
    let observations = ObservationModel::new(line(&years), outputs, likelihood).unwrap();
    let prior = GaussianProcess::new(1.0 * Kernel::rbf(20.0).unwrap());
    let places = line(&[0.0, 18.0, 36.0, 55.0, 74.0, 92.0, 111.0].map(|place| 1851.0 + place));
    let fitted = inducing(&observations, &prior, &places);
    close(fitted.ln_bound(), bound, 1e-9);
    let latent = fitted.latent(&line(&[1860.0, 1885.0, 1890.0, 1920.0, 1950.0])).unwrap();
    for i in 0..5 {
        close(latent.mean[i], means[i], 2e-6);
        close(latent.variance[i], variances[i], 2e-6);
    }
}

#[test]
fn another_program_has_the_same_bounds() {
    let counts: Vec<Count> = DISASTERS.iter().map(|&count| u64::from(count).into()).collect();
    let means = [1.143_681_38, 0.915_153_97, 0.640_433_60, -0.148_773_50, -0.331_563_19];
    let variances = [0.023_531_279, 0.020_908_586, 0.025_058_231, 0.046_239_004, 0.064_545_560];
    peer(&counts, PoissonLikelihood, (-175.440_108_488_58, means, variances));
    let labels: Vec<f64> = DISASTERS.iter().map(|&count| if count > 0 { 1.0 } else { -1.0 }).collect();
    let means = [1.108_191_479, 1.556_469_359, 1.274_690_191, 0.243_257_968, -0.083_490_229];
    let variances = [0.115_111_036, 0.125_923_282, 0.108_705_562, 0.065_691_092, 0.074_915_480];
    peer(&labels, Probit, (-62.964_938_485_528, means, variances));
}

fn noisy(n: usize) -> (DMatrix<f64>, Vec<f64>) {
    let mut rng = stream(11, &[n as u64]);
    let inputs = DMatrix::from_fn(n, 1, |_, _| 6.0 * rng.random::<f64>());
    let outputs = inputs.iter().map(|x| (2.0 * x).sin() + 0.6 * (rng.random::<f64>() - 0.5)).collect();
    (inputs, outputs)
}

fn counts(n: usize) -> (DMatrix<f64>, Vec<Count>) {
    let (inputs, outputs) = noisy(n);
    let counts = outputs.iter().map(|y| Count::from((2.0 * y).exp().round() as u64)).collect();
    (inputs, counts)
}

fn labels(n: usize) -> (DMatrix<f64>, Vec<f64>) {
    let (inputs, outputs) = noisy(n);
    let labels = outputs.iter().map(|y| if *y > 0.2 { 1.0 } else { -1.0 }).collect();
    (inputs, labels)
}

/// For Gaussian noise the bound is that of Titsias, and one step ends there.
#[test]
fn gaussian_noise_is_the_collapsed_bound() {
    let (inputs, outputs) = noisy(60);
    let places = line(&[0.2, 1.0, 2.1, 3.0, 4.4, 5.5]);
    let prior = GaussianProcess::new(Kernel::matern52(0.8).unwrap()).with_mean(Mean::constant(0.4).unwrap());
    let noise = Noise::variance(0.05).unwrap();
    let collapsed =
        SparsePosterior::new(&prior, (&inputs, &outputs), &noise, &places, SparseApproximation::Variational)
            .unwrap();
    let likelihood = GaussianLikelihood::variance(0.05).unwrap();
    let observations = ObservationModel::new(inputs, &outputs, likelihood).unwrap();
    let options = NaturalGradientOptions { max_iterations: 1, ..NaturalGradientOptions::default() };
    let fitted = variational_inducing(&observations, &prior, &places, &options, &mut Silent).unwrap().model;
    close(fitted.ln_bound(), collapsed.ln_evidence(), 1e-11);
    let there = line(&[-1.0, 0.5, 3.3, 9.0]);
    let (latent, expected) = (fitted.latent(&there).unwrap(), collapsed.latent(&there).unwrap());
    assert!((latent.mean - expected.mean).amax() < 1e-9);
    assert!((latent.variance - expected.variance).amax() < 1e-9);
    let gradient = fitted.gradient().concat();
    for (found, expected) in gradient.iter().zip(collapsed.gradient()) {
        close(*found, expected, 1e-8);
    }
}

fn both_routes<L: LogConcave>((inputs, outputs): (DMatrix<f64>, Vec<L::Output>), likelihood: L) {
    let prior =
        GaussianProcess::new(1.5 * Kernel::matern32(0.9).unwrap()).with_mean(Mean::constant(0.2).unwrap());
    let places = inputs.clone();
    let observations = ObservationModel::new(inputs, &outputs, likelihood).unwrap();
    let (dense, linear) = (inducing(&observations, &prior, &places), markov(&observations, &prior));
    close(linear.ln_bound(), dense.ln_bound(), 1e-9);
    let there = line(&[-1.0, 0.5, 3.3, 9.0]);
    let (latent, expected) = (linear.latent(&there).unwrap(), dense.latent(&there).unwrap());
    assert!((&latent.mean - &expected.mean).amax() < 1e-5, "{} {}", latent.mean, expected.mean);
    assert!((&latent.variance - &expected.variance).amax() < 1e-5);
    let gradient = linear.gradient().unwrap().concat();
    for (found, expected) in gradient.iter().zip(dense.gradient().concat()) {
        close(*found, expected, 1e-4);
    }
}

#[test]
fn state_space_models_reach_the_same_optimum() {
    both_routes(labels(30), LogisticLikelihood);
    both_routes(labels(30), Probit);
    both_routes(counts(30), PoissonLikelihood);
    both_routes(counts(30), NegativeBinomialLikelihood::size(2.0).unwrap());
}

/// The derivatives of a bound at its optimum, by differences of the optimum.
fn gradients_are_differences(problem: &impl Learnable) {
    let free: Vec<f64> =
        problem.parameters().iter().map(|parameter| parameter.scale.free(parameter.value)).collect();
    let mut gradient = vec![0.0; free.len()];
    problem.ln_evidence(&free, &mut gradient).unwrap();
    for i in 0..free.len() {
        let at = |step: f64| {
            let mut free = free.clone();
            free[i] += step;
            problem.model(&free).unwrap().1
        };
        let expected = (8.0 * (at(1e-3) - at(-1e-3)) - (at(2e-3) - at(-2e-3))) / 12e-3;
        close(gradient[i], expected, 1e-5);
    }
}

#[test]
fn gradients() {
    let options = NaturalGradientOptions { tolerance: 1e-12, ..NaturalGradientOptions::default() };
    let places = line(&[0.2, 1.0, 2.1, 3.0, 4.4, 5.5]);
    let prior =
        || GaussianProcess::new(1.5 * Kernel::matern32(0.9).unwrap()).with_mean(Mean::constant(0.2).unwrap());
    let (inputs, own) = counts(30);
    let negative = NegativeBinomialLikelihood::size(2.0).unwrap();
    let observed = ObservationModel::new(inputs, &own, negative).unwrap();
    gradients_are_differences(&InducingEvidence::new(prior(), observed.clone(), places.clone(), options));
    gradients_are_differences(&MarkovEvidence::new(prior(), observed, MarkovOptions::default(), options));
    let (inputs, own) = labels(30);
    let observed = ObservationModel::new(inputs, &own, LogisticLikelihood).unwrap();
    gradients_are_differences(&InducingEvidence::new(prior(), observed.clone(), places.clone(), options));
    gradients_are_differences(&MarkovEvidence::new(prior(), observed, MarkovOptions::default(), options));
    // Not log-concave: outliers have negative precision.
    let (inputs, mut own) = noisy(30);
    own[7] += 5.0;
    let student = StudentTLikelihood::new(4.0, 0.2).unwrap();
    let observed = ObservationModel::new(inputs, &own, student).unwrap();
    gradients_are_differences(&InducingEvidence::new(prior(), observed, places, options));
}

#[test]
fn more_inducing_inputs_never_lower_the_bound() {
    let (inputs, own) = labels(40);
    let prior = GaussianProcess::new(2.0 * Kernel::rbf(0.8).unwrap());
    let observations = ObservationModel::new(inputs, &own, Probit).unwrap();
    let mut last = f64::NEG_INFINITY;
    for count in [0, 1, 2, 4, 8, 13] {
        let places = DMatrix::from_fn(count, 1, |i, _| {
            [3.0, 1.0, 5.0, 0.0, 2.0, 4.0, 6.0, 0.5, 1.5, 2.5, 3.5, 4.5, 5.5][i]
        });
        let bound = inducing(&observations, &prior, &places).ln_bound();
        assert!(bound >= last - 1e-9, "{count}: {bound} after {last}");
        last = bound;
    }
}

#[test]
fn refusals() {
    let (inputs, own) = labels(10);
    let prior = GaussianProcess::new(Kernel::matern32(0.8).unwrap());
    let observations = ObservationModel::new(inputs.clone(), &own, Probit).unwrap();
    let run = |batches: MiniBatches, places: &DMatrix<f64>| {
        let options = NaturalGradientOptions { batches: Some(batches), ..NaturalGradientOptions::default() };
        variational_inducing(&observations, &prior, places, &options, &mut Silent)
            .map(|fitted| fitted.report.stop)
    };
    let good = MiniBatches { size: 4, ..MiniBatches::default() };
    assert_eq!(run(good, &inputs).unwrap(), Stop::MaxIterations);
    for bad in [
        MiniBatches { size: 0, ..good },
        MiniBatches { delay: -1.0, ..good },
        MiniBatches { forgetting: 0.5, ..good },
        MiniBatches { forgetting: f64::NAN, ..good },
    ] {
        assert!(run(bad, &inputs).is_err(), "{bad:?}");
    }
    assert!(run(good, &DMatrix::zeros(2, 2)).is_err());
    assert!(run(good, &DMatrix::from_element(2, 1, f64::NAN)).is_err());
    let plane = ObservationModel::new(DMatrix::zeros(10, 2), &own, Probit).unwrap();
    let (markov, options) = (MarkovOptions::default(), NaturalGradientOptions::default());
    let refused = variational_markov(&plane, &prior, &markov, &options, &mut Silent).unwrap_err();
    assert!(refused.to_string().contains("coordinates"), "{refused}");
    let smooth = GaussianProcess::new(Kernel::rbf(1.0).unwrap());
    assert!(variational_markov(&observations, &smooth, &markov, &options, &mut Silent).is_err());
    let options = NaturalGradientOptions { batches: Some(good), ..options };
    let refused = variational_markov(&observations, &prior, &markov, &options, &mut Silent).unwrap_err();
    assert!(refused.to_string().contains("batches"), "{refused}");
    // Nothing seen is the prior.
    let none = ObservationModel::new(DMatrix::zeros(0, 1), &[], Probit).unwrap();
    let fitted = inducing(&none, &prior, &inputs);
    close(fitted.ln_bound(), 0.0, 1e-12);
    close(fitted.latent(&line(&[0.5])).unwrap().variance[0], 1.0, 1e-9);
    close(self::markov(&none, &prior).latent(&line(&[0.5])).unwrap().variance[0], 1.0, 1e-9);
}
