//! Gaussian distributions and linear algebra.

use posterior::dist::Density;
use posterior::gaussian::{Gaussian, LinearGaussian};
use posterior::math::linalg::{Cholesky, DMatrix, DVector};

use crate::{close, differs};

fn covariance() -> DMatrix<f64> {
    DMatrix::from_row_slice(2, 2, &[2.0, 0.6, 0.6, 1.0])
}

/// A change of variables divides by the determinant of the derivative, once for each preimage.
#[test]
fn erratum_06() {
    use posterior::dist::{ChiSquared, Normal};
    let matrix = DMatrix::from_row_slice(2, 2, &[2.0, 1.0, -0.5, 1.5]);
    let mapped = Gaussian::standard(2).affine(&matrix, &[0.0, 0.0]).unwrap();
    let y = DVector::from_row_slice(&[0.7, -1.1]);
    let x = matrix.clone().try_inverse().unwrap() * &y;
    let ln = Gaussian::standard(2).ln_pdf(x.as_slice());
    close(mapped.ln_pdf(y.as_slice()), ln - matrix.determinant().ln(), 13);
    differs(ln - matrix.norm().ln(), mapped.ln_pdf(y.as_slice()));
    // A square has two preimages.
    let square = 1.7_f64;
    let half = Normal::STANDARD.ln_pdf(&square.sqrt()).exp() / (2.0 * square.sqrt());
    close(ChiSquared::new(1.0).unwrap().gamma().ln_pdf(&square).exp(), 2.0 * half, 13);
}

/// The gain has the covariance of the noise, not its inverse.
#[test]
fn erratum_16() {
    let matrix = DMatrix::from_row_slice(1, 2, &[1.0, -2.0]);
    let noise = 0.25;
    let likelihood = LinearGaussian::independent(&matrix, &[0.0], &[noise]).unwrap();
    let prior = Gaussian::new(&[0.5, 1.0], &covariance()).unwrap();
    let found = prior.bayes(&likelihood, &[0.3]).unwrap().posterior;
    // By precisions, which have no gain.
    let precision = prior.precision() + matrix.transpose() * &matrix / noise;
    let weighted = prior.precision() * prior.mean() + matrix.transpose() * (0.3 / noise);
    let right = precision.try_inverse().unwrap() * weighted;
    let pushed = (&matrix * covariance() * matrix.transpose())[0];
    let with = |noise: f64| {
        prior.mean() + covariance() * matrix.transpose() * (0.3 - (0.5 - 2.0)) / (pushed + noise)
    };
    for i in 0..2 {
        close(found.mean()[i], right[i], 13);
        close(with(noise)[i], right[i], 13);
        differs(with(1.0 / noise)[i], right[i]);
    }
}

/// The factor of L Lᵀ is lower triangular, so that L z = y is solved from the first row on.
#[test]
fn erratum_17() {
    let l = Cholesky::new(&covariance()).unwrap().factor().clone();
    assert_eq!(l[(0, 1)], 0.0);
    assert!((&l * l.transpose() - covariance()).amax() < 1e-15);
    let z = 3.0 / l[(0, 0)];
    let z = [z, (1.0 - l[(1, 0)] * z) / l[(1, 1)]];
    let back = &l * DVector::from_row_slice(&z);
    close(back[0], 3.0, 14);
    close(back[1], 1.0, 14);
}

/// The prior of function values has the covariance φᵀ Σ φ.
#[test]
fn erratum_19() {
    let phi = DMatrix::from_row_slice(1, 2, &[1.0, 3.0]);
    let values = Gaussian::new(&[0.0; 2], &covariance()).unwrap().affine(&phi, &[0.0]).unwrap();
    close(values.covariance()[0], 2.0 + 2.0 * 3.0 * 0.6 + 9.0, 13);
}

/// -ln p(θ) of a standard normal prior is Σθ²/2 and a constant.
#[test]
fn erratum_20() {
    let prior = Gaussian::standard(3);
    let theta = [0.5, -2.0, 1.0];
    let squares: f64 = theta.iter().map(|t| t * t).sum();
    let excess = prior.ln_pdf(&[0.0; 3]) - prior.ln_pdf(&theta);
    close(excess, squares / 2.0, 14);
    differs(squares, excess);
}

/// A⁻¹ = V Λ⁻¹ V⁻¹, in this order.
#[test]
fn erratum_22() {
    let v = DMatrix::from_row_slice(2, 2, &[1.0, 1.0, 0.5, 2.0]);
    let inverse = v.clone().try_inverse().unwrap();
    let diagonal = |a: f64, b: f64| DMatrix::from_diagonal(&DVector::from_row_slice(&[a, b]));
    let matrix = &v * diagonal(2.0, 5.0) * &inverse;
    let right = &v * diagonal(0.5, 0.2) * &inverse;
    assert!((&matrix * right - DMatrix::identity(2, 2)).amax() < 1e-14);
    let printed = &inverse * diagonal(0.5, 0.2) * &v;
    assert!((&matrix * printed - DMatrix::identity(2, 2)).amax() > 0.1);
}
