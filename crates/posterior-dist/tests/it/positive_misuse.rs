//! Distributions of positive numbers and of directions with parameters and points that they refuse, or at the
//! ends of f64.

use posterior_dist::stream::stream;
use posterior_dist::{
    Beta, BetaPrime, ChiSquared, Density, Entropy, ExponentialFamily, FisherF, FisherInformation, Gamma,
    GammaKnownShape, InverseGamma, InverseGaussian, KlDivergence, Lomax, Mode, Moments, ParameterGradient,
    Parametric, Pareto, PointGradient, Shape, Stats, Univariate, VonMises, Weibull,
};
use posterior_math::ParamError;
use proptest::prelude::*;
use rand::distr::Distribution;

const NEVER: f64 = f64::NEG_INFINITY;

/// Each parameter in turn is refused where it must be positive, and the error names it with its value.
fn refuses<D: Parametric>(valid: &[f64]) {
    assert!(D::from_parameters(valid).is_ok());
    for index in 0..valid.len() {
        for bad in [f64::NAN, f64::INFINITY, NEVER, 0.0, -1.0] {
            let mut parameters = valid.to_vec();
            parameters[index] = bad;
            let error = D::from_parameters(&parameters).err();
            let named = |error: &ParamError| {
                error.parameter() == D::PARAMETERS[index] && (error.value() == bad || bad.is_nan())
            };
            assert!(error.as_ref().is_some_and(named), "{} {parameters:?}: {error:?}", D::NAME);
        }
    }
    assert!(D::from_parameters(&[]).is_err() && D::from_parameters(&[1.0; 4]).is_err());
}

#[test]
fn parameters_must_be_positive_and_finite() {
    refuses::<Gamma>(&[2.0, 3.0]);
    refuses::<InverseGamma>(&[2.0, 3.0]);
    refuses::<ChiSquared>(&[2.0]);
    refuses::<Beta>(&[2.0, 3.0]);
    refuses::<BetaPrime>(&[2.0, 3.0, 4.0]);
    refuses::<FisherF>(&[2.0, 3.0]);
    refuses::<Weibull>(&[2.0, 3.0]);
    refuses::<Pareto>(&[2.0, 3.0]);
    refuses::<Lomax>(&[2.0, 3.0]);
    refuses::<InverseGaussian>(&[2.0, 3.0]);
    for [mu, kappa] in
        [[f64::NAN, 1.0], [f64::INFINITY, 1.0], [0.0, -1.0], [0.0, f64::NAN], [0.0, f64::INFINITY]]
    {
        assert!(VonMises::new(mu, kappa).is_err(), "{mu} {kappa}");
    }
    assert!(Gamma::shape_scale(1.0, 0.0).is_err() && Gamma::shape_scale(1.0, f64::NAN).is_err());
    assert!(GammaKnownShape::new(0.0, 1.0).is_err() && Beta::new(1e308, 1e308).is_err());
}

#[test]
fn data_that_no_distribution_has_are_refused() {
    let equal = Stats::<Gamma>::of((), &[2.0, 2.0]).expect("points");
    assert!(Gamma::maximum_likelihood(&equal).is_err());
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(Stats::<Gamma>::of((), &[bad]).is_err(), "{bad}");
        assert!(Stats::<GammaKnownShape>::of(2.0, &[bad]).is_err(), "{bad}");
        assert!(Stats::<InverseGamma>::of((), &[bad]).is_err(), "{bad}");
        assert!(Stats::<InverseGaussian>::of((), &[bad]).is_err(), "{bad}");
        assert!(Stats::<ChiSquared>::of((), &[bad]).is_err(), "{bad}");
        assert!(Stats::<Beta>::of((), &[bad]).is_err(), "{bad}");
        assert!(Stats::<Pareto>::of(1.0, &[bad]).is_err(), "{bad}");
    }
    assert!(Stats::<Beta>::of((), &[1.0]).is_err() && Stats::<Pareto>::of(1.0, &[0.999]).is_err());
    assert!(Stats::<VonMises>::of((), &[f64::INFINITY]).is_err());
    let north = Stats::<VonMises>::of((), &[1.0, 1.0]).expect("angles");
    assert!(
        VonMises::maximum_likelihood(&north).map_or(true, |distribution| distribution.concentration() > 1e14)
    );
}

