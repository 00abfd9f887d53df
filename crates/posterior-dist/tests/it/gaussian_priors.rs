//! Priors of means, variances, covariances and precisions: their tables, and what data do to them.

use posterior_dist::{
    Conjugate, Density, Entropy, ExponentialFamily, Gaussian, GaussianKnownCovariance, GaussianKnownMean,
    InverseWishart, KlDivergence, Mode, Moments, MultivariateT, Normal, NormalGamma, NormalInverseGamma,
    NormalInverseWishart, NormalWishart, ParameterGradient, Parametric, PointGradient, Stats, Wishart,
    stream::stream,
};
use posterior_math::linalg::DMatrix;
use posterior_math::streaming::MeanVariance;
use posterior_testkit::accuracy::{Worst, assert_all_close, assert_close, assert_within};
use posterior_testkit::law;
use posterior_testkit::reference::{distribution_cases, list, number, numbers, rows};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use rand::distr::Distribution;

use crate::gaussian::matrix;

fn square(n: usize, entries: &[f64]) -> DMatrix<f64> {
    DMatrix::from_row_slice(n, n, entries)
}

fn inverse_wishart_prior() -> NormalInverseWishart {
    NormalInverseWishart::new(&[0.5, -1.0], 0.7, &square(2, &[2.0, 0.3, 0.3, 1.0]), 4.5).expect("valid")
}

const POINTS: [[f64; 2]; 5] = [[1.2, 0.3], [0.7, -0.4], [2.1, 1.9], [1.6, 0.2], [-3.0, 4.0]];

fn points() -> Vec<Vec<f64>> {
    POINTS.iter().map(|x| x.to_vec()).collect()
}

#[test]
fn normal_inverse_wishart_by_its_table() {
    let mut densities = Worst::of("normal_inverse_wishart, ln_pdf");
    let mut updates = Worst::of("normal_inverse_wishart, updates");
    for case in distribution_cases("normal_inverse_wishart") {
        let (mu, psi) = (numbers(&case["mu0"]), matrix(&case["psi"]));
        let prior =
            NormalInverseWishart::new(&mu, number(&case["kappa"]), &psi, number(&case["nu"])).expect("valid");
        let size = prior.dimension();
        for point in list(&case["points"]) {
            let x =
                Gaussian::new(&numbers(&point["mu"]), &matrix(&point["sigma"])).expect("positive definite");
            let expected = number(&point["logpdf"]);
            densities.see_conditioned(prior.ln_pdf(&x), expected, x.cholesky().condition_estimate(), &size);
        }
        let update = &case["conjugate_update"];
        let data = rows(&update["data"]);
        let stats = Stats::<Gaussian>::of(size, data.iter().map(|x| &x[..])).expect("finite");
        let posterior = Gaussian::posterior(&prior, &stats).expect("fits");
        let evidence = Gaussian::ln_evidence(&prior, &stats).expect("fits");
        updates.see_conditioned(evidence, number(&update["log_evidence"]), 1.0, &(size, "evidence"));
        updates.see(posterior.kappa(), number(&update["kappa_n"]), &(size, "kappa"));
        updates.see(posterior.nu(), number(&update["nu_n"]), &(size, "nu"));
        for (a, e) in posterior.mu().iter().zip(numbers(&update["mu_n"])) {
            updates.see_conditioned(*a, e, 1.0, &(size, "mu"));
        }
        let expected = matrix(&update["psi_n"]);
        for (a, e) in posterior.psi().iter().zip(expected.iter()) {
            updates.see_conditioned(*a, *e, 0.1 * expected.amax(), &(size, "psi"));
        }
    }
    densities.assert_at_most(1e-15);
    updates.assert_at_most(1e-15);
}

#[test]
fn normal_gamma_and_normal_inverse_gamma_by_their_tables() {
    let mut worst = Worst::of("normal_gamma, ln_pdf");
    for case in distribution_cases("normal_gamma") {
        let law = NormalGamma::from_parameters(&numbers(&case["params"])).expect("valid");
        for point in list(&case["points"]) {
            let x = (number(&point["x"]), number(&point["tau"]));
            let terms = law.kappa() * x.1 * (x.0 - law.mu()).powi(2) + law.beta() * x.1 + 1.0;
            worst.see_conditioned(law.ln_pdf(&x), number(&point["logpdf"]), terms, &x);
        }
    }
    worst.assert_at_most(1e-15);
    let mut worst = Worst::of("normal_inverse_gamma, ln_pdf");
    for case in distribution_cases("normal_inverse_gamma") {
        let law = NormalInverseGamma::from_parameters(&numbers(&case["params"])).expect("valid");
        for point in list(&case["points"]) {
            let x = (number(&point["x"]), number(&point["sigma_sq"]));
            let terms = law.kappa() / x.1 * (x.0 - law.mu()).powi(2) + law.beta() / x.1 + 1.0;
            worst.see_conditioned(law.ln_pdf(&x), number(&point["logpdf"]), terms, &x);
        }
    }
    worst.assert_at_most(1e-15);
}

