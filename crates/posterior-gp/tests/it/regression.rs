//! Exact regression: worked numbers and identities.

mod hostile;

use posterior_dist::{Density, Normal, Univariate};
use posterior_gaussian::{Gaussian, LinearGaussian, MomentGaussian};
use posterior_gp::hyperparameters::{Learnable, Regression};
use posterior_gp::kernel::KernelParameter;
use posterior_gp::regression::Prediction;
use posterior_gp::{GaussianProcess, GaussianProcessPosterior, Kernel, Mean, Noise};
use posterior_math::linalg::{DMatrix, DVector};
use posterior_math::quadrature::{QuadratureOptions, gauss_kronrod};
use rand::RngExt;
use rand_distr::StandardNormal;
use rand_pcg::Pcg64;

fn column(x: &[f64]) -> DMatrix<f64> {
    DMatrix::from_column_slice(x.len(), 1, x)
}

#[track_caller]
fn close(found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        assert!(
            (found - expected).abs() <= tolerance * expected.abs().max(1.0),
            "{found} instead of {expected}"
        );
    }
}

/// Three observations of a process with a squared exponential kernel.
fn worked_example() -> GaussianProcessPosterior {
    let prior = GaussianProcess::new(1.0 * Kernel::rbf(1.0).unwrap());
    prior.condition(&column(&[-1.0, 0.0, 2.0]), &[0.5, 1.0, -0.3], &Noise::variance(0.1).unwrap()).unwrap()
}

#[test]
fn the_worked_example_has_its_numbers() {
    let posterior = worked_example();
    assert!((posterior.ln_evidence() + 3.2494398794920425).abs() < 1e-14);
    let at = column(&[-0.5, 1.0, 3.0]);
    let prediction = posterior.latent(&at).unwrap();
    close(prediction.mean.as_slice(), &[0.788295246465, 0.360482788475, -0.229177795464], 1e-12);
    close(prediction.variance.as_slice(), &[0.086332467143, 0.367395293389, 0.660683520959], 1e-12);
    // At the data y - mean = 0.1 α, with α = G⁻¹ y.
    let residual = posterior.outputs() - posterior.mean(posterior.inputs()).unwrap();
    close((residual / 0.1).as_slice(), &[-0.100011338758, 1.012999919275, -0.396348732162], 1e-11);
    close(posterior.mean(&at).unwrap().as_slice(), prediction.mean.as_slice(), 1e-15);
    close(posterior.covariance(&at).unwrap().diagonal().as_slice(), prediction.variance.as_slice(), 1e-14);
    assert_eq!(posterior.jitter(), None);
    // The table has derivatives by ln of the length and of two standard deviations.
    let names: Vec<String> = posterior.parameters().into_iter().map(|parameter| parameter.name).collect();
    assert_eq!(names.last().map(String::as_str), Some("noise.variance"));
    let gradient = posterior.gradient();
    let length = names.iter().position(|name| name.contains("length_scale")).unwrap_or(9);
    close(&[gradient[length]], &[0.2469470852891], 1e-12);
    close(&[2.0 * gradient[1 - length], 2.0 * gradient[2]], &[-1.6801440209432, -0.2379571095117], 1e-12);
}

#[test]
fn the_worked_example_has_its_leave_one_out_numbers() {
    let left_out = worked_example().leave_one_out();
    close(left_out.prediction.mean.as_slice(), &[0.576192689631, 0.23985990491, 0.127295684948], 1e-12);
    close(left_out.prediction.variance.as_slice(), &[0.761840513065, 0.750385148731, 1.078080110457], 1e-12);
    assert!((left_out.ln_score + 2.9883131777514107).abs() < 1e-13);
}

#[test]
fn without_observations_it_is_the_prior() {
    let prior = GaussianProcess::new(3.0 * Kernel::rbf(1.0).unwrap()).with_mean(Mean::constant(2.0).unwrap());
    let posterior = prior.condition(&DMatrix::zeros(0, 1), &[], &Noise::variance(0.1).unwrap()).unwrap();
    let at = column(&[0.0, 1.0]);
    assert_eq!(posterior.ln_evidence(), 0.0);
    assert_eq!(posterior.latent(&at).unwrap().mean.as_slice(), [2.0, 2.0]);
    assert_eq!(posterior.latent(&at).unwrap().variance.as_slice(), [3.0, 3.0]);
    assert_eq!(posterior.distribution(&at).unwrap(), prior.distribution(&at).unwrap());
    assert_eq!(posterior.gradient(), [0.0; 4]);
}

