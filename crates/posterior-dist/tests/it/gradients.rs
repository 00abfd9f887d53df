//! Gradients of log-densities against derivatives of the formula, by dual numbers.

use posterior_dist::{
    Beta, Cauchy, Gamma, Gumbel, InverseGamma, LogNormal, Logistic, Normal, ParameterGradient, Parametric,
    PointGradient, StudentT, Weibull,
};
use posterior_math::autodiff::{Dual, Real, gradient_forward};
use posterior_testkit::accuracy::assert_within;

/// ln p as a function of x and the two or three parameters, against the distribution's gradients.
#[track_caller]
fn agrees<L, const N: usize>(
    parameters: &[f64],
    points: &[f64],
    formula: impl Fn(&[Dual<N, f64>]) -> Dual<N, f64>,
) where
    L: Parametric + PointGradient<Point = f64> + ParameterGradient<Point = f64>,
{
    let distribution = L::from_parameters(parameters).expect("valid parameters");
    for &x in points {
        let arguments = [&[x], parameters].concat();
        let mut slopes = vec![0.0; arguments.len()];
        gradient_forward(|v: &[Dual<N, f64>]| formula(v), &arguments, &mut slopes);
        assert_within(
            PointGradient::point_gradient(&distribution, &x),
            slopes[0],
            1e-12 * (1.0 + slopes[0].abs()),
        );
        let gradient = distribution.parameter_gradient(&x);
        assert_eq!(gradient.as_ref().len(), parameters.len());
        for (&score, &slope) in gradient.as_ref().iter().zip(&slopes[1..]) {
            assert_within(score, slope, 1e-12 * (1.0 + slope.abs()));
        }
    }
}

/// -((x - m) / s)² / 2 - ln s.
fn normal<R: Real>(x: R, mean: R, sd: R) -> R {
    let z = (x - mean) / sd;
    z * z * -0.5 - sd.ln()
}

#[test]
fn gradients_are_those_of_the_formulas() {
    let line = [-2.3, 0.1, 4.0];
    let positive = [0.05, 0.9, 3.7];
    agrees::<Normal, 3>(&[0.4, 1.7], &line, |v| normal(v[0], v[1], v[2]));
    agrees::<LogNormal, 3>(&[0.4, 0.7], &positive, |v| normal(v[0].ln(), v[1], v[2]) - v[0].ln());
    agrees::<Cauchy, 3>(&[0.4, 1.7], &line, |v| {
        let z = (v[0] - v[1]) / v[2];
        -(z * z).ln_1p() - v[2].ln()
    });
    agrees::<Logistic, 3>(&[0.4, 1.7], &line, |v| {
        let z = (v[0] - v[1]) / v[2];
        -z - (-z).exp().ln_1p() * 2.0 - v[2].ln()
    });
    agrees::<Gumbel, 3>(&[0.4, 1.7], &line, |v| {
        let z = (v[0] - v[1]) / v[2];
        -z - (-z).exp() - v[2].ln()
    });
    agrees::<Gamma, 3>(&[2.5, 0.7], &positive, |v| {
        v[1] * v[2].ln() - v[1].ln_gamma() + (v[1] - 1.0) * v[0].ln() - v[2] * v[0]
    });
    agrees::<InverseGamma, 3>(&[2.5, 0.7], &positive, |v| {
        v[1] * v[2].ln() - v[1].ln_gamma() - (v[1] + 1.0) * v[0].ln() - v[2] / v[0]
    });
    agrees::<Weibull, 3>(&[1.6, 2.0], &positive, |v| {
        let ln_z = (v[0] / v[2]).ln();
        v[1].ln() - v[2].ln() + (v[1] - 1.0) * ln_z - (v[1] * ln_z).exp()
    });
    agrees::<Beta, 3>(&[0.6, 3.0], &[0.02, 0.5, 0.97], |v| {
        let ln_beta = v[1].ln_gamma() + v[2].ln_gamma() - (v[1] + v[2]).ln_gamma();
        (v[1] - 1.0) * v[0].ln() + (v[2] - 1.0) * (-v[0]).ln_1p() - ln_beta
    });
    agrees::<StudentT, 4>(&[3.5, 0.4, 1.7], &line, |v| {
        let z = (v[0] - v[2]) / v[3];
        let half = (v[1] + 1.0) * 0.5;
        half.ln_gamma()
            - (v[1] * 0.5).ln_gamma()
            - v[1].ln() * 0.5
            - v[3].ln()
            - half * (z * z / v[1]).ln_1p()
    });
}