#[test]
fn updates_of_mean_and_variance_by_their_table() {
    let mut worst = Worst::of("normal_inverse_gamma, updates");
    for case in distribution_cases("normal_inverse_gamma") {
        let prior = NormalInverseGamma::from_parameters(&numbers(&case["params"])).expect("valid");
        let update = &case["conjugate_update"];
        let data: MeanVariance = numbers(&update["data"]).into_iter().collect();
        let posterior = prior.updated(&data).expect("finite");
        for (index, (a, e)) in posterior.parameters().iter().zip(numbers(&update["posterior"])).enumerate() {
            worst.see_conditioned(*a, e, if index == 0 { 1.0 } else { 0.0 }, &("posterior", index));
        }
        worst.see_conditioned(prior.ln_evidence(&data), number(&update["log_evidence"]), 1.0, &"evidence");
        let expected = &update["predictive_student_t"];
        for (a, name) in posterior.predictive_parameters().into_iter().zip(["nu", "loc", "scale"]) {
            worst.see_conditioned(a, number(&expected[name]), 1.0, &name);
        }
    }
    worst.assert_at_most(1e-15);

    // The example of the textbook.
    let data: MeanVariance = [1.2, 0.7, 2.1, 1.6].into_iter().collect();
    let prior = NormalInverseGamma::new(0.0, 1.0, 2.0, 1.0).expect("valid");
    let posterior = prior.updated(&data).expect("finite");
    assert_all_close(&posterior.parameters(), &[1.12, 5.0, 4.0, 2.314], 1e-15);
    assert_close(prior.ln_evidence(&data), -6.044624134893626, 1e-15);
    let [nu, location, scale] = posterior.predictive_parameters();
    assert_all_close(&[nu, location, scale * scale], &[8.0, 1.12, 0.6942], 1e-15);
}

#[test]
fn the_four_priors_are_one() {
    // In one dimension the matrix laws are those of numbers: ν = 2 α, Ψ = 2 β.
    let gamma = NormalInverseGamma::new(0.5, 0.7, 2.25, 1.4).expect("valid");
    let other = NormalInverseGamma::new(-0.5, 2.0, 3.0, 0.4).expect("valid");
    let wide = |law: &NormalInverseGamma| {
        let psi = DMatrix::from_element(1, 1, 2.0 * law.beta());
        NormalInverseWishart::new(&[law.mu()], law.kappa(), &psi, 2.0 * law.alpha()).expect("valid")
    };
    let precise = |law: &NormalInverseGamma| NormalWishart::from_inverse(wide(law)).expect("valid");
    let (mean, variance) = (0.2, 0.9);
    let law = Gaussian::new(&[mean], &DMatrix::from_element(1, 1, variance)).expect("positive");
    assert_close(wide(&gamma).ln_pdf(&law), gamma.ln_pdf(&(mean, variance)), 1e-14);
    let precision = NormalGamma::from(gamma);
    assert_close(precise(&gamma).ln_pdf(&law), precision.ln_pdf(&(mean, 1.0 / variance)), 1e-14);
    assert_close(wide(&gamma).entropy(), gamma.entropy(), 1e-14);
    assert_close(precise(&gamma).entropy(), precision.entropy(), 1e-14);
    let divergence = gamma.kl_divergence(&other);
    assert_close(wide(&gamma).kl_divergence(&wide(&other)), divergence, 1e-14);
    assert_close(precise(&gamma).kl_divergence(&precise(&other)), divergence, 1e-14);
    assert_close(precision.kl_divergence(&NormalGamma::from(other)), divergence, 1e-14);
    for law in [gamma, other] {
        law::kl_divergence::<_, (f64, f64)>(&gamma, &law, None);
    }
    assert_close(
        wide(&gamma).mode().expect("exists").covariance()[0],
        gamma.mode().expect("exists").1,
        1e-15,
    );
    let mode = precise(&gamma).mode().expect("exists");
    assert_close(1.0 / mode.covariance()[0], precision.mode().expect("exists").1, 1e-14);
    assert_eq!(NormalInverseGamma::from(precision), gamma);
    assert_eq!(precision.to_string(), "normal_gamma(0.5, 0.7, 2.25, 1.4)");
}