/// GP-05: a smooth function and a line.
fn additive_example() -> GaussianProcessPosterior {
    let prior = GaussianProcess::new(1.0 * Kernel::rbf(1.0).unwrap() + 0.5 * Kernel::linear());
    let noise = Noise::variance(0.1).unwrap();
    prior.condition(&column(&[-1.0, 0.0, 2.0]), &[0.5, 1.0, -0.3], &noise).unwrap()
}

#[test]
fn components_have_their_numbers() {
    let posterior = additive_example();
    let at = column(&[1.0]);
    let terms = posterior.components();
    let (smooth, line) = (&terms[0], &terms[1]);
    let (first, second) = (smooth.latent(&at).unwrap(), line.latent(&at).unwrap());
    close(&[first.mean[0], second.mean[0]], &[0.481846568917, -0.103153640571], 1e-12);
    close(&[first.variance[0], second.variance[0]], &[0.573532859218, 0.148918300460], 1e-12);
    let cross = smooth.cross_covariance(&at, line, &at).unwrap();
    close(&[cross[(0, 0)]], &[-0.175207465492], 1e-12);
    close(&[posterior.variance(&at).unwrap()[0]], &[0.372036228694], 1e-12);
    let weights = posterior.weights(<[f64]>::to_vec, &DMatrix::from_element(1, 1, 0.5)).unwrap();
    close(&[weights.mean()[0], weights.covariance()[(0, 0)]], &[-0.103153640571, 0.148918300460], 1e-12);
}

#[test]
fn components_add_up_to_the_whole() {
    let posterior = additive_example();
    let at = column(&[-2.0, 0.3, 1.7, 4.0]);
    let terms = posterior.components();
    let mean = terms[0].latent(&at).unwrap().mean + terms[1].latent(&at).unwrap().mean;
    close(mean.as_slice(), posterior.mean(&at).unwrap().as_slice(), 1e-14);
    let cross = terms[0].cross_covariance(&at, &terms[1], &at).unwrap();
    let own = terms[0].covariance(&at).unwrap() + terms[1].covariance(&at).unwrap();
    let whole = posterior.covariance(&at).unwrap();
    close((own + &cross + cross.transpose()).as_slice(), whole.as_slice(), 1e-14);
    let both = posterior.component(&[1, 0]).unwrap();
    close(both.covariance(&at).unwrap().as_slice(), whole.as_slice(), 1e-14);
    let with_itself = terms[0].cross_covariance(&at, &terms[0], &at).unwrap();
    close(with_itself.as_slice(), terms[0].covariance(&at).unwrap().as_slice(), 1e-14);
    assert!(posterior.component(&[2]).is_err());
    assert!(posterior.component(&[]).is_err());
}

#[test]
fn a_linear_kernel_is_linear_regression() {
    // x = 0, .., 3, weights of 1 and x with prior N(0, I), noise variance 1/4.
    let x = column(&[0.0, 1.0, 2.0, 3.0]);
    let prior = GaussianProcess::new(Kernel::constant(1.0).unwrap() + Kernel::linear());
    let posterior = prior.condition(&x, &[1.0, 2.9, 5.2, 6.8], &Noise::known(0.25).unwrap()).unwrap();
    assert!((posterior.ln_evidence() + 6.480044771220932).abs() < 1e-13);
    let weights = posterior.weights(|x| vec![1.0, x[0]], &DMatrix::identity(2, 2)).unwrap();
    close(weights.mean().as_slice(), &[0.992366412214, 1.947073791349], 1e-12);
    let covariance = [0.145038167939, -0.061068702290, -0.061068702290, 0.043256997455];
    close(weights.covariance().as_slice(), &covariance, 1e-12);
    let prediction = posterior.latent(&column(&[4.0])).unwrap();
    close(&[prediction.mean[0], prediction.variance[0]], &[8.780661577608141, 0.3486005089058525], 1e-13);

    // The same by Bayes' rule of Gaussians.
    let design = DMatrix::from_fn(4, 2, |i, j| if j == 0 { 1.0 } else { x[i] });
    let likelihood = LinearGaussian::new(&design, &[0.0; 4], &(0.25 * DMatrix::identity(4, 4))).unwrap();
    let before = MomentGaussian::new(&[0.0; 2], &DMatrix::identity(2, 2)).unwrap();
    let updated = before.bayes(&likelihood, &[1.0, 2.9, 5.2, 6.8]).unwrap();
    assert!((updated.ln_evidence - posterior.ln_evidence()).abs() < 1e-13);
    close(weights.mean().as_slice(), updated.posterior.mean().as_slice(), 1e-13);
    close(weights.covariance().as_slice(), updated.posterior.covariance().as_slice(), 1e-13);
}