#[test]
fn densities_at_the_ends_of_the_support() {
    let at = |distribution: &dyn Density<Point = f64>, x: f64| distribution.ln_pdf(&x);
    for (shape, at_zero) in [(0.5, f64::INFINITY), (1.0, 2_f64.ln()), (1.5, NEVER), (50.0, NEVER)] {
        let distribution = Gamma::shape_rate(shape, 2.0).expect("positive");
        assert_eq!(
            (at(&distribution, 0.0), at(&distribution, -1.0), at(&distribution, f64::INFINITY)),
            (at_zero, NEVER, NEVER)
        );
        assert_eq!(
            (distribution.cdf(0.0), distribution.sf(0.0), distribution.quantile(0.0)),
            (0.0, 1.0, 0.0)
        );
    }
    for (alpha, other, at_zero) in
        [(0.5, 3.0, f64::INFINITY), (1.0, 3.0, 3_f64.ln()), (2.0, 3.0, NEVER), (20.0, 30.0, NEVER)]
    {
        let close = |left: f64, right: f64| left == right || (left - right).abs() < 1e-15;
        assert!(close(at(&Beta::new(alpha, other).expect("positive"), 0.0), at_zero));
        assert!(close(at(&Beta::new(other, alpha).expect("positive"), 1.0), at_zero));
        assert!(close(at(&BetaPrime::new(alpha, other, 1.0).expect("positive"), 0.0), at_zero));
    }
    let distribution = Beta::new(2.0, 3.0).expect("positive");
    for outside in [-0.1, 1.1, NEVER, f64::INFINITY] {
        assert_eq!(at(&distribution, outside), NEVER);
    }
    assert_eq!(distribution.ln_pdf_pair(0.5, f64::NAN).to_bits() & 0x7ff8 << 48, 0x7ff8 << 48);
    let distribution = InverseGamma::new(2.0, 3.0).expect("positive");
    assert_eq!(
        (
            at(&distribution, 0.0),
            at(&distribution, f64::INFINITY),
            distribution.cdf(0.0),
            distribution.cdf(f64::INFINITY)
        ),
        (NEVER, NEVER, 0.0, 1.0)
    );
}

#[test]
fn the_distance_to_one_keeps_its_digits() {
    // 1 - I_x(α, 1) = 1 - x^α ≈ α (1 - x).
    let distribution = Beta::new(3.0, 1.0).expect("positive");
    let (x, rest) = distribution.upper_quantile_pair(3e-30);
    assert!(x == 1.0 && (rest / 1e-30 - 1.0).abs() < 1e-14, "{rest:e}");
    let distribution = Beta::new(2.0, 0.5).expect("positive");
    assert!((distribution.ln_pdf_pair(1.0, 1e-40) - (0.75 * 1e20_f64).ln()).abs() < 1e-13);
}

#[test]
fn moments_end_where_the_integrals_diverge() {
    let distribution = |shape| InverseGamma::new(shape, 2.0).expect("positive");
    assert_eq!((distribution(0.9).mean(), distribution(0.9).variance()), (Some(f64::INFINITY), None));
    assert_eq!((distribution(2.0).mean(), distribution(2.0).variance()), (Some(2.0), Some(f64::INFINITY)));
    assert_eq!((distribution(3.0).skewness(), distribution(4.0).excess_kurtosis()), (None, None));
    let distribution = |shape| Pareto::new(shape, 1.0).expect("positive");
    assert_eq!(
        (distribution(1.0).mean(), distribution(1.0).variance(), distribution(2.0).variance()),
        (Some(f64::INFINITY), None, Some(f64::INFINITY))
    );
    let distribution = |shape| Lomax::new(shape, 1.0).expect("positive");
    assert_eq!(
        (distribution(1.0).mean(), distribution(1.0).variance(), distribution(2.0).variance()),
        (Some(f64::INFINITY), None, Some(f64::INFINITY))
    );
}

/// Any number that f64 has.
fn bits() -> impl Strategy<Value = f64> {
    prop_oneof![
        any::<u64>().prop_map(f64::from_bits),
        (-320.0..320.0).prop_map(|e: f64| 10_f64.powf(e)),
        0.0..1.0
    ]
}

