//! Variational inference by Monte Carlo.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod pathfinder;
mod posteriors;

use std::ops::ControlFlow;

use posterior_dist::stream::stream;
use posterior_dist::target::{EvalError, FromGradFn, GradTarget, Target};
use posterior_math::iteration::{Silent, Step, Stop};
use posterior_math::linalg::{Cholesky, DMatrix, DVector};
use posterior_math::special::{digamma, ln_gamma};
use posterior_sampling::Error;
use posterior_sampling::importance::NormalizedTarget;
use posterior_sampling::variational::{Advi, GaussianApproximation, GaussianFamily};
use posterior_testkit::significance::{LEVEL, kolmogorov_smirnov_p_value};

const FAMILIES: [GaussianFamily; 2] = [GaussianFamily::MeanField, GaussianFamily::FullRank];

/// exp(-½ (x - m)ᵀ P (x - m)).
fn gaussian(mean: &[f64], precision: &DMatrix<f64>) -> impl GradTarget + use<> {
    let (mean, precision) = (DVector::from_column_slice(mean), precision.clone());
    FromGradFn::new(mean.len(), move |x, gradient| {
        let d = DVector::from_column_slice(x) - &mean;
        let slope = &precision * &d;
        gradient.copy_from_slice((-&slope).as_slice());
        -0.5 * d.dot(&slope)
    })
}

/// P with units from 10⁻³ to 10³ and correlations.
fn precision() -> DMatrix<f64> {
    let correlations = DMatrix::from_row_slice(
        4,
        4,
        &[1.0, 0.6, -0.3, 0.0, 0.6, 1.0, 0.1, 0.2, -0.3, 0.1, 1.0, -0.4, 0.0, 0.2, -0.4, 1.0],
    );
    let units = DMatrix::from_diagonal(&DVector::from_row_slice(&[1.0, 1e3, 1e-3, 2.0]));
    &units * correlations * &units
}

const CENTRE: [f64; 4] = [3.0, -0.02, 400.0, 0.0];

fn ln_integral(precision: &DMatrix<f64>) -> f64 {
    0.5 * (precision.nrows() as f64 * std::f64::consts::TAU.ln()
        - Cholesky::new(precision).unwrap().ln_determinant())
}

fn fit(target: &impl GradTarget, advi: &Advi, start: &[f64], seed: u64) -> (GaussianApproximation, usize) {
    let fitted = advi.fit(target, start, &mut stream(seed, &[]), &mut Silent).unwrap();
    fitted.report.require_converged().unwrap();
    (fitted.model, fitted.report.iterations())
}

#[test]
fn full_rank_recovers_a_gaussian() {
    let target = gaussian(&CENTRE, &precision());
    let (q, steps) =
        fit(&target, &Advi { family: GaussianFamily::FullRank, ..Advi::default() }, &[0.0; 4], 1);
    let exact = Cholesky::new(&precision()).unwrap().inverse();
    for i in 0..4 {
        let sd = exact[(i, i)].sqrt();
        assert!((q.mean()[i] - CENTRE[i]).abs() < 1e-5 * sd, "{i}: {}", q.mean()[i]);
        assert!((q.sds()[i] / sd - 1.0).abs() < 1e-5);
        for j in 0..4 {
            let error = q.covariance()[(i, j)] - exact[(i, j)];
            assert!(error.abs() < 1e-5 * sd * exact[(j, j)].sqrt(), "{i} {j}: {error}");
        }
    }
    assert!(steps < 2000, "{steps}");
    // The bound is tight, and its terms have no noise.
    let assessed = q.assess(&target, 1000, &mut stream(2, &[])).unwrap();
    assert!((assessed.elbo.value - ln_integral(&precision())).abs() < 1e-6, "{:?}", assessed.elbo);
    assert!(assessed.elbo.standard_error < 1e-6);
    assert!((assessed.ln_evidence.ln_value - ln_integral(&precision())).abs() < 1e-6);
    assert!(assessed.smoothed.is_reliable());
    assert!((q.distribution().unwrap().covariance() - q.covariance()).norm() < 1e-9 * q.covariance().norm());
}