/// Places and outputs without any structure.
fn scattered(count: usize) -> (DMatrix<f64>, Vec<f64>) {
    let x = DMatrix::from_fn(count, 2, |i, j| ((7 * i + 3 * j) as f64 * 0.618).fract() * 3.0);
    let y = (0..count).map(|i| (1.7 * i as f64).sin() + 0.3 * x[(i, 0)]).collect();
    (x, y)
}

fn smooth() -> GaussianProcess {
    GaussianProcess::new(1.3 * Kernel::matern52(0.8).unwrap())
        .with_mean(Mean::linear(0.5, &[0.2, -0.1]).unwrap())
}

#[test]
fn the_order_of_observations_does_not_matter() {
    let (x, y) = scattered(15);
    let noise = Noise::known_each(&(0..15).map(|i| 0.1 + 0.02 * f64::from(i)).collect::<Vec<_>>()).unwrap();
    let reversed_noise =
        Noise::known_each(&(0..15).rev().map(|i| 0.1 + 0.02 * f64::from(i)).collect::<Vec<_>>());
    let backwards: Vec<usize> = (0..15).rev().collect();
    let reversed: Vec<f64> = y.iter().rev().copied().collect();
    let one = smooth().condition(&x, &y, &noise).unwrap();
    let other = smooth().condition(&x.select_rows(&backwards), &reversed, &reversed_noise.unwrap()).unwrap();
    assert!((one.ln_evidence() - other.ln_evidence()).abs() < 1e-12);
    let at = DMatrix::from_row_slice(2, 2, &[0.5, 0.5, 4.0, 1.0]);
    close(one.mean(&at).unwrap().as_slice(), other.mean(&at).unwrap().as_slice(), 1e-12);
    close(one.covariance(&at).unwrap().as_slice(), other.covariance(&at).unwrap().as_slice(), 1e-12);
    let left_out = other.leave_one_out().prediction.mean;
    close(
        &one.leave_one_out().prediction.mean.as_slice()[..3],
        &[left_out[14], left_out[13], left_out[12]],
        1e-12,
    );
}

#[test]
fn repeated_inputs_count_as_what_they_say_together() {
    // Against the formulas on all observations, without collapsing.
    let (sites, _) = scattered(6);
    let rows = [0, 1, 2, 1, 3, 4, 1, 5, 0];
    let x = sites.select_rows(&rows);
    let y: Vec<f64> = (0..9).map(|i| (2.1 * f64::from(i)).cos()).collect();
    let known: Vec<f64> = (0..9).map(|i| 0.05 * f64::from(1 + i % 4)).collect();
    let noise = Noise::known_each(&known).unwrap().plus_variance(0.02).unwrap();
    let posterior = smooth().condition(&x, &y, &noise).unwrap();
    assert_eq!(posterior.sites(), 6);

    let variances = noise.variances(9).unwrap();
    let gram = smooth().kernel().gram(&x);
    let full = &gram + DMatrix::from_diagonal(&DVector::from_vec(variances));
    let residual = DVector::from_vec(y.clone()) - smooth().mean().values(&x);
    let distribution = Gaussian::new(&[0.0; 9], &full).unwrap();
    let ln_evidence = distribution.ln_pdf(residual.as_slice());
    assert!((posterior.ln_evidence() - ln_evidence).abs() < 1e-12);

    let inverse = full.clone().try_inverse().unwrap();
    let alpha = &inverse * &residual;
    let at = DMatrix::from_row_slice(2, 2, &[0.5, 0.5, 4.0, 1.0]);
    let cross = smooth().kernel().cross(&x, &at);
    let mean = smooth().mean().values(&at) + cross.tr_mul(&alpha);
    close(posterior.mean(&at).unwrap().as_slice(), mean.as_slice(), 1e-12);
    let covariance = smooth().kernel().gram(&at) - cross.transpose() * &inverse * &cross;
    close(posterior.covariance(&at).unwrap().as_slice(), covariance.as_slice(), 1e-12);

    let left_out = posterior.leave_one_out();
    for i in 0..9 {
        let expected = [y[i] - alpha[i] / inverse[(i, i)], inverse[(i, i)].recip()];
        close(&[left_out.prediction.mean[i], left_out.prediction.variance[i]], &expected, 1e-12);
    }
    // tr(W ∂G) for the noise, and the slope of the mean.
    let slope = 0.5 * (alpha.norm_squared() - inverse.trace());
    let gradient = posterior.gradient();
    close(&[*gradient.last().unwrap()], &[0.02 * slope], 1e-12);
    close(&[gradient[2]], &[alpha.sum()], 1e-12);
    let weights = 0.5 * (&alpha * alpha.transpose() - inverse);
    close(&gradient[..2], &smooth().kernel().gram_gradient(&x, &weights), 1e-12);
}