/// Five standard errors: one false alarm in a million seeds.
#[track_caller]
fn within_errors(of: impl Iterator<Item = f64>, expected: f64) {
    let statistic: MeanVariance = of.collect();
    assert_within(
        statistic.mean(),
        expected,
        5.0 * (statistic.sample_variance() / statistic.weight()).sqrt(),
    );
}

#[test]
fn draws_agree_with_moments_entropy_and_divergence() {
    let (p, q) = (
        NormalInverseGamma::new(0.5, 0.7, 3.25, 1.4).expect("valid"),
        NormalInverseGamma::new(0.3, 0.9, 2.0, 1.0).expect("valid"),
    );
    let mut rng = stream(11, &[]);
    let draws: Vec<(f64, f64)> = (0..20_000).map(|_| p.sample(&mut rng)).collect();
    within_errors(draws.iter().map(|x| -p.ln_pdf(x)), p.entropy());
    within_errors(draws.iter().map(|x| p.ln_pdf(x) - q.ln_pdf(x)), p.kl_divergence(&q));
    let (mean, variance) = (p.mean().expect("exists"), p.variance().expect("exists"));
    within_errors(draws.iter().map(|x| x.0), mean.0);
    within_errors(draws.iter().map(|x| x.1), mean.1);
    within_errors(draws.iter().map(|x| (x.0 - mean.0).powi(2)), variance.0);
    within_errors(
        draws.iter().map(|x| -0.5 * ((2.0 * std::f64::consts::PI * x.1).ln() + (x.0 - 2.0).powi(2) / x.1)),
        p.expected_ln_pdf(2.0),
    );
    let (p, q) = (NormalGamma::from(p), NormalGamma::from(q));
    let draws: Vec<(f64, f64)> = (0..20_000).map(|_| p.sample(&mut rng)).collect();
    within_errors(draws.iter().map(|x| -p.ln_pdf(x)), p.entropy());
    within_errors(draws.iter().map(|x| p.ln_pdf(x) - q.ln_pdf(x)), p.kl_divergence(&q));
    within_errors(draws.iter().map(|x| x.1), p.mean().expect("exists").1);

    let p = inverse_wishart_prior();
    let q =
        NormalInverseWishart::new(&[0.4, -0.8], 1.0, &square(2, &[1.5, 0.0, 0.0, 1.0]), 5.0).expect("valid");
    let draws: Vec<Gaussian> = (0..20_000).map(|_| p.draw(&mut rng).expect("regular")).collect();
    within_errors(draws.iter().map(|x| -p.ln_pdf(x)), p.entropy());
    within_errors(draws.iter().map(|x| p.ln_pdf(x) - q.ln_pdf(x)), p.kl_divergence(&q));
    within_errors(draws.iter().map(|x| x.ln_pdf(&[1.0, 1.0])), p.expected_ln_pdf(&[1.0, 1.0]));
    // The mean alone is t, and the predictive density is the mean of the densities.
    let marginal = p.mean_law().expect("finite");
    within_errors(draws.iter().map(|x| marginal.ln_pdf(x.mean().as_slice())), {
        let mut rng = stream(12, &[]);
        let direct: MeanVariance =
            (0..200_000).map(|_| marginal.ln_pdf(&marginal.sample(&mut rng))).collect();
        direct.mean()
    });
    let predictive: MultivariateT = Gaussian::predictive(&p, &2).expect("fits");
    within_errors(draws.iter().map(|x| x.ln_pdf(&[1.0, 1.0]).exp()), predictive.ln_pdf(&[1.0, 1.0]).exp());
    let precise = NormalWishart::from_inverse(p).expect("valid");
    within_errors(draws.iter().map(|x| -precise.ln_pdf(x)), precise.entropy());
}

