//! Kernels as limits of finitely many features.

use posterior_gp::Kernel;
use posterior_gp::kernel::FeatureFunctions;
use posterior_math::linalg::DMatrix;

/// `count` centres in the middle of equal steps from `low` to `high`, and the length of a step.
fn centres(low: f64, high: f64, count: u32) -> (Vec<f64>, f64) {
    let step = (high - low) / f64::from(count);
    ((0..count).map(|i| low + (f64::from(i) + 0.5) * step).collect(), step)
}

#[test]
fn bells_become_the_rbf_kernel() {
    let (width, x, y) = (0.7, [0.3], [1.1]);
    let golden = 0.8950814016678553;
    let (centres, step) = centres(-20.0, 20.0, 2000);
    let bells = step * Kernel::features(FeatureFunctions::bells(&centres, width).unwrap());
    assert!((bells.value(&x, &y) - golden).abs() <= 1e-10 * golden);
    let limit = std::f64::consts::PI.sqrt() * width * Kernel::rbf(std::f64::consts::SQRT_2 * width).unwrap();
    assert!((limit.value(&x, &y) - golden).abs() <= 4e-16 * golden);
}

#[test]
fn steps_become_the_wiener_process_and_rectifiers_its_integral() {
    let (centres, step) = centres(0.0, 3.0, 3000);
    let steps = step * Kernel::features(FeatureFunctions::steps(&centres).unwrap());
    let rectifiers = step * Kernel::features(FeatureFunctions::rectifiers(&centres).unwrap());
    for (x, y) in [(1.0, 2.0), (0.4, 2.7), (2.9, 2.9)] {
        assert!((steps.value(&[x], &[y]) - Kernel::wiener().value(&[x], &[y])).abs() <= 1e-3);
        let spline = Kernel::integrated_wiener().value(&[x], &[y]);
        assert!((rectifiers.value(&[x], &[y]) - spline).abs() <= 1e-6);
    }
}

#[test]
fn sigmoids_of_small_width_are_steps_and_fourier_features_repeat() {
    let centres = [0.0, 1.0, 2.0];
    let (steps, sigmoids) =
        (FeatureFunctions::steps(&centres).unwrap(), FeatureFunctions::sigmoids(&centres, 1e-3).unwrap());
    for x in [-1.0, 0.5, 1.7, 9.0] {
        for (step, sigmoid) in steps.values(&[x]).iter().zip(sigmoids.values(&[x])) {
            assert!((step - sigmoid).abs() < 1e-15);
        }
    }
    // Σ cos(2πn(x - x')/p): the sum of the first harmonics.
    let fourier = Kernel::features(FeatureFunctions::fourier(2.0, 2).unwrap());
    let cosines = Kernel::cosine(2.0).unwrap() + Kernel::cosine(1.0).unwrap();
    assert!((fourier.value(&[0.3], &[4.1]) - cosines.value(&[0.3], &[4.1])).abs() < 1e-14);
}

#[test]
fn monomials_are_the_polynomial_kernel_with_binomial_variances() {
    // (1 + x y)² = 1 + 2xy + x²y²
    let theta = DMatrix::from_diagonal(&vec![1.0, 2.0, 1.0].into());
    let explicit = Kernel::features_with(FeatureFunctions::monomials(2), &theta).unwrap();
    let kernel = Kernel::polynomial(2, 1.0).unwrap();
    for (x, y) in [(0.3, -2.0), (5.0, 0.0), (1.5, 1.5)] {
        assert!((explicit.value(&[x], &[y]) - kernel.value(&[x], &[y])).abs() < 1e-13);
    }
    let inputs = DMatrix::from_column_slice(2, 1, &[2.0, 3.0]);
    let expected = DMatrix::from_row_slice(2, 3, &[1.0, 2.0, 4.0, 1.0, 3.0, 9.0]);
    assert_eq!(FeatureFunctions::monomials(2).matrix(&inputs), expected);
}

#[test]
fn what_is_wrong_with_features_is_reported() {
    let indefinite = DMatrix::from_row_slice(2, 2, &[1.0, 2.0, 2.0, 1.0]);
    assert!(Kernel::features_with(FeatureFunctions::monomials(1), &indefinite).is_err());
    let kernel = Kernel::features_with(FeatureFunctions::monomials(1), &DMatrix::identity(3, 3)).unwrap();
    let error = kernel.check(&DMatrix::zeros(1, 1)).unwrap_err();
    assert_eq!(error.to_string(), "features: expected 3, found 2");
    let logarithms = Kernel::features(FeatureFunctions::custom("ln", |x| vec![x[0].ln()]));
    let error = logarithms.check(&DMatrix::from_column_slice(2, 1, &[1.0, 0.0])).unwrap_err();
    assert_eq!(error.to_string(), "feature of row 1 is -inf: it must be finite");
}