#[test]
fn one_after_the_other_is_all_at_once() {
    let (x, y) = scattered(20);
    let noise = Noise::variance(0.05).unwrap();
    let batch = smooth().condition(&x, &y, &noise).unwrap();
    let mut step = smooth().condition(&x.rows(0, 8).into_owned(), &y[..8], &noise).unwrap();
    for (start, count) in [(8, 1), (9, 7), (16, 0), (16, 4)] {
        let inputs = x.rows(start, count).into_owned();
        step = step.condition(&inputs, &y[start..start + count], &noise).unwrap();
    }
    assert!((step.ln_evidence() - batch.ln_evidence()).abs() < 1e-12);
    let at = DMatrix::from_row_slice(2, 2, &[0.5, 0.5, 4.0, 1.0]);
    close(step.mean(&at).unwrap().as_slice(), batch.mean(&at).unwrap().as_slice(), 1e-12);
    close(step.covariance(&at).unwrap().as_slice(), batch.covariance(&at).unwrap().as_slice(), 1e-12);
    close(&step.gradient(), &batch.gradient(), 1e-11);

    // Again at an old place, with other noise.
    let more = step.condition(&x.rows(3, 1).into_owned(), &[2.0], &Noise::known(0.5).unwrap()).unwrap();
    assert_eq!((more.sites(), more.outputs().len()), (20, 21));
    let distribution = step.distribution(&x.rows(3, 1).into_owned()).unwrap();
    let density =
        MomentGaussian::new(distribution.mean().as_slice(), &distribution.covariance().add_scalar(0.5))
            .unwrap();
    let gain = more.ln_evidence() - step.ln_evidence();
    assert!((gain - density.ln_pdf(&[2.0]).unwrap()).abs() < 1e-11);
}

#[test]
fn limits_of_the_noise() {
    let (x, y) = scattered(10);
    let exact = smooth().condition(&x, &y, &Noise::none()).unwrap();
    close(exact.mean(&x).unwrap().as_slice(), &y, 1e-11);
    assert!(exact.variance(&x).unwrap().amax() < 1e-12);
    let drowned = smooth().condition(&x, &y, &Noise::known(1e12).unwrap()).unwrap();
    close(drowned.mean(&x).unwrap().as_slice(), smooth().mean().values(&x).as_slice(), 1e-10);
    close(drowned.variance(&x).unwrap().as_slice(), &[1.3; 10], 1e-10);
    let other: Vec<f64> = y.iter().map(|y| 3.0 - 2.0 * y).collect();
    let elsewhere = smooth().condition(&x, &other, &Noise::known(0.1).unwrap()).unwrap();
    let here = smooth().condition(&x, &y, &Noise::known(0.1).unwrap()).unwrap();
    assert_eq!(elsewhere.variance(&x).unwrap(), here.variance(&x).unwrap());
}

#[test]
fn the_evidence_prefers_the_length_that_made_the_data() {
    // GP-04: drawn with length 1, the profile over lengths peaks near 1.
    let x = DMatrix::from_fn(80, 1, |i, _| 0.2 * i as f64);
    let truth = GaussianProcess::new(1.0 * Kernel::rbf(1.0).unwrap());
    let noise = Noise::known(0.01).unwrap();
    let mut rng = Pcg64::new(1, 1);
    let f = truth.sample(&x, &mut rng).unwrap();
    let y: Vec<f64> = f.iter().map(|f| f + 0.1 * rng.sample::<f64, _>(StandardNormal)).collect();
    let profile = |length: f64| {
        let prior = GaussianProcess::new(1.0 * Kernel::rbf(length).unwrap());
        prior.condition(&x, &y, &noise).unwrap().evidence()
    };
    let lengths: Vec<f64> = (0..25).map(|i| 0.2 * 1.17_f64.powi(i)).collect();
    let best =
        lengths.iter().copied().max_by(|a, b| profile(*a).total().total_cmp(&profile(*b).total())).unwrap();
    assert!((0.8..1.25).contains(&best), "{best}");
    // Short lengths fit better and pay for it.
    assert!(profile(0.2).data_fit > profile(1.0).data_fit && profile(0.2).occam < profile(1.0).occam);
}

