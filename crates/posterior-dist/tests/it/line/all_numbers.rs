//! Any numbers, as parameters and as points.

use posterior_dist::{
    Cauchy, Entropy, Frechet, Gumbel, HalfCauchy, HalfNormal, Laplace, LogLogistic, LogNormal, Logistic,
    Mode, Moments, Normal, ParameterGradient, Parametric, PointGradient, Rayleigh, Shape, StudentT,
    Triangular, Uniform, Univariate, stream::stream,
};
use proptest::prelude::*;
use rand::distr::Distribution;

/// Everything that a distribution can be asked, at any number.
fn ask<D>(parameters: &[f64], x: f64)
where
    D: Parametric + Univariate + PointGradient<Point = f64> + ParameterGradient,
    D: Moments + Shape + Entropy + Mode + Distribution<f64>,
{
    let Ok(distribution) = D::from_parameters(&parameters[..D::PARAMETERS.len()]) else { return };
    let (lower, upper) = (distribution.cdf(x), distribution.sf(x));
    let inside = |p: f64| (0.0..=1.0).contains(&p) || (p.is_nan() && x.is_nan());
    assert!(inside(lower) && inside(upper), "{}{parameters:?} at {x:e}: {lower} {upper}", D::NAME);
    assert!(
        distribution.cdf(x + x.abs()) >= lower || x.is_nan(),
        "{}{parameters:?} falls after {x:e}",
        D::NAME
    );
    assert_eq!(distribution.ln_pdf(&x).is_nan(), x.is_nan(), "{}{parameters:?} at {x:e}", D::NAME);
    for ln_tail in [distribution.ln_cdf(x), distribution.ln_sf(x)] {
        assert!(ln_tail <= 0.0 || x.is_nan(), "{}{parameters:?} at {x:e}: {ln_tail}", D::NAME);
    }
    for p in [x, x.abs().fract(), 1e-300, 0.3, 1.0] {
        let outside = !(0.0..=1.0).contains(&p);
        for quantile in [distribution.quantile(p), distribution.upper_quantile(p)] {
            assert_eq!(quantile.is_nan(), outside, "{}{parameters:?} at {p:e}", D::NAME);
        }
    }
    let _ = (
        distribution.point_gradient(&x),
        distribution.parameter_gradient(&x),
        distribution.mean(),
        distribution.variance(),
    );
    let _ = (
        distribution.skewness(),
        distribution.excess_kurtosis(),
        distribution.entropy(),
        Mode::mode(&distribution),
    );
    let _ = distribution.sample(&mut stream(1, &[]));
}

proptest! {
    #[test]
    fn all_numbers_have_an_answer(bits in prop::array::uniform3(any::<u64>()), at in any::<u64>()) {
        let x = f64::from_bits(at);
        let raw = bits.map(f64::from_bits);
        // Positive ones are tried more often than random bits would.
        for parameters in [raw, raw.map(f64::abs), [raw[0], raw[1].abs(), raw[2].abs()], [raw[0].abs(), raw[1], raw[2].abs()]] {
            ask::<Normal>(&parameters, x);
            ask::<LogNormal>(&parameters, x);
            ask::<HalfNormal>(&parameters, x);
            ask::<StudentT>(&parameters, x);
            ask::<Cauchy>(&parameters, x);
            ask::<HalfCauchy>(&parameters, x);
            ask::<Laplace>(&parameters, x);
            ask::<Logistic>(&parameters, x);
            ask::<Gumbel>(&parameters, x);
            ask::<Uniform>(&parameters, x);
            ask::<Rayleigh>(&parameters, x);
            ask::<Frechet>(&parameters, x);
            ask::<LogLogistic>(&parameters, x);
            ask::<Triangular>(&parameters, x);
        }
    }
}
