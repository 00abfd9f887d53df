//! Likelihoods alone: derivatives against differences, masses of all outcomes, tilted moments, far tails.

use posterior_gp::likelihood::{
    BinomialLikelihood, Count, GammaLikelihood, GaussianLikelihood, Likelihood, LogConcave, LogLinkGaussian,
    LogisticLikelihood, NegativeBinomialLikelihood, PoissonLikelihood, Probit, StudentTLikelihood, Tilted,
    Trials,
};
use posterior_math::quadrature::{QuadratureOptions, gauss_kronrod_pieces};

use super::close;

/// Four-point differences: an error of about 1e-11 of the size of the function.
fn difference(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    let h = 1e-3;
    (8.0 * (f(x + h) - f(x - h)) - (f(x + 2.0 * h) - f(x - 2.0 * h))) / (12.0 * h)
}

fn derivatives<L: Likelihood>(likelihood: &L, output: L::Output) {
    for latent in [-2.3, -0.4, 0.0, 0.7, 3.1] {
        let [first, second, third] = likelihood.derivatives(output, latent);
        close(first, difference(|f| likelihood.ln_density(output, f), latent), 1e-8);
        close(second, difference(|f| likelihood.derivatives(output, f)[0], latent), 1e-8);
        close(third, difference(|f| likelihood.derivatives(output, f)[1], latent), 1e-8);
        let parameters = likelihood.parameters();
        for (index, parameter) in parameters.iter().enumerate() {
            let moved = |free: f64| {
                let mut values: Vec<f64> = parameters.iter().map(|parameter| parameter.value).collect();
                values[index] = parameter.scale.value(free);
                likelihood.with_parameters(&values).unwrap()
            };
            let [value, slope, curvature] = likelihood.parameter_derivatives(output, latent, index);
            close(value, difference(|free| moved(free).ln_density(output, latent), parameter.free()), 1e-8);
            close(
                slope,
                difference(|free| moved(free).derivatives(output, latent)[0], parameter.free()),
                1e-8,
            );
            close(
                curvature,
                difference(|free| moved(free).derivatives(output, latent)[1], parameter.free()),
                1e-8,
            );
        }
        assert_eq!(likelihood.parameter_derivatives(output, latent, parameters.len()), [0.0; 3]);
    }
    assert!(likelihood.with_parameters(&[1.0; 7]).is_err());
}

#[test]
fn derivatives_are_those_of_the_density() {
    for label in [-1.0, 1.0] {
        derivatives(&LogisticLikelihood, label);
        derivatives(&Probit, label);
    }
    let count = Count::new(3, 1.7).unwrap();
    derivatives(&PoissonLikelihood, count);
    derivatives(&NegativeBinomialLikelihood::size(2.5).unwrap(), count);
    derivatives(&NegativeBinomialLikelihood::size(0.5).unwrap(), 0.into());
    derivatives(&BinomialLikelihood, Trials::new(3, 8).unwrap());
    derivatives(&GammaLikelihood::shape(2.3).unwrap(), 1.4);
    derivatives(&GaussianLikelihood::variance(0.7).unwrap(), 1.4);
    derivatives(&LogLinkGaussian::variance(20.0).unwrap(), 1.4);
    derivatives(&StudentTLikelihood::new(3.5, 0.8).unwrap(), 1.4);
}

