//! Kernels of transformed inputs, and kernels of what is no vector.

use posterior_gp::Kernel;
use posterior_math::linalg::DMatrix;
use proptest::prelude::*;

#[test]
fn selected_coordinates() {
    let kernel = Kernel::rbf_ard(&[1.0, 2.0]).unwrap().on(&[2, 0]).unwrap();
    let (x, y) = ([1.0, 9.0, 3.0], [1.5, -4.0, 2.0]);
    let expected = (-0.5_f64 * (1.0 + 0.0625)).exp();
    assert!((kernel.value(&x, &y) - expected).abs() < 1e-15);
    assert!(Kernel::wiener().on(&[0, 1]).is_err());
    let error = kernel.check(&DMatrix::zeros(3, 2)).unwrap_err();
    assert_eq!(error.to_string(), "coordinates of an input: expected 3, found 2");
    // What is checked is what the kernel sees.
    let walk = Kernel::wiener().on(&[1]).unwrap();
    assert!(walk.check(&DMatrix::from_row_slice(1, 2, &[-1.0, 1.0])).is_ok());
    let error = walk.check(&DMatrix::from_row_slice(2, 2, &[1.0, 1.0, 1.0, -2.0])).unwrap_err();
    assert_eq!(error.to_string(), "input of row 1 is -2: it must be at least 0, where the process begins");
}

#[test]
fn warped_and_modulated_kernels_are_their_formulas() {
    let inputs = DMatrix::from_fn(60, 1, |i, _| 0.5 + i as f64 * 0.1);
    let base = Kernel::matern32(0.8).unwrap();
    let warped = base.clone().warped("ln", |x| vec![x[0].ln()]);
    let modulated = base.clone().modulated("square", |x| x[0] * x[0]);
    let (warped_gram, modulated_gram) = (warped.gram(&inputs), modulated.gram(&inputs));
    for i in 0..60 {
        for j in 0..60 {
            let (x, y) = (inputs[i], inputs[j]);
            assert!((warped_gram[(i, j)] - base.value(&[x.ln()], &[y.ln()])).abs() < 1e-15);
            let expected = x * x * base.value(&[x], &[y]) * y * y;
            assert!((modulated_gram[(i, j)] - expected).abs() <= 1e-15 * (x * y).powi(2));
        }
    }
    assert_eq!(warped.to_string(), "warped(matern32(0.8), ln)");
    assert_eq!(warped.with_parameters(&[2.0]).unwrap().to_string(), "warped(matern32(2), ln)");
    assert_eq!(modulated.parameters()[0].name, "matern32.length_scale");
    let weights = DMatrix::from_element(60, 60, 1.0);
    for kernel in [warped, modulated] {
        let moved = |step: f64| kernel.with_parameters(&[0.8 * step.exp()]).unwrap().gram(&inputs).sum();
        let difference = (8.0 * (moved(1e-3) - moved(-1e-3)) - (moved(2e-3) - moved(-2e-3))) / 12e-3;
        let gradient = kernel.gram_gradient(&inputs, &weights)[0];
        assert!((gradient - difference).abs() <= 1e-8 * difference.abs(), "{gradient} {difference}");
    }
    // A periodic kernel is an RBF kernel on the circle.
    let circle = Kernel::rbf(0.7).unwrap().warped("circle", |x| vec![x[0].cos(), x[0].sin()]);
    let periodic = Kernel::periodic(0.7, std::f64::consts::TAU).unwrap();
    assert!((circle.value(&[0.4], &[2.9]) - periodic.value(&[0.4], &[2.9])).abs() < 1e-15);
}

#[test]
fn change_points_take_sides() {
    let kernel: Kernel = "change_point(rbf(1), 4*matern12(1), 5, 0.001)".parse().unwrap();
    let (before, after) = (Kernel::rbf(1.0).unwrap(), 4.0 * Kernel::matern12(1.0).unwrap());
    assert_eq!(kernel.value(&[1.0], &[2.0]), before.value(&[1.0], &[2.0]));
    assert_eq!(kernel.value(&[8.0], &[9.0]), after.value(&[8.0], &[9.0]));
    assert!(kernel.value(&[4.0], &[6.0]).abs() < 1e-300);
}

