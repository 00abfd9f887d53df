//! So many rows that the search begins with a sample, and keeps second derivatives.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use posterior_dist::target::HessianTarget;
use posterior_math::iteration::Silent;
use posterior_math::linalg::{Cholesky, DMatrix};
use posterior_regression::glm::{CoefficientPrior, Family, Glm, GlmData, GlmFitOptions};

/// Uniform numbers in (0, 1).
fn uniform(state: &mut u64) -> f64 {
    *state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    ((*state >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
}

const ROWS: usize = 70_000;

/// The gradient is that of the summit to rounding, and the covariance is that of the point: by the Hessian of
/// all rows.
fn is_the_summit(model: &Glm<'_>) {
    let fitted = model.fit(&GlmFitOptions::default(), &mut Silent).unwrap();
    assert!(fitted.report.converged());
    let trace = &fitted.report.trace;
    assert!(trace.windows(2).all(|pair| pair[1] >= pair[0] - 1e-12 * pair[0].abs()), "{trace:?}");
    let p = model.data().columns();
    let (mut gradient, mut hessian) = (vec![0.0; p], DMatrix::zeros(p, p));
    model.ln_density_hessian(&fitted.model.coefficients, &mut gradient, &mut hessian).unwrap();
    let factor = Cholesky::new(&-hessian).unwrap();
    let mut step = gradient;
    factor.half_solve_slice_in_place(&mut step);
    let left = step.iter().map(|x| x * x).sum::<f64>().sqrt();
    // Of a step of 10⁻⁸ standard deviations less than a tenth may be left.
    assert!(left <= 1e-9, "{left}");
    assert!((factor.inverse() - &fitted.model.covariance).amax() <= 1e-11);
}

#[test]
fn the_sample_leads_to_the_same_summit() {
    let mut state = 11;
    let design = DMatrix::from_fn(ROWS, 4, |_, j| if j == 0 { 1.0 } else { 2.0 * uniform(&mut state) - 1.0 });
    let true_ones = [-0.4, 1.2, 0.0, -0.7];
    let mean = |i: usize| (0..4).map(|j| true_ones[j] * design[(i, j)]).sum::<f64>();
    let y: Vec<f64> = (0..ROWS)
        .map(|i| f64::from(u8::from(uniform(&mut state) < 1.0 / (1.0 + (-mean(i)).exp()))))
        .collect();
    let counts: Vec<f64> = (0..ROWS).map(|i| (mean(i).exp() * -uniform(&mut state).ln()).round()).collect();
    let weights: Vec<f64> = (0..ROWS).map(|i| (i % 3) as f64).collect();
    let offset: Vec<f64> = (0..ROWS).map(|i| (i % 5) as f64 * 0.1).collect();
    let prior = CoefficientPrior::diagonal(vec![0.0; 4], &[f64::INFINITY, 0.01, 0.1, 1.0]).unwrap();
    let logit = Glm::new(Family::Logit, GlmData::new(&design, &y).unwrap()).unwrap();
    is_the_summit(&logit);
    is_the_summit(&logit.with_prior(prior).unwrap());
    let data = GlmData::new(&design, &counts).unwrap().with_weights(&weights).unwrap();
    let data = data.with_offset(&offset).unwrap();
    is_the_summit(&Glm::new(Family::Poisson, data).unwrap());
}

/// Rows in order, so that every block differs from the next, and a column that is 0 in all of the sample.
#[test]
fn samples_that_are_unlike_the_rest_do_no_harm() {
    let mut state = 5;
    // Block 32 is in the sample as block 0 is; rows 300 to 399 are not.
    let design = DMatrix::from_fn(ROWS, 3, |i, j| match j {
        0 => 1.0,
        1 => i as f64 / ROWS as f64 * 4.0 - 2.0,
        _ => f64::from(u8::from((300..400).contains(&i))),
    });
    let y: Vec<f64> = (0..ROWS)
        .map(|i| f64::from(u8::from(uniform(&mut state) < 1.0 / (1.0 + (-2.0 * design[(i, 1)]).exp()))))
        .collect();
    let model = Glm::new(Family::Logit, GlmData::new(&design, &y).unwrap()).unwrap();
    is_the_summit(&model);
    let prior = CoefficientPrior::isotropic(3, 2.0).unwrap();
    is_the_summit(&model.with_prior(prior).unwrap());
}