#[test]
fn outcomes_have_mass_one_and_the_mean_that_is_expected() {
    let latent = 0.4;
    for label in [1.0, -1.0] {
        close(
            LogisticLikelihood.ln_density(label, latent).exp()
                + LogisticLikelihood.ln_density(-label, latent).exp(),
            1.0,
            1e-15,
        );
        close(Probit.ln_density(label, latent).exp() + Probit.ln_density(-label, latent).exp(), 1.0, 1e-15);
    }
    let counts = |likelihood: &dyn Fn(u64) -> f64, mean: f64| {
        let mass: f64 = (0..400).map(|count| likelihood(count).exp()).sum();
        let first: f64 = (0..400).map(|count| count as f64 * likelihood(count).exp()).sum();
        close(mass, 1.0, 1e-12);
        close(first, mean, 1e-12);
    };
    let with_exposure = |count| Count::new(count, 2.0).unwrap();
    counts(
        &|count| PoissonLikelihood.ln_density(with_exposure(count), latent),
        2.0 * PoissonLikelihood.response(latent),
    );
    let spread = NegativeBinomialLikelihood::size(1.5).unwrap();
    counts(&|count| spread.ln_density(with_exposure(count), latent), 2.0 * spread.response(latent));
    let trials = |count: u64| Trials::new(count.min(9), 9).unwrap();
    let binomial = |count| {
        if count > 9 { f64::NEG_INFINITY } else { BinomialLikelihood.ln_density(trials(count), latent) }
    };
    counts(&binomial, 9.0 * BinomialLikelihood.response(latent));

    let density = |ln_density: &dyn Fn(f64) -> f64, from: f64, mean: f64| {
        let cuts = [from, 0.5, 1.0, 2.0, 5.0, f64::INFINITY];
        let options = QuadratureOptions::default();
        close(gauss_kronrod_pieces(|y| ln_density(y).exp(), &cuts, &options).value, 1.0, 1e-9);
        close(gauss_kronrod_pieces(|y| y * ln_density(y).exp(), &cuts, &options).value, mean, 1e-6);
    };
    let gamma = GammaLikelihood::shape(2.3).unwrap();
    density(&|y| gamma.ln_density(y, latent), 0.0, latent.exp());
    let gaussian = GaussianLikelihood::variance(0.7).unwrap();
    density(&|y| gaussian.ln_density(y, latent), f64::NEG_INFINITY, latent);
    let log_link = LogLinkGaussian::variance(0.7).unwrap();
    density(&|y| log_link.ln_density(y, latent), f64::NEG_INFINITY, latent.exp());
    let student = StudentTLikelihood::new(5.0, 0.7).unwrap();
    density(&|y| student.ln_density(y, latent), f64::NEG_INFINITY, latent);
}

#[test]
fn closed_tilted_moments_are_those_of_quadrature() {
    fn check<L: Likelihood>(likelihood: &L, output: L::Output) {
        for (mean, variance) in [(0.0, 1.0), (-3.0, 0.2), (2.0, 50.0), (-8.0, 4.0), (40.0, 1e4)] {
            let closed = likelihood.tilted(output, mean, variance);
            let integrated = Tilted::by_quadrature(likelihood, output, mean, variance);
            close(closed.ln_mass, integrated.ln_mass, 1e-11);
            assert!((closed.mean - integrated.mean).abs() <= 1e-10 * variance.sqrt());
            assert!((closed.variance / integrated.variance - 1.0).abs() < 1e-9, "{closed:?} {integrated:?}");
        }
    }
    check(&Probit, 1.0);
    check(&Probit, -1.0);
    check(&GaussianLikelihood::variance(0.3).unwrap(), 1.2);
}

#[test]
fn averaged_responses_are_integrals() {
    fn check<L: Likelihood>(likelihood: &L) {
        for (mean, variance) in [(0.3, 1.0), (-3.0, 0.2), (1.0, 4.0)] {
            let sd = f64::sqrt(variance);
            let integrand = |z: f64| likelihood.response(mean + sd * z) * (-0.5 * z * z).exp();
            let cuts = [-30.0, -2.0, 0.0, 2.0, 30.0];
            let integral = gauss_kronrod_pieces(integrand, &cuts, &QuadratureOptions::default()).value;
            close(likelihood.mean_response(mean, variance), integral / std::f64::consts::TAU.sqrt(), 1e-12);
        }
    }
    check(&LogisticLikelihood);
    check(&Probit);
    check(&PoissonLikelihood);
    check(&BinomialLikelihood);
    check(&NegativeBinomialLikelihood::size(2.0).unwrap());
    check(&GammaLikelihood::shape(2.0).unwrap());
    check(&GaussianLikelihood::variance(2.0).unwrap());
    check(&LogLinkGaussian::variance(2.0).unwrap());
    check(&StudentTLikelihood::new(2.0, 1.0).unwrap());
}