#[test]
fn the_priors_are_conjugate() {
    let prior = inverse_wishart_prior();
    law::conjugate::<Gaussian, _, _>(&2, &prior, &points());
    let precise = NormalWishart::from_inverse(prior).expect("valid");
    law::conjugate::<Gaussian, _, _>(&2, &precise, &points());
    let numbers = [1.2, 0.7, 2.1, 1.6, -3.0];
    for (kappa, alpha) in [(1.0, 2.0), (1e-3, 0.1), (1e6, 1e6)] {
        let prior = NormalInverseGamma::new(0.5, kappa, alpha, alpha).expect("valid");
        law::conjugate::<Normal, _, f64>(&(), &prior, &numbers);
        law::conjugate::<Normal, _, f64>(&(), &NormalGamma::from(prior), &numbers);
    }
    // A prior that counts for a million points.
    let strong = NormalInverseWishart::new(&[1.0, 0.0], 1e6, &(square(2, &[2.0, 0.3, 0.3, 1.0]) * 1e6), 1e6);
    law::conjugate::<Gaussian, _, _>(&2, &strong.expect("valid"), &points());

    let noise = Gaussian::new(&[0.0, 0.0], &square(2, &[0.5, 0.1, 0.1, 0.3])).expect("valid");
    let prior = Gaussian::new(&[0.5, -1.0], &square(2, &[2.0, 0.3, 0.3, 1.0])).expect("valid");
    law::conjugate::<GaussianKnownCovariance, _, _>(&noise, &prior, &points());
    let mean = vec![1.0, 0.5];
    let covariance = InverseWishart::new(3.5, &square(2, &[2.0, 0.3, 0.3, 1.0])).expect("valid");
    law::conjugate::<GaussianKnownMean, _, _>(&mean, &covariance, &points());
    let precision = Wishart::from_inverse_scale(3.5, &square(2, &[2.0, 0.3, 0.3, 1.0])).expect("valid");
    law::conjugate::<GaussianKnownMean, _, _>(&mean, &precision, &points());
    let stats = Stats::<GaussianKnownMean>::of(mean.clone(), POINTS.iter().map(|x| &x[..])).expect("finite");
    assert_eq!(
        GaussianKnownMean::ln_evidence(&covariance, &stats),
        GaussianKnownMean::ln_evidence(&precision, &stats)
    );
}

#[test]
fn families_with_a_known_part() {
    let covariance = square(2, &[2.0, 0.3, 0.3, 1.0]);
    let noise = Gaussian::new(&[0.0, 0.0], &covariance).expect("valid");
    let law = GaussianKnownCovariance::new(&[0.5, -1.0], &noise).expect("valid");
    law::exponential_family(&law, &points(), 1e-12);
    law::stats::<GaussianKnownCovariance, Vec<f64>>(&noise, &points());
    let law = GaussianKnownMean::new(&[0.5, -1.0], &covariance).expect("valid");
    law::exponential_family(&law, &points(), 1e-12);
    law::stats::<GaussianKnownMean, Vec<f64>>(&vec![0.5, -1.0], &points());
    let full = law.law().fisher_information();
    assert_all_close(
        law.fisher_information().as_slice(),
        Gaussian::new(&[0.0, 0.0], &covariance)
            .expect("valid")
            .fisher_information()
            .view((2, 2), (3, 3))
            .into_owned()
            .as_slice(),
        1e-15,
    );
    assert_eq!(full.nrows(), 5);
}