/// The factors have variance 1 / Pᵢᵢ, and the bound misses ln Z by (Σ ln Pᵢᵢ - ln |P|) / 2.
#[test]
fn mean_field_is_too_narrow_by_the_known_amount() {
    let target = gaussian(&CENTRE, &precision());
    let (q, steps) = fit(&target, &Advi::default(), &[0.0; 4], 3);
    assert!(steps < 20_000, "{steps}");
    for (i, centre) in CENTRE.iter().enumerate() {
        let sd = precision()[(i, i)].powf(-0.5);
        assert!((q.mean()[i] - centre).abs() < 0.02 * sd, "{i}: {}", q.mean()[i]);
        assert!((q.sds()[i] / sd - 1.0).abs() < 0.02, "{i}: {}", q.sds()[i] / sd);
    }
    let ln_z = ln_integral(&precision());
    let ln_determinant = Cholesky::new(&precision()).unwrap().ln_determinant();
    let gap = 0.5 * (precision().diagonal().iter().map(|p| p.ln()).sum::<f64>() - ln_determinant);
    let assessed = q.assess(&target, 20_000, &mut stream(4, &[])).unwrap();
    let (elbo, error) = (assessed.elbo.value, assessed.elbo.standard_error);
    assert!((elbo - (ln_z - gap)).abs() < 4.0 * error + 1e-3, "{elbo} ± {error}, {}", ln_z - gap);
    assert!(elbo < ln_z && gap > 0.3);
    // The weights make up for what the family can't say.
    let evidence = assessed.ln_evidence;
    assert!((evidence.ln_value - ln_z).abs() < 4.0 * evidence.standard_error, "{evidence:?} {ln_z}");
    let mean = assessed.draws.expectation(|x| x[0]).unwrap();
    assert!((mean.value - 3.0).abs() < 4.0 * mean.standard_error);
}

/// u = ln x of a gamma distribution with shape a and rate b: the bound a m - b exp(m + s² / 2) + ln s has its
/// top at s² = 1 / a, m = ln(a / b) - s² / 2.
#[test]
fn the_closest_gaussian_of_another_distribution_is_found() {
    let distributions = [(0.7_f64, 2.0_f64), (3.0, 0.01), (50.0, 5.0)];
    let target = FromGradFn::new(3, move |u, gradient| {
        let mut sum = 0.0;
        for i in 0..3 {
            let (a, b) = distributions[i];
            sum += a * u[i] - b * u[i].exp();
            gradient[i] = a - b * u[i].exp();
        }
        sum
    });
    for family in FAMILIES {
        let (q, _) = fit(&target, &Advi { family, ..Advi::default() }, &[0.0; 3], 5);
        let mut bound = 0.0;
        let mut ln_z = 0.0;
        for (i, (a, b)) in distributions.into_iter().enumerate() {
            let (mean, sd) = ((a / b).ln() - 0.5 / a, a.powf(-0.5));
            assert!((q.mean()[i] - mean).abs() < 0.03 * sd, "{family:?} {i}: {} {mean}", q.mean()[i]);
            assert!((q.sds()[i] / sd - 1.0).abs() < 0.03, "{family:?} {i}: {} {sd}", q.sds()[i]);
            bound += a * mean - a + 0.5 * (1.0 + std::f64::consts::TAU.ln()) + sd.ln();
            ln_z += ln_gamma(a) - a * b.ln();
        }
        let assessed = q.assess(&target, 10_000, &mut stream(6, &[])).unwrap();
        let (elbo, error) = (assessed.elbo.value, assessed.elbo.standard_error);
        assert!((elbo - bound).abs() < 4.0 * error + 3e-3, "{family:?} {elbo} ± {error}, {bound}");
        assert!(bound < ln_z);
        // E ln x = ψ(a) - ln b, by the weights.
        let mean = assessed.draws.expectation(|u| u[2]).unwrap();
        assert!((mean.value - (digamma(50.0) - 5_f64.ln())).abs() < 4.0 * mean.standard_error);
    }
}