/// For a wide distribution the logistic function is a step, with 1 / (√(2π) s) · π² / 6 · m/s² of correction
/// at the mean m.
#[test]
fn averaged_logistic_from_narrow_to_wide() {
    assert_eq!(LogisticLikelihood.mean_response(0.0, 1e12), 0.5);
    assert_eq!(LogisticLikelihood.mean_response(1.3, 0.0), LogisticLikelihood.response(1.3));
    close(LogisticLikelihood.mean_response(1.3, 1e-20), LogisticLikelihood.response(1.3), 1e-12);
    let wide = LogisticLikelihood.mean_response(-1e5, 1e12);
    close(wide / Probit.mean_response(-1e5, 1e12), 1.0, 1e-7);
    // Far down only the tails matter: E e^f for f far below 0.
    close(LogisticLikelihood.mean_response(-100.0, 1.0) / (-99.5_f64).exp(), 1.0, 1e-10);
}

#[test]
fn far_tails() {
    for label in [-1.0, 1.0] {
        for latent in [-1e3, 1e3] {
            let wrong = label * latent < 0.0;
            let [slope, curvature, third] = LogisticLikelihood.derivatives(label, latent);
            assert_eq!(LogisticLikelihood.ln_density(label, latent), if wrong { -1e3 } else { 0.0 });
            assert_eq!(slope, if wrong { label } else { 0.0 });
            assert!(curvature.abs() < 1e-300 && third.abs() < 1e-300);
            let [slope, curvature, third] = Probit.derivatives(label, latent);
            if wrong {
                // -z - 1/z + 2/z³, -1 + 1/z² - 6/z⁴, 2/x³ - 24/x⁵ of the hazard at x = 10³.
                close(slope, label * (1e3 + 1e-3 - 2e-9), 1e-15);
                close(curvature, -(1.0 - 1e-6 + 6e-12), 1e-15);
                assert!((third / (label * (2e-9 - 24e-15)) - 1.0).abs() < 1e-9, "{third:e}");
            } else {
                assert_eq!((slope, curvature, third.abs()), (0.0, 0.0, 0.0));
            }
        }
    }
    // The series meets the formula.
    let [below, above] = [-50.0 - 1e-9, -50.0 + 1e-9].map(|z| Probit.derivatives(1.0, z));
    for (below, above) in below.into_iter().zip(above) {
        assert!((below / above - 1.0).abs() < 1e-5);
    }
    assert!(StudentTLikelihood::new(3.0, 1e-3).unwrap().ln_density(1e300, 0.0).is_finite());
    assert_eq!(StudentTLikelihood::new(3.0, 1.0).unwrap().derivatives(1e300, 0.0)[1].abs(), 0.0);
}

#[test]
fn matched_gaussians_have_mode_and_curvature() {
    fn check<L: Likelihood>(likelihood: &L, output: L::Output) {
        let (mean, variance) = likelihood.matched_gaussian(output).unwrap();
        let [slope, curvature, _] = likelihood.derivatives(output, mean);
        close(slope, 0.0, 1e-12);
        close(-curvature * variance, 1.0, 1e-12);
    }
    check(&PoissonLikelihood, Count::new(7, 3.0).unwrap());
    check(&NegativeBinomialLikelihood::size(1.4).unwrap(), Count::new(7, 3.0).unwrap());
    check(&LogLinkGaussian::variance(0.3).unwrap(), 2.5);
    check(&GammaLikelihood::shape(1.3).unwrap(), 2.5);
    check(&GaussianLikelihood::variance(0.3).unwrap(), -2.5);
    check(&StudentTLikelihood::new(4.0, 0.3).unwrap(), -2.5);
    assert_eq!(PoissonLikelihood.matched_gaussian(0.into()), None);
    assert_eq!(LogLinkGaussian::variance(1.0).unwrap().matched_gaussian(-1.0), None);
}