#[test]
fn expected_densities_are_the_closed_forms() {
    let prior = inverse_wishart_prior();
    let expected = Gaussian::expected_density(&prior, &2).expect("fits");
    let precise = NormalWishart::from_inverse(prior.clone()).expect("valid");
    assert_eq!(Gaussian::expected_density(&precise, &2).expect("fits"), expected);
    for x in &POINTS {
        assert_close(expected.ln_pdf(x), prior.expected_ln_pdf(x), 1e-14);
    }
    let prior = NormalInverseGamma::new(0.5, 0.7, 3.25, 1.4).expect("valid");
    let expected = Normal::expected_density(&prior, &()).expect("fits");
    for x in [-2.0, 0.5, 3.0] {
        assert_close(expected.ln_pdf(&x), prior.expected_ln_pdf(x), 1e-14);
    }
    assert_eq!(Normal::expected_density(&NormalGamma::from(prior), &()).expect("fits"), expected);
    // E ln |Λ| of the textbook enters: W = I, ν = 5, at the mean.
    let unit = NormalWishart::new(&[0.0, 0.0], 2.0, &DMatrix::identity(2, 2), 5.0).expect("valid");
    let at_mean = Gaussian::expected_density(&unit, &2).expect("fits").ln_pdf(&[0.0, 0.0]);
    assert_close(at_mean, 0.5 * 2.5122353368636006 - (2.0 * std::f64::consts::PI).ln() - 0.5, 1e-15);
    // Of the priors with a known part: means over draws.
    let mut rng = stream(13, &[]);
    let noise = Gaussian::new(&[0.0, 0.0], &square(2, &[0.5, 0.1, 0.1, 0.3])).expect("valid");
    let of_mean = Gaussian::new(&[0.5, -1.0], &square(2, &[2.0, 0.3, 0.3, 1.0])).expect("valid");
    let expected = GaussianKnownCovariance::expected_density(&of_mean, &noise).expect("fits");
    let draw = |_| GaussianKnownCovariance::draw(&of_mean, &noise, &mut rng).expect("finite");
    let draws: Vec<GaussianKnownCovariance> = (0..20_000).map(draw).collect();
    within_errors(draws.iter().map(|law| law.ln_pdf(&[1.0, 1.0])), expected.ln_pdf(&[1.0, 1.0]));
    let mean = vec![1.0, 0.5];
    let of_precision = Wishart::new(4.5, &square(2, &[2.0, 0.3, 0.3, 1.0])).expect("valid");
    let expected = GaussianKnownMean::expected_density(&of_precision, &mean).expect("fits");
    let draw = |_| GaussianKnownMean::draw(&of_precision, &mean, &mut rng).expect("regular");
    let draws: Vec<GaussianKnownMean> = (0..20_000).map(draw).collect();
    within_errors(draws.iter().map(|law| law.ln_pdf(&[2.0, -1.0])), expected.ln_pdf(&[2.0, -1.0]));
}

#[test]
fn the_most_probable_law_is_the_mode() {
    // Moving any parameter lowers the density, of covariance and of precision.
    let prior = inverse_wishart_prior();
    let precise =
        NormalWishart::new(&[0.5, -1.0], 0.7, &square(2, &[2.0, 0.3, 0.3, 1.0]), 4.5).expect("valid");
    let of_covariance = Gaussian::most_probable(&prior, &2).expect("fits").expect("exists");
    let of_precision = Gaussian::most_probable(&precise, &2).expect("fits").expect("exists");
    for step in [
        square(2, &[1e-3, 0.0, 0.0, 0.0]),
        square(2, &[0.0, 1e-3, 1e-3, 0.0]),
        square(2, &[0.0, 0.0, 0.0, 1e-3]),
    ] {
        for step in [step.clone(), -step] {
            let mode = &of_covariance;
            let moved = Gaussian::new(mode.mean().as_slice(), &(mode.covariance() + &step)).expect("close");
            assert!(prior.ln_pdf(&moved) < prior.ln_pdf(mode));
            let mode = &of_precision;
            let moved =
                Gaussian::from_precision(mode.mean().as_slice(), &(mode.precision() + &step)).expect("close");
            assert!(precise.ln_pdf(&moved) < precise.ln_pdf(mode));
        }
    }
    let prior = NormalInverseGamma::new(0.5, 0.7, 3.25, 1.4).expect("valid");
    let law = Normal::most_probable(&prior, &()).expect("fits").expect("exists");
    assert_close(law.sd().powi(2), 1.4 / 4.75, 1e-15);
    let law = Normal::most_probable(&NormalGamma::from(prior), &()).expect("fits").expect("exists");
    assert_close(law.precision(), 2.75 / 1.4, 1e-15);
    let flat = NormalGamma::new(0.0, 1.0, 0.5, 1.0).expect("valid");
    assert_eq!(Normal::most_probable(&flat, &()).expect("fits"), None);
    let flat = NormalWishart::new(&[0.0, 0.0], 1.0, &DMatrix::identity(2, 2), 1.5).expect("valid");
    assert_eq!(flat.mode(), None);
    let mean = vec![0.0, 0.0];
    let shallow = Wishart::new(2.5, &DMatrix::identity(2, 2)).expect("valid");
    assert_eq!(GaussianKnownMean::most_probable(&shallow, &mean).expect("fits"), None);
}

