//! What data do to the priors.

use posterior_dist::{
    Conjugate, Density, FisherInformation, Mode, Normal, NormalGamma, NormalInverseGamma, PriorDensity,
    Stats, stream::stream,
};
use posterior_gaussian::{
    Gaussian, GaussianKnownCovariance, GaussianKnownMean, InverseWishart, NormalInverseWishart,
    NormalWishart, Wishart,
};
use posterior_math::linalg::DMatrix;
use posterior_testkit::accuracy::{assert_all_close, assert_close, assert_within};
use posterior_testkit::consistency;
use rand::distr::Distribution;

use super::{POINTS, inverse_wishart_prior, points, square, within_errors};

#[test]
fn the_priors_are_conjugate() {
    let prior = inverse_wishart_prior();
    consistency::conjugate::<Gaussian, _, _>(&2, &prior, &points());
    let precise = NormalWishart::from_inverse(prior).expect("valid");
    consistency::conjugate::<Gaussian, _, _>(&2, &precise, &points());
    let numbers = [1.2, 0.7, 2.1, 1.6, -3.0];
    for (kappa, alpha) in [(1.0, 2.0), (1e-3, 0.1), (1e6, 1e6)] {
        let prior = NormalInverseGamma::new(0.5, kappa, alpha, alpha).expect("valid");
        consistency::conjugate::<Normal, _, f64>(&(), &prior, &numbers);
        consistency::conjugate::<Normal, _, f64>(&(), &NormalGamma::from(prior), &numbers);
    }
    // A prior that counts for a million points.
    let strong = NormalInverseWishart::new(&[1.0, 0.0], 1e6, &(square(2, &[2.0, 0.3, 0.3, 1.0]) * 1e6), 1e6);
    consistency::conjugate::<Gaussian, _, _>(&2, &strong.expect("valid"), &points());

    let noise = Gaussian::new(&[0.0, 0.0], &square(2, &[0.5, 0.1, 0.1, 0.3])).expect("valid");
    let prior = Gaussian::new(&[0.5, -1.0], &square(2, &[2.0, 0.3, 0.3, 1.0])).expect("valid");
    consistency::conjugate::<GaussianKnownCovariance, _, _>(&noise, &prior, &points());
    let mean = vec![1.0, 0.5];
    let covariance = InverseWishart::new(3.5, &square(2, &[2.0, 0.3, 0.3, 1.0])).expect("valid");
    consistency::conjugate::<GaussianKnownMean, _, _>(&mean, &covariance, &points());
    let precision = Wishart::from_inverse_scale(3.5, &square(2, &[2.0, 0.3, 0.3, 1.0])).expect("valid");
    consistency::conjugate::<GaussianKnownMean, _, _>(&mean, &precision, &points());
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
    let distribution = GaussianKnownCovariance::new(&[0.5, -1.0], &noise).expect("valid");
    consistency::exponential_family(&distribution, &points(), 1e-12);
    consistency::stats::<GaussianKnownCovariance, Vec<f64>>(&noise, &points());
    let distribution = GaussianKnownMean::new(&[0.5, -1.0], &covariance).expect("valid");
    consistency::exponential_family(&distribution, &points(), 1e-12);
    consistency::stats::<GaussianKnownMean, Vec<f64>>(&vec![0.5, -1.0], &points());
    let full = distribution.distribution().fisher_information();
    assert_all_close(
        distribution.fisher_information().as_slice(),
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
    within_errors(
        draws.iter().map(|distribution| distribution.ln_pdf(&[1.0, 1.0])),
        expected.ln_pdf(&[1.0, 1.0]),
    );
    let mean = vec![1.0, 0.5];
    let of_precision = Wishart::new(4.5, &square(2, &[2.0, 0.3, 0.3, 1.0])).expect("valid");
    let expected = GaussianKnownMean::expected_density(&of_precision, &mean).expect("fits");
    let draw = |_| GaussianKnownMean::draw(&of_precision, &mean, &mut rng).expect("regular");
    let draws: Vec<GaussianKnownMean> = (0..20_000).map(draw).collect();
    within_errors(
        draws.iter().map(|distribution| distribution.ln_pdf(&[2.0, -1.0])),
        expected.ln_pdf(&[2.0, -1.0]),
    );
}

#[test]
fn the_most_probable_distribution_is_the_mode() {
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
    let distribution = Normal::most_probable(&prior, &()).expect("fits").expect("exists");
    assert_close(distribution.sd().powi(2), 1.4 / 4.75, 1e-15);
    let distribution = Normal::most_probable(&NormalGamma::from(prior), &()).expect("fits").expect("exists");
    assert_close(distribution.precision(), 2.75 / 1.4, 1e-15);
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
    // ln p(θ) + ln p(x | θ) - ln p(θ | x) is ln p(x), whatever θ is: densities, updates and evidences check
    // each other.
    let data = Stats::<Gaussian>::of(2, POINTS.iter().map(|x| &x[..])).expect("finite");
    let mut rng = stream(14, &[]);
    let ln_likelihood = |distribution: &Gaussian| POINTS.iter().map(|x| distribution.ln_pdf(x)).sum::<f64>();

    let prior = inverse_wishart_prior();
    let posterior = Gaussian::posterior(&prior, &data).expect("fits");
    let evidence = Gaussian::ln_evidence(&prior, &data).expect("fits");
    let precise = NormalWishart::from_inverse(prior.clone()).expect("valid");
    let precise_posterior = Gaussian::posterior(&precise, &data).expect("fits");
    for _ in 0..20 {
        let distribution = Gaussian::draw(&prior, &2, &mut rng).expect("regular");
        let ln_bayes =
            prior.ln_pdf(&distribution) + ln_likelihood(&distribution) - posterior.ln_pdf(&distribution);
        assert_within(ln_bayes, evidence, 1e-12 * ln_likelihood(&distribution).abs());
        let ln_bayes = precise.ln_pdf(&distribution) + ln_likelihood(&distribution)
            - precise_posterior.ln_pdf(&distribution);
        assert_within(ln_bayes, evidence, 1e-12 * ln_likelihood(&distribution).abs());
    }

    let mean = vec![1.0, 0.5];
    let data = Stats::<GaussianKnownMean>::of(mean.clone(), POINTS.iter().map(|x| &x[..])).expect("finite");
    let prior = Wishart::new(4.5, &square(2, &[2.0, 0.3, 0.3, 1.0])).expect("valid");
    let posterior = GaussianKnownMean::posterior(&prior, &data).expect("fits");
    let evidence = GaussianKnownMean::ln_evidence(&prior, &data).expect("fits");
    for _ in 0..20 {
        let precision: DMatrix<f64> = prior.sample(&mut rng);
        let distribution = Gaussian::from_precision(&mean, &precision).expect("regular");
        let ln_bayes = prior.ln_pdf(&precision) + ln_likelihood(&distribution) - posterior.ln_pdf(&precision);
        assert_within(ln_bayes, evidence, 1e-12 * ln_likelihood(&distribution).abs());
    }

    let noise = Gaussian::new(&[0.0, 0.0], &square(2, &[0.5, 0.1, 0.1, 0.3])).expect("valid");
    let prior = Gaussian::new(&[0.5, -1.0], &square(2, &[2.0, 0.3, 0.3, 1.0])).expect("valid");
    let data =
        Stats::<GaussianKnownCovariance>::of(noise.clone(), POINTS.iter().map(|x| &x[..])).expect("finite");
    let posterior = GaussianKnownCovariance::posterior(&prior, &data).expect("fits");
    let evidence = GaussianKnownCovariance::ln_evidence(&prior, &data).expect("fits");
    for _ in 0..20 {
        let mean: Vec<f64> = prior.sample(&mut rng);
        let distribution = Gaussian::new(&mean, noise.covariance()).expect("valid");
        let ln_bayes = prior.ln_pdf(&mean) + ln_likelihood(&distribution) - posterior.ln_pdf(&mean);
        assert_within(ln_bayes, evidence, 1e-12 * ln_likelihood(&distribution).abs());
    }
}

/// ln p(θ) + Σ ln p(x | θ) = ln p(θ | x) + ln p(x), at a distribution of the family.
#[track_caller]
fn bayes<P: PriorDensity<Gaussian>>(prior: &P)
where
    Gaussian: Conjugate<P>,
{
    let distribution = Gaussian::new(&[0.1, 0.2], &square(2, &[2.0, 0.3, 0.3, 1.0])).expect("valid");
    let points = [&[1.2, -0.3][..], &[0.7, 4.0]];
    let stats = Stats::<Gaussian>::of(2, points).expect("fits");
    let likelihood: f64 = points.iter().map(|x| distribution.ln_pdf(x)).sum();
    let posterior = Gaussian::posterior(prior, &stats).expect("fits");
    let evidence = Gaussian::ln_evidence(prior, &stats).expect("fits");
    let (left, right) =
        (prior.ln_density_of(&distribution) + likelihood, posterior.ln_density_of(&distribution) + evidence);
    assert_close(left, right, 1e-12);
    // The peak of the density is the most probable distribution.
    let mode = Gaussian::most_probable(&posterior, &2).expect("fits").expect("a mode");
    let peak = posterior.ln_density_of(&mode);
    assert!(peak > posterior.ln_density_of(&distribution), "{peak}");
}

#[test]
fn densities_of_priors_obey_bayes_rule() {
    let wishart =
        NormalInverseWishart::new(&[0.5, 0.0], 1.5, &square(2, &[2.0, 0.3, 0.3, 1.0]), 4.0).expect("valid");
    bayes(&wishart);
    bayes(&NormalWishart::from_inverse(wishart).expect("valid"));
}