/// Whatever the parameters and the point are: no panic, an end, probabilities, and a distribution function
/// that rises.
fn total<D>(parameters: &[f64], x: f64, y: f64) -> Result<(), TestCaseError>
where
    D: Parametric
        + Univariate
        + Density<Point = f64>
        + PointGradient
        + ParameterGradient
        + Entropy
        + Mode
        + Distribution<f64>,
{
    let Ok(distribution) = D::from_parameters(parameters) else { return Ok(()) };
    let probability = |p: f64| (0.0..=1.0).contains(&p);
    let (below, above) = (x.min(y), x.max(y));
    prop_assert_eq!(
        distribution.ln_pdf(&x).is_nan(),
        x.is_nan(),
        "{}{:?}: ln_pdf({}) = {}",
        D::NAME,
        parameters,
        x,
        distribution.ln_pdf(&x)
    );
    for (tail, ln_tail) in
        [(distribution.cdf(x), distribution.ln_cdf(x)), (distribution.sf(x), distribution.ln_sf(x))]
    {
        prop_assert!(x.is_nan() || probability(tail), "{}{:?}: tail {} at {}", D::NAME, parameters, tail, x);
        prop_assert!(
            x.is_nan() || ln_tail <= 0.0,
            "{}{:?}: ln tail {} at {}",
            D::NAME,
            parameters,
            ln_tail,
            x
        );
    }
    if !(x.is_nan() || y.is_nan()) {
        let (low, high) = (distribution.cdf(below), distribution.cdf(above));
        prop_assert!(
            low <= high * (1.0 + 1e-12),
            "{}{:?}: cdf({}) = {} > cdf({}) = {}",
            D::NAME,
            parameters,
            below,
            low,
            above,
            high
        );
    }
    let (low, high) = (distribution.quantile(0.0), distribution.quantile(1.0));
    for quantile in [distribution.quantile(x), distribution.upper_quantile(x)] {
        prop_assert_eq!(
            quantile.is_nan(),
            !probability(x),
            "{}{:?}: quantile at {}: {}",
            D::NAME,
            parameters,
            x,
            quantile
        );
        prop_assert!(
            quantile.is_nan() || (low..=high).contains(&quantile),
            "{}{:?}: quantile {} at {}",
            D::NAME,
            parameters,
            quantile,
            x
        );
    }
    distribution.point_gradient(&x);
    distribution.parameter_gradient(&x);
    distribution.entropy();
    distribution.mode();
    let draw = distribution.sample(&mut stream(1, &[]));
    prop_assert!((low..=high).contains(&draw), "{}{:?}: draw {}", D::NAME, parameters, draw);
    Ok(())
}

/// Nothing of a family panics or hangs either.
fn total_family<D>(parameters: &[f64], other: &[f64])
where
    D: Parametric + FisherInformation + KlDivergence,
{
    let (Ok(distribution), Ok(other)) = (D::from_parameters(parameters), D::from_parameters(other)) else {
        return;
    };
    let _ = D::from_natural(&distribution.natural());
    let _ = D::from_expectation(&distribution.expectation());
    distribution.fisher_information();
    D::ln_partition(&distribution.natural());
    distribution.kl_divergence(&other);
}

proptest! {
    #[test]
    fn every_bit_pattern_has_an_answer(a in bits(), b in bits(), c in bits(), x in bits(), y in bits()) {
        total::<Gamma>(&[a, b], x, y)?;
        total::<InverseGamma>(&[a, b], x, y)?;
        total::<ChiSquared>(&[a], x, y)?;
        total::<Beta>(&[a, b], x, y)?;
        total::<BetaPrime>(&[a, b, c], x, y)?;
        total::<FisherF>(&[a, b], x, y)?;
        total::<Weibull>(&[a, b], x, y)?;
        total::<Pareto>(&[a, b], x, y)?;
        total::<Lomax>(&[a, b], x, y)?;
        total::<InverseGaussian>(&[a, b], x, y)?;
        total::<VonMises>(&[a, b], x, y)?;
        total_family::<Gamma>(&[a, b], &[c, x]);
        total_family::<InverseGamma>(&[a, b], &[c, x]);
        total_family::<ChiSquared>(&[a], &[c]);
        total_family::<Beta>(&[a, b], &[c, x]);
        total_family::<Pareto>(&[a, b], &[c, x]);
        total_family::<InverseGaussian>(&[a, b], &[c, x]);
        total_family::<VonMises>(&[a, b], &[c, x]);
    }
}