#[test]
fn bayes_rule_holds_at_every_parameter() {
    // ln p(θ) + ln p(x | θ) - ln p(θ | x) is ln p(x), whatever θ is: densities, updates and evidences check each other.
    let data = Stats::<Gaussian>::of(2, POINTS.iter().map(|x| &x[..])).expect("finite");
    let mut rng = stream(14, &[]);
    let ln_likelihood = |law: &Gaussian| POINTS.iter().map(|x| law.ln_pdf(x)).sum::<f64>();

    let prior = inverse_wishart_prior();
    let posterior = Gaussian::posterior(&prior, &data).expect("fits");
    let evidence = Gaussian::ln_evidence(&prior, &data).expect("fits");
    let precise = NormalWishart::from_inverse(prior.clone()).expect("valid");
    let precise_posterior = Gaussian::posterior(&precise, &data).expect("fits");
    for _ in 0..20 {
        let law = Gaussian::draw(&prior, &2, &mut rng).expect("regular");
        let ln_bayes = prior.ln_pdf(&law) + ln_likelihood(&law) - posterior.ln_pdf(&law);
        assert_within(ln_bayes, evidence, 1e-12 * ln_likelihood(&law).abs());
        let ln_bayes = precise.ln_pdf(&law) + ln_likelihood(&law) - precise_posterior.ln_pdf(&law);
        assert_within(ln_bayes, evidence, 1e-12 * ln_likelihood(&law).abs());
    }

    let mean = vec![1.0, 0.5];
    let data = Stats::<GaussianKnownMean>::of(mean.clone(), POINTS.iter().map(|x| &x[..])).expect("finite");
    let prior = Wishart::new(4.5, &square(2, &[2.0, 0.3, 0.3, 1.0])).expect("valid");
    let posterior = GaussianKnownMean::posterior(&prior, &data).expect("fits");
    let evidence = GaussianKnownMean::ln_evidence(&prior, &data).expect("fits");
    for _ in 0..20 {
        let precision: DMatrix<f64> = prior.sample(&mut rng);
        let law = Gaussian::from_precision(&mean, &precision).expect("regular");
        let ln_bayes = prior.ln_pdf(&precision) + ln_likelihood(&law) - posterior.ln_pdf(&precision);
        assert_within(ln_bayes, evidence, 1e-12 * ln_likelihood(&law).abs());
    }

    let noise = Gaussian::new(&[0.0, 0.0], &square(2, &[0.5, 0.1, 0.1, 0.3])).expect("valid");
    let prior = Gaussian::new(&[0.5, -1.0], &square(2, &[2.0, 0.3, 0.3, 1.0])).expect("valid");
    let data =
        Stats::<GaussianKnownCovariance>::of(noise.clone(), POINTS.iter().map(|x| &x[..])).expect("finite");
    let posterior = GaussianKnownCovariance::posterior(&prior, &data).expect("fits");
    let evidence = GaussianKnownCovariance::ln_evidence(&prior, &data).expect("fits");
    for _ in 0..20 {
        let mean: Vec<f64> = prior.sample(&mut rng);
        let law = Gaussian::new(&mean, noise.covariance()).expect("valid");
        let ln_bayes = prior.ln_pdf(&mean) + ln_likelihood(&law) - posterior.ln_pdf(&mean);
        assert_within(ln_bayes, evidence, 1e-12 * ln_likelihood(&law).abs());
    }
}

#[test]
fn the_evidence_of_mean_and_variance_is_its_integral() {
    // Brute force: the prior times the likelihood on a grid of (μ, ln σ²), where the trapezoidal rule converges
    // geometrically.
    let points = [1.2, 0.7, 2.1, 1.6];
    let prior = NormalInverseGamma::new(0.0, 1.0, 2.0, 1.0).expect("valid");
    let ln_joint = |mean: f64, ln_variance: f64| {
        let variance = f64::exp(ln_variance);
        let squares: f64 = points.iter().map(|x| (x - mean).powi(2)).sum();
        let ln_likelihood = -2.0 * (2.0 * std::f64::consts::PI * variance).ln() - 0.5 * squares / variance;
        prior.ln_pdf(&(mean, variance)) + ln_likelihood + ln_variance
    };
    let (height, width) = (0.1, 0.05);
    let mut sum = 0.0;
    for i in -80..=160 {
        let ln_variance = height * f64::from(i);
        for j in -2000..=2000 {
            // Wider where the variance is: the grid of the mean in units of its deviation.
            let mean = 1.12 + width * f64::from(j) * (0.5 * ln_variance).exp();
            sum += (ln_joint(mean, ln_variance) + 0.5 * ln_variance).exp();
        }
    }
    let data = Stats::<Normal>::of((), &points).expect("finite");
    let evidence = Normal::ln_evidence(&prior, &data).expect("finite");
    assert_close((sum * height * width).ln(), evidence, 1e-10);
    assert_close(evidence, -6.044624134893626, 1e-15);
    // The density of the next point is the ratio of two evidences.
    let posterior = Normal::posterior(&prior, &data).expect("finite");
    let more = Stats::<Normal>::of((), &[1.2, 0.7, 2.1, 1.6, 3.0]).expect("finite");
    let next = Normal::ln_evidence(&prior, &more).expect("finite") - evidence;
    assert_close(Normal::predictive(&posterior, &()).expect("finite").ln_pdf(&3.0), next, 1e-14);
    // One point, whose squares about itself are zero, and none.
    let one = Stats::<Normal>::of((), &[3.0]).expect("finite");
    let predictive = Normal::predictive(&prior, &()).expect("finite").ln_pdf(&3.0);
    assert_close(Normal::ln_evidence(&prior, &one).expect("finite"), predictive, 1e-14);
    assert_eq!(Normal::posterior(&prior, &Stats::new(())).expect("finite"), prior);
}