/// Heavy tails, and a funnel: no Gaussian will do, and k̂ says so. A Gaussian as target: all is well.
#[test]
fn bad_approximations_are_found_out() {
    let cauchy = FromGradFn::new(1, |x, gradient| {
        gradient[0] = -2.0 * x[0] / (1.0 + x[0] * x[0]);
        -(x[0] * x[0]).ln_1p()
    });
    let (q, _) = fit(&cauchy, &Advi::default(), &[0.5], 1);
    let assessed = q.assess(&cauchy, 10_000, &mut stream(1, &[])).unwrap();
    assert!(!assessed.smoothed.is_reliable(), "{}", assessed.smoothed.shape);
    assert!(assessed.elbo.value < std::f64::consts::PI.ln());
    let funnel = FromGradFn::new(3, |x, gradient| {
        let (v, weight) = (x[0], (-x[0]).exp());
        let squares = x[1] * x[1] + x[2] * x[2];
        gradient.copy_from_slice(&[-v / 9.0 + 0.5 * weight * squares - 1.0, -weight * x[1], -weight * x[2]]);
        -v * v / 18.0 - 0.5 * weight * squares - v
    });
    let fitted = Advi::default().fit(&funnel, &[0.0; 3], &mut stream(2, &[]), &mut Silent).unwrap();
    let assessed = fitted.model.assess(&funnel, 10_000, &mut stream(1, &[])).unwrap();
    assert!(!assessed.smoothed.is_reliable(), "{}", assessed.smoothed.shape);
}

#[test]
fn many_coordinates_are_no_trouble() {
    // An autoregression of 60 steps with correlation 0.8: P is tridiagonal.
    let (n, rho) = (60, 0.8_f64);
    let scale = (1.0 - rho * rho).recip();
    let precision = DMatrix::from_fn(n, n, |i, j| match i.abs_diff(j) {
        0 if i == 0 || i == n - 1 => scale,
        0 => scale * (1.0 + rho * rho),
        1 => -scale * rho,
        _ => 0.0,
    });
    let target = gaussian(&vec![1.0; n], &precision);
    let (full, _) =
        fit(&target, &Advi { family: GaussianFamily::FullRank, ..Advi::default() }, &vec![0.0; n], 1);
    assert!(full.sds().iter().all(|sd| (sd - 1.0).abs() < 0.01), "{:?}", full.sds());
    assert!((full.covariance()[(0, 1)] - rho).abs() < 0.01);
    let (narrow, _) = fit(&target, &Advi::default(), &vec![0.0; n], 1);
    let worst = (0..n).map(|i| (narrow.sds()[i] * precision[(i, i)].sqrt() - 1.0).abs()).fold(0.0, f64::max);
    assert!(worst < 0.08, "{worst}");
}

#[test]
fn draws_are_those_of_the_density() {
    let target = gaussian(&[1.0, -2.0], &DMatrix::from_row_slice(2, 2, &[2.0, 1.2, 1.2, 1.5]));
    for family in FAMILIES {
        let (q, _) = fit(&target, &Advi { family, ..Advi::default() }, &[0.0; 2], 8);
        let distribution = q.distribution().unwrap();
        let (mut x, mut rng) = ([0.0; 2], stream(3, &[]));
        let mut squares = Vec::new();
        for _ in 0..4000 {
            q.draw(&mut rng, &mut x);
            squares.push(distribution.mahalanobis_squared(&x));
            let expected = posterior_dist::Density::ln_pdf(&distribution, &x);
            assert!((q.ln_density(&x).unwrap() - expected).abs() < 1e-12);
            let mut slope = [0.0; 2];
            assert_eq!(q.ln_density_grad(&x, &mut slope).unwrap(), q.ln_density(&x).unwrap());
            let exact = posterior_dist::PointGradient::point_gradient(&distribution, &x);
            assert!((slope[0] - exact[0]).abs().max((slope[1] - exact[1]).abs()) < 1e-11);
        }
        // χ² with two degrees of freedom.
        let p = kolmogorov_smirnov_p_value(&squares, |x| -(-0.5 * x).exp_m1());
        assert!(p > LEVEL, "{p}");
        assert!((q.entropy() - posterior_dist::Entropy::entropy(&distribution)).abs() < 1e-12);
        let draws = q.draws(7, &mut stream(4, &[])).unwrap();
        assert_eq!((draws.chains(), draws.len(), draws.names().len()), (1, 7, 2));
    }
}

