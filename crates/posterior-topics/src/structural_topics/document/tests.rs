//! The Gaussian of a document against integrals and differences.

use posterior_math::linalg::{DMatrix, DVector};
use posterior_testkit::accuracy::{assert_all_close, assert_within};

use super::{LogRatios, Spread, Words, laplace, proportions};
use crate::corpus::Document;

fn spread() -> Spread {
    Spread::new(DMatrix::from_row_slice(2, 2, &[1.5, 0.4, 0.4, 0.8])).unwrap()
}

fn phi() -> DMatrix<f64> {
    DMatrix::from_row_slice(3, 4, &[0.5, 0.3, 0.1, 0.1, 0.1, 0.2, 0.3, 0.4, 0.25, 0.25, 0.25, 0.25])
}

const MEAN: [f64; 2] = [0.3, -0.5];

fn value(counts: &[u32], eta: &[f64]) -> f64 {
    let theta = proportions(eta);
    let (phi, spread) = (phi(), spread());
    let words = counts
        .iter()
        .enumerate()
        .map(|(v, &n)| f64::from(n) * (0..3).map(|k| theta[k] * phi[(k, v)]).sum::<f64>().ln());
    let away = DVector::from_fn(2, |k, _| eta[k] - MEAN[k]);
    words.sum::<f64>() - 0.5 * away.dot(&(&spread.precision * &away))
}

fn posterior(counts: &[u32]) -> LogRatios {
    let phi = phi();
    let document = Document { words: &[0, 1, 2, 3], counts };
    laplace(&Words::new(document, &phi, 0, 3), &MEAN, &spread(), &[0.0, 0.0])
}

/// ln of the integral of exp(value) N(eta), by the trapezoidal rule, which is exact to many digits for what
/// decays at both ends.
fn ln_integral(counts: &[u32]) -> f64 {
    let step = 0.05;
    let mut sum = 0.0;
    for i in -200..=200 {
        for j in -200..=200 {
            sum += value(counts, &[f64::from(i) * step, f64::from(j) * step]).exp();
        }
    }
    (sum * step * step).ln() - std::f64::consts::TAU.ln() - 0.5 * spread().ln_determinant
}

#[test]
fn the_mode_is_flat_and_the_covariance_is_the_inverse_hessian() {
    let counts = [30, 11, 4, 9];
    let found = posterior(&counts);
    let at = [found.mode[0], found.mode[1]];
    let h = 1e-4;
    let shifted = |i: f64, j: f64| value(&counts, &[at[0] + i * h, at[1] + j * h]);
    assert_within((shifted(1.0, 0.0) - shifted(-1.0, 0.0)) / (2.0 * h), 0.0, 1e-4);
    assert_within((shifted(0.0, 1.0) - shifted(0.0, -1.0)) / (2.0 * h), 0.0, 1e-4);
    let second =
        |i: f64, j: f64| (shifted(i, j) - shifted(i, -j) - shifted(-i, j) + shifted(-i, -j)) / (4.0 * h * h);
    let straight = |i: f64, j: f64| (shifted(i, j) - 2.0 * shifted(0.0, 0.0) + shifted(-i, -j)) / (h * h);
    let hessian = -DMatrix::from_row_slice(
        2,
        2,
        &[straight(1.0, 0.0), second(1.0, 1.0), second(1.0, 1.0), straight(0.0, 1.0)],
    );
    let product = hessian * &found.covariance;
    assert_all_close(product.as_slice(), DMatrix::<f64>::identity(2, 2).as_slice(), 1e-5);
    let tokens: f64 = found.counts.iter().sum();
    assert_within(tokens, 54.0, 1e-12);
}

/// Laplace's method is exact without words, and its error falls with their number.
#[test]
fn the_evidence_is_near_the_integral() {
    assert_within(posterior(&[0; 4]).ln_evidence, 0.0, 1e-12);
    assert_within(ln_integral(&[0; 4]), 0.0, 1e-9);
    for (counts, error) in [([3, 1, 0, 2], 0.1), ([30, 11, 4, 9], 0.05), ([900, 330, 120, 270], 0.02)] {
        let (found, exact) = (posterior(&counts).ln_evidence, ln_integral(&counts));
        println!("{found} {exact}");
        assert_within(found, exact, error);
    }
}