#[test]
fn gradients_are_differences() {
    let law = NormalInverseGamma::new(0.5, 0.7, 3.25, 1.4).expect("valid");
    differences(&law, [0.2, 0.9], |x| (x[0], x[1]));
    differences(&NormalGamma::from(law), [0.2, 0.9], |x| (x[0], x[1]));
    assert!(law.point_gradient(&(0.0, -1.0))[0].is_nan() && law.parameter_gradient(&(0.0, 0.0))[3].is_nan());
}

fn differences<D>(law: &D, point: [f64; 2], of: impl Fn([f64; 2]) -> D::Point)
where
    D: Parametric + PointGradient<Gradient = [f64; 2]> + ParameterGradient,
    D::Point: Sized,
{
    let step = 1e-5;
    for (index, slope) in law.point_gradient(&of(point)).into_iter().enumerate() {
        let at = |offset: f64| {
            let mut moved = point;
            moved[index] += offset;
            law.ln_pdf(&of(moved))
        };
        assert_within((at(step) - at(-step)) / (2.0 * step), slope, 1e-8);
    }
    for (index, &slope) in law.parameter_gradient(&of(point)).as_ref().iter().enumerate() {
        let at = |offset: f64| {
            let mut moved = law.parameters();
            moved[index] += offset;
            D::from_parameters(&moved).expect("valid").ln_pdf(&of(point))
        };
        assert_within((at(step) - at(-step)) / (2.0 * step), slope, 1e-8);
    }
}

#[test]
fn one_point_and_none() {
    let prior = inverse_wishart_prior();
    assert_eq!(Gaussian::posterior(&prior, &Stats::new(2)).expect("fits"), prior);
    let one = Stats::<Gaussian>::of(2, [&[3.0, 1.0][..]]).expect("finite");
    let evidence = Gaussian::ln_evidence(&prior, &one).expect("fits");
    assert_close(evidence, Gaussian::predictive(&prior, &2).expect("fits").ln_pdf(&[3.0, 1.0]), 1e-14);
    // Data far from zero: the scatter keeps its digits.
    let far: Vec<Vec<f64>> = POINTS.iter().map(|[x, y]| vec![x + 1e8, y - 1e8]).collect();
    let moved = NormalInverseWishart::new(&[1e8, -1e8], 0.7, prior.psi(), 4.5).expect("valid");
    let at_zero = NormalInverseWishart::new(&[0.0, 0.0], 0.7, prior.psi(), 4.5).expect("valid");
    let of = |points: &[Vec<f64>]| Stats::<Gaussian>::of(2, points.iter().map(|x| &x[..])).expect("finite");
    let (here, there) = (of(&points()), of(&far));
    // The points themselves were rounded to 1e-8.
    assert_within(
        Gaussian::ln_evidence(&moved, &there).expect("fits"),
        Gaussian::ln_evidence(&at_zero, &here).expect("fits"),
        1e-7,
    );
    assert!(Gaussian::posterior(&prior, &Stats::new(3)).is_err());
    assert!(Gaussian::predictive(&prior, &3).is_err());
}