#[test]
fn texts_share_pieces() {
    let kernel = Kernel::texts(&["abab", "abba", "xyz", "a"], 2).unwrap();
    // ab twice and ba once; ab, bb and ba once.
    let expected = 3.0 / (5_f64.sqrt() * 3_f64.sqrt());
    assert!((kernel.value(&[0.0], &[1.0]) - expected).abs() < 1e-15);
    assert_eq!(kernel.value(&[3.0], &[3.0]), 0.0);
    for wrong in [-1.0, 4.0, 0.5] {
        assert!(kernel.check(&DMatrix::from_element(1, 1, wrong)).is_err());
        assert_eq!(kernel.value(&[wrong], &[wrong]), 0.0);
    }
    assert!(kernel.check(&DMatrix::from_element(1, 1, 3.0)).is_ok());
    assert!(Kernel::texts(&["a"], 0).is_err());
}

#[test]
fn gibbs_with_one_length_scale_is_the_rbf_kernel() {
    let (gibbs, rbf) = (Kernel::gibbs("constant", |_| 0.7), Kernel::rbf(0.7).unwrap());
    let (x, y) = ([0.3, 1.0], [1.1, 0.2]);
    assert!((gibbs.value(&x, &y) - rbf.value(&x, &y)).abs() < 1e-15);
    let error = Kernel::gibbs("coordinate", |x| x[0]).check(&DMatrix::zeros(1, 1)).unwrap_err();
    assert!(error.to_string().contains("length scale is positive"), "{error}");
}

proptest! {
    /// The diagonal of products and sums that only closures make.
    #[test]
    fn kernels_of_your_own_join_expressions(x in 0.0..3.0_f64, y in 0.0..3.0_f64) {
        let own = Kernel::custom("minimum", |x, y| x[0].min(y[0]));
        let kernel = 2.0 * own * Kernel::rbf(1.0).unwrap() + Kernel::white();
        let expected = 2.0 * (Kernel::wiener() * Kernel::rbf(1.0).unwrap()).value(&[x], &[y]) + f64::from(u8::from(x == y));
        prop_assert!((kernel.value(&[x], &[y]) - expected).abs() <= 1e-15 * (1.0 + expected));
        prop_assert_eq!(kernel.to_string(), "2*minimum()*rbf(1) + white()");
        prop_assert_eq!(kernel.parameters().len(), 2);
    }
}

#[test]
fn warps_of_no_input_and_of_ragged_ones() {
    let ratios = Kernel::rbf_ard(&[1.0, 2.0]).unwrap().warped("both", |x| vec![x[0], x[0].ln()]);
    assert!(ratios.check(&DMatrix::zeros(0, 1)).is_ok());
    assert_eq!(ratios.cross(&DMatrix::zeros(0, 1), &DMatrix::from_element(2, 1, 1.0)).shape(), (0, 2));
    let ragged = Kernel::rbf(1.0).unwrap().warped("ragged", |x| vec![x[0]; x[0] as usize]);
    assert!(ragged.check(&DMatrix::from_element(3, 1, 2.0)).is_ok());
    for places in [[1.0, 2.0], [2.0, 1.0]] {
        let refused = ragged.check(&DMatrix::from_column_slice(2, 1, &places)).unwrap_err();
        assert!(refused.to_string().starts_with("coordinates of a warped input"), "{refused}");
    }
    let absent = Kernel::rbf(1.0).unwrap().on(&[usize::MAX]).unwrap();
    assert!(absent.check(&DMatrix::zeros(1, 1)).is_err());
}

#[test]
#[should_panic(expected = "coordinates of an input")]
fn places_of_different_dimensions_have_no_covariance() {
    Kernel::rbf(1.0).unwrap().cross(&DMatrix::zeros(1, 1), &DMatrix::zeros(1, 2));
}