#[test]
fn runs_stop_where_they_should() {
    let target = gaussian(&CENTRE, &precision());
    let run = |advi: Advi| advi.fit(&target, &[0.0; 4], &mut stream(1, &[]), &mut Silent).unwrap();
    let short = run(Advi { max_iterations: 7, ..Advi::default() });
    assert_eq!((short.report.stop, short.report.iterations()), (Stop::MaxIterations, 7));
    assert_eq!(
        run(Advi { max_iterations: 500, ..Advi::default() }),
        run(Advi { max_iterations: 500, ..Advi::default() })
    );
    let mut third =
        |step: &Step| if step.iteration == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    let stopped = Advi::default().fit(&target, &[0.0; 4], &mut stream(1, &[]), &mut third).unwrap();
    assert_eq!((stopped.report.stop, stopped.report.iterations()), (Stop::Observer, 3));
}

#[test]
fn densities_with_holes_do_not_break_it() {
    // An exponential distribution that was not put on free coordinates.
    let half_line = FromGradFn::new(1, |x, gradient| {
        gradient[0] = -1.0;
        if x[0] > 0.0 { -x[0] } else { f64::NEG_INFINITY }
    });
    let fitted = Advi { max_iterations: 2000, ..Advi::default() }
        .fit(&half_line, &[1.0], &mut stream(1, &[]), &mut Silent)
        .unwrap();
    assert!(fitted.model.mean()[0] > 0.0 && fitted.model.sds()[0] > 0.0);
    // As good as no Gaussian is on the half-line alone, and the bound says so.
    let wide = Advi { max_iterations: 0, ..Advi::default() }
        .fit(&half_line, &[1.0], &mut stream(1, &[]), &mut Silent)
        .unwrap();
    let assessed = wide.model.assess(&half_line, 1000, &mut stream(1, &[])).unwrap();
    assert_eq!(assessed.elbo.value, f64::NEG_INFINITY);
    assert!((assessed.ln_evidence.ln_value - 0.0).abs() < 0.5);
    // A density at one point alone.
    let point = FromGradFn::new(1, |x, gradient| {
        gradient[0] = 0.0;
        if x[0] == 1.0 { 0.0 } else { f64::NAN }
    });
    let fitted = Advi::default().fit(&point, &[1.0], &mut stream(1, &[]), &mut Silent).unwrap();
    assert_eq!(fitted.report.stop, Stop::Stalled);
}

#[test]
fn what_cannot_be_is_refused() {
    let target = gaussian(&[0.0], &DMatrix::identity(1, 1));
    let refused =
        |advi: Advi| advi.fit(&target, &[0.0], &mut stream(1, &[]), &mut Silent).unwrap_err().to_string();
    assert_eq!(refused(Advi { pairs: 0, ..Advi::default() }), "Advi: pairs = 0 must be positive");
    assert_eq!(refused(Advi { rate: 1.5, ..Advi::default() }), "Advi: rate = 1.5 must be in (0, 1]");
    assert_eq!(refused(Advi { rate: f64::NAN, ..Advi::default() }), "Advi: rate = NaN must be in (0, 1]");
    assert_eq!(
        refused(Advi { tolerance: 0.0, ..Advi::default() }),
        "Advi: tolerance = 0 must be positive and finite"
    );
    assert_eq!(
        refused(Advi { initial_sd: -1.0, ..Advi::default() }),
        "Advi: initial_sd = -1 must be positive and finite"
    );
    let start =
        |start: &[f64]| Advi::default().fit(&target, start, &mut stream(1, &[]), &mut Silent).unwrap_err();
    assert!(matches!(
        start(&[0.0, 1.0]),
        Error::Dimension(posterior_math::DimensionError { expected: 1, found: 2, .. })
    ));
    assert!(start(&[f64::NAN]).is_start());
    let error = Advi::default().fit(&Gone, &[0.0], &mut stream(1, &[]), &mut Silent).unwrap_err();
    assert!(matches!(error, Error::Target(EvalError::Fatal(_))));
}

struct Gone;
impl Target for Gone {
    fn dim(&self) -> usize {
        1
    }
    fn ln_density(&self, _: &[f64]) -> Result<f64, EvalError> {
        Ok(0.0)
    }
}
impl GradTarget for Gone {
    fn ln_density_grad(&self, _: &[f64], _: &mut [f64]) -> Result<f64, EvalError> {
        Err(EvalError::fatal("the file is gone"))
    }
}