#[test]
fn what_is_no_prior_is_refused() {
    let unit = DMatrix::identity(2, 2);
    for [kappa, nu] in [[0.0, 4.0], [-1.0, 4.0], [f64::NAN, 4.0], [1.0, 1.0], [1.0, f64::INFINITY]] {
        assert!(NormalInverseWishart::new(&[0.0, 0.0], kappa, &unit, nu).is_err());
        assert!(NormalWishart::new(&[0.0, 0.0], kappa, &unit, nu).is_err());
    }
    assert!(NormalInverseWishart::new(&[0.0], 1.0, &unit, 4.0).is_err());
    assert!(NormalInverseWishart::new(&[0.0, f64::NAN], 1.0, &unit, 4.0).is_err());
    for parameters in [
        [f64::NAN, 1.0, 1.0, 1.0],
        [0.0, 0.0, 1.0, 1.0],
        [0.0, 1.0, -1.0, 1.0],
        [0.0, 1.0, 1.0, f64::INFINITY],
    ] {
        let error = NormalInverseGamma::from_parameters(&parameters).expect_err("not valid");
        let refused = parameters.iter().any(|x| error.value() == *x || x.is_nan() && error.value().is_nan());
        assert!(refused && NormalGamma::from_parameters(&parameters).is_err());
    }
    let prior = NormalGamma::new(0.0, 1.0, 0.4, 1.0).expect("valid");
    assert_eq!((prior.mean(), prior.mode()), (None, None));
    assert_eq!(prior.ln_pdf(&(0.0, -1.0)), f64::NEG_INFINITY);
    assert!(prior.ln_pdf(&(0.0, f64::NAN)).is_nan());
    let prior = NormalInverseGamma::from(prior);
    assert_eq!(prior.ln_pdf(&(f64::INFINITY, 1.0)), f64::NEG_INFINITY);
    assert_eq!(inverse_wishart_prior().ln_pdf(&Gaussian::standard(3)), f64::NEG_INFINITY);
}

fn fixed_cases() -> ProptestConfig {
    ProptestConfig {
        cases: 256,
        rng_seed: RngSeed::Fixed(22),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(fixed_cases())]

    #[test]
    fn random_normal_wisharts_are_conjugate(
        kappa in (-3.0..3.0).prop_map(|e: f64| 10_f64.powf(e)),
        nu in 2.1..20.0,
        data in prop::collection::vec(prop::collection::vec(-5.0..5.0, 3), 1..8),
    ) {
        let psi = square(3, &[2.0, 0.3, -0.1, 0.3, 1.0, 0.2, -0.1, 0.2, 0.7]);
        let prior = NormalInverseWishart::new(&[0.5, 0.0, -1.0], kappa, &psi, nu).expect("valid");
        law::conjugate::<Gaussian, _, Vec<f64>>(&3, &prior, &data);
    }

    #[test]
    fn numbers_of_any_bits_do_no_harm(bits in prop::collection::vec(any::<u64>(), 6)) {
        let x: Vec<f64> = bits.iter().map(|&bits| f64::from_bits(bits)).collect();
        if let Ok(law) = NormalInverseGamma::new(x[0], x[1].abs(), x[2].abs(), x[3].abs()) {
            let (density, precise) = (law.ln_pdf(&(x[4], x[5])), NormalGamma::from(law));
            prop_assert!(!density.is_nan() || x[4].is_nan() || x[5].is_nan(), "{law:?} {x:?}");
            let density = precise.ln_pdf(&(x[4], x[5]));
            prop_assert!(!density.is_nan() || x[4].is_nan() || x[5].is_nan(), "{precise:?} {x:?}");
            let _ = (law.entropy(), law.mean(), law.variance(), law.mode(), precise.mode(), law.kl_divergence(&law));
            let _: (f64, f64) = law.sample(&mut stream(1, &[]));
        }
        let scale = DMatrix::from_row_slice(2, 2, &[x[0].abs(), x[1], x[1], x[2].abs()]);
        if let Ok(law) = InverseWishart::new(x[3].abs(), &scale) {
            let _ = (law.entropy(), law.mean(), law.variance(), law.mode(), law.ln_pdf(&scale));
            let _: DMatrix<f64> = law.sample(&mut stream(1, &[]));
        }
        if let Ok(law) = Wishart::new(x[3].abs(), &scale) {
            let _ = (law.entropy(), law.mean(), law.variance(), law.mode(), law.ln_pdf(&scale));
            let _: DMatrix<f64> = law.sample(&mut stream(1, &[]));
        }
    }
}
