//! The bridge against its golden pair, its round trip, and the curvature of the Dirichlet density in the
//! softmax basis.

use posterior_math::linalg::DMatrix;
use posterior_topics::kernel_topics::laplace_bridge::{covariance, to_dirichlet, to_gaussian};
use proptest::prelude::*;

#[test]
fn golden_pair() {
    let (mean, variances) = to_gaussian(&[2.0, 0.7, 5.0, 1.1]).unwrap();
    let golden_mean = [0.182_842_098_345, -0.866_980_026_154, 1.099_132_830_219, -0.414_994_902_411];
    let golden_variances = [0.439_853_896_104, 0.904_139_610_390, 0.289_853_896_104, 0.644_399_350_649];
    for k in 0..4 {
        assert!((mean[k] - golden_mean[k]).abs() < 1e-12);
        assert!((variances[k] - golden_variances[k]).abs() < 1e-12);
    }
    let back = to_dirichlet(&mean, &variances).unwrap();
    for (back, a) in back.iter().zip([2.0, 0.7, 5.0, 1.1]) {
        assert!((back - a).abs() < 1e-14 * a);
    }
}

/// ln p of the Dirichlet distribution in the softmax basis, whose Jacobian raises each exponent by one:
/// `sum a_k ln theta_k`.
fn ln_density(a: &[f64], eta: &[f64]) -> f64 {
    let sum: f64 = eta.iter().map(|e| e.exp()).sum();
    a.iter().zip(eta).map(|(a, e)| a * (e - sum.ln())).sum()
}

#[test]
fn the_mean_is_the_mode_and_the_covariance_the_inverse_curvature() {
    let a = [2.0, 0.7, 5.0, 1.1];
    let (mean, variances) = to_gaussian(&a).unwrap();
    let covariance = covariance(&a).unwrap();
    let step = 1e-4;
    let moved = |i: usize, j: usize, by: (f64, f64)| {
        let mut eta = mean.clone();
        eta[i] += by.0;
        eta[j] += by.1;
        ln_density(&a, &eta)
    };
    for i in 0..4 {
        let slope = (moved(i, i, (step, 0.0)) - moved(i, i, (-step, 0.0))) / (2.0 * step);
        assert!(slope.abs() < 1e-7);
        assert!((covariance[(i, i)] - variances[i]).abs() < 1e-15);
    }
    let minus_hessian = DMatrix::from_fn(4, 4, |i, j| {
        let corner = |s: f64, t: f64| moved(i, j, (s * step, t * step));
        -(corner(1.0, 1.0) - corner(1.0, -1.0) - corner(-1.0, 1.0) + corner(-1.0, -1.0)) / (4.0 * step * step)
    });
    // Both know nothing of a shift of all coordinates: their product is the projection that takes it away.
    let product = &minus_hessian * covariance;
    for i in 0..4 {
        for j in 0..4 {
            let projection = if i == j { 0.75 } else { -0.25 };
            assert!((product[(i, j)] - projection).abs() < 1e-6);
        }
    }
}

proptest! {
    #[test]
    fn round_trip(ln_a in prop::collection::vec(-8.0_f64..8.0, 2..30), shift in -5.0_f64..5.0) {
        let a: Vec<f64> = ln_a.iter().map(|x| x.exp()).collect();
        let (mean, variances) = to_gaussian(&a).unwrap();
        prop_assert!(mean.iter().sum::<f64>().abs() < 1e-12 * a.len() as f64);
        prop_assert!(variances.iter().all(|v| *v > 0.0));
        let shifted: Vec<f64> = mean.iter().map(|m| m + shift).collect();
        let back = to_dirichlet(&shifted, &variances).unwrap();
        for (back, a) in back.iter().zip(&a) {
            prop_assert!((back - a).abs() < 1e-12 * a);
        }
    }
}

#[test]
fn refuses_what_is_no_distribution() {
    assert!(to_gaussian(&[1.0]).is_err());
    assert!(to_gaussian(&[1.0, 0.0]).is_err());
    assert!(to_gaussian(&[1.0, f64::NAN]).is_err());
    assert!(to_gaussian(&[1.0, 1e-310]).is_err());
    assert!(to_dirichlet(&[0.0, 0.0], &[1.0]).is_err());
    assert!(to_dirichlet(&[0.0, 0.0], &[1.0, 0.0]).is_err());
    assert!(to_dirichlet(&[0.0, f64::INFINITY], &[1.0, 1.0]).is_err());
    assert!(to_dirichlet(&[2000.0, -2000.0], &[1.0, 1.0]).is_err());
    assert!(to_gaussian(&[1e-150, 1e150]).is_ok());
}