/// ∫ (F(x) - [x ≥ y])² dx, of which equation 21 of Gneiting and Raftery is the closed form.
#[test]
fn the_ranked_probability_score_is_its_integral() {
    let integral = |(mean, variance, y): (f64, f64, f64)| {
        let distribution = Normal::mean_sd(mean, variance.sqrt()).unwrap();
        let options = QuadratureOptions::default();
        let below = gauss_kronrod(|x| distribution.cdf(x).powi(2), f64::NEG_INFINITY, y, &options);
        let above = gauss_kronrod(|x| distribution.sf(x).powi(2), y, f64::INFINITY, &options);
        assert!(below.converged && above.converged);
        below.value + above.value
    };
    let predicted = |cases: &[(f64, f64, f64)]| Prediction {
        mean: DVector::from_iterator(cases.len(), cases.iter().map(|case| case.0)),
        variance: DVector::from_iterator(cases.len(), cases.iter().map(|case| case.1)),
    };
    let cases = [(0.0, 1.0, 0.3), (2.0, 0.25, 3.1), (-1.0, 9.0, -1.0)];
    for case in cases {
        close(&[predicted(&[case]).crps(&[case.2])], &[integral(case)], 1e-9);
    }
    let mean = cases.map(integral).iter().sum::<f64>() / 3.0;
    close(&[predicted(&cases).crps(&cases.map(|case| case.2))], &[mean], 1e-9);
    // What is thought to be known is wrong by its distance.
    assert_eq!(predicted(&[(1.0, 0.0, 3.5)]).crps(&[3.5]), 2.5);
}

#[test]
fn draws_have_the_distribution_that_they_claim() {
    let posterior = worked_example();
    let at = column(&[-1.5, 0.0, 0.1, 1.0]);
    let sampler = posterior.sampler(&at).unwrap();
    let (mean, covariance) = (posterior.mean(&at).unwrap(), posterior.covariance(&at).unwrap());
    let mut rng = Pcg64::new(2, 2);
    let count = 40_000;
    let (mut sum, mut squares) = (DVector::zeros(4), DMatrix::zeros(4, 4));
    for _ in 0..count {
        let deviation = sampler.sample(&mut rng) - &mean;
        squares += &deviation * deviation.transpose();
        sum += deviation;
    }
    // Five standard errors: a false alarm in 10⁵ seeds.
    for i in 0..4 {
        let error = (covariance[(i, i)] / f64::from(count)).sqrt();
        assert!((sum[i] / f64::from(count)).abs() < 5.0 * error);
        for j in 0..4 {
            let spread =
                (covariance[(i, i)] * covariance[(j, j)] + covariance[(i, j)].powi(2)) / f64::from(count);
            assert!((squares[(i, j)] / f64::from(count) - covariance[(i, j)]).abs() < 5.0 * spread.sqrt());
        }
    }
}

#[test]
fn gradients_of_all_parameters_are_differences_of_the_evidence() {
    let (x, y) = scattered(12);
    let prior = smooth();
    let noise = Noise::known_each(&[0.01; 12]).unwrap().plus_variance(0.1).unwrap();
    let problem = Regression::new(prior, noise, &x, &y).unwrap();
    let free: Vec<f64> = problem.parameters().iter().map(KernelParameter::free).collect();
    assert_eq!(free.len(), 6);
    let mut gradient = vec![0.0; 6];
    problem.ln_evidence(&free, &mut gradient).unwrap();
    for j in 0..6 {
        let at = |step: f64| {
            let mut moved = free.clone();
            moved[j] += step;
            problem.model(&moved).unwrap().1
        };
        let difference = (at(1e-5) - at(-1e-5)) / 2e-5;
        assert!((gradient[j] - difference).abs() < 1e-8 * gradient[j].abs().max(1.0), "{j}: {difference}");
    }
}