#[test]
fn parameters_that_cannot_be_are_refused() {
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(GaussianLikelihood::variance(bad).is_err());
        assert!(LogLinkGaussian::variance(bad).is_err());
        assert!(GammaLikelihood::shape(bad).is_err());
        assert!(NegativeBinomialLikelihood::size(bad).is_err());
        assert!(StudentTLikelihood::new(bad, 1.0).is_err());
        assert!(StudentTLikelihood::new(1.0, bad).is_err());
        assert!(Count::new(3, bad).is_err());
        assert!(GammaLikelihood::shape(1.0).unwrap().check(bad).is_err());
    }
    assert!(Trials::new(4, 3).is_err());
}

/// Against series in the inverse parameter, exact to its square.
#[test]
fn limits_of_large_parameters() {
    let count = 5.into();
    let mean = 1_f64.exp();
    for size in [1e9, 1e12, 1e15, 1e18] {
        let (distribution, limit) =
            (NegativeBinomialLikelihood::size(size).unwrap(), PoissonLikelihood.ln_density(count, 1.0));
        // ln p = ln Poisson + (y (y - 1)/2 - y μ + μ²/2)/size.
        let slope = (10.0 - 5.0 * mean + 0.5 * mean * mean) / size;
        close(distribution.ln_density(count, 1.0), limit + slope, 1e-14);
        assert!((distribution.parameter_derivatives(count, 1.0, 0)[0] + slope).abs() < 1e-14);

        let (student, normal) =
            (StudentTLikelihood::new(size, 1.0).unwrap(), GaussianLikelihood::variance(1.0).unwrap());
        // ln p = ln N + (r⁴ - 2 r² - 1)/(4 ν), at r = 1/2.
        let slope = (0.0625 - 0.5 - 1.0) / (4.0 * size);
        close(student.ln_density(0.5, 1.0), normal.ln_density(0.5, 1.0) + slope, 1e-14);
        assert!((student.parameter_derivatives(0.5, 1.0, 0)[0] + slope).abs() < 1e-14);

        let gamma = GammaLikelihood::shape(size).unwrap();
        let constant = 0.5 * (size / std::f64::consts::TAU).ln() - 1.0 / (12.0 * size);
        close(gamma.ln_density(1.0, 0.0), constant, 1e-14);
        assert!((gamma.parameter_derivatives(1.0, 0.0, 0)[0] - 0.5 - 1.0 / (12.0 * size)).abs() < 1e-14);
    }
}

/// Two rules, one number: the trapezoidal rule of logits and rates against adaptive quadrature, from narrow
/// to the widest that it takes.
#[test]
fn moments_by_two_rules() {
    fn check<L: LogConcave>(likelihood: &L, output: L::Output) {
        for mean in [-30.0, -4.0, -0.3, 0.0, 2.0, 9.0] {
            for variance in [1e-8, 1e-3, 0.1, 1.0, 7.0, 35.0, 40.0] {
                let found = likelihood.tilted(output, mean, variance);
                let expected = Tilted::by_quadrature(likelihood, output, mean, variance);
                let sd = expected.variance.sqrt();
                let context = format!("{likelihood:?} {output:?} {mean} {variance}: {found:?} {expected:?}");
                let scale = expected.ln_mass.abs().max(1.0);
                assert!((found.ln_mass - expected.ln_mass).abs() < 1e-11 * scale, "{context}");
                assert!((found.mean - expected.mean).abs() < 1e-10 * sd + 1e-14 * mean.abs(), "{context}");
                assert!((found.variance / expected.variance - 1.0).abs() < 1e-9, "{context}");
            }
        }
    }
    check(&LogisticLikelihood, 1.0);
    check(&LogisticLikelihood, -1.0);
    for count in [0, 1, 20, 3000] {
        check(&PoissonLikelihood, count.into());
    }
}
