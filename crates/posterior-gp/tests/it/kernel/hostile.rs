//! Parameters and inputs at the ends of what numbers can be.

use posterior_gp::Kernel;
use posterior_math::linalg::DMatrix;
use proptest::prelude::*;

/// Positive numbers of any size, subnormal ones included.
fn positive() -> impl Strategy<Value = f64> {
    prop_oneof![
        (1_u64..0x7FF0_0000_0000_0000).prop_map(f64::from_bits),
        Just(f64::from_bits(1)),
        Just(f64::MAX),
        Just(1e-150),
        Just(1e150),
    ]
}

fn input() -> impl Strategy<Value = f64> {
    prop_oneof![
        any::<u64>().prop_map(f64::from_bits).prop_filter("finite", |x| x.is_finite()),
        -5.0..5.0_f64,
        Just(0.0),
        Just(f64::MAX),
        Just(f64::MIN),
    ]
}

#[test]
fn correlations_next_to_one_are_not_above_it() {
    for distance in (1..2000).map(|i| f64::from(i) * 1e-11) {
        for kernel in [Kernel::matern32(1.0).unwrap(), Kernel::matern52(1.0).unwrap()] {
            assert!(kernel.value(&[0.0], &[distance]) <= 1.0, "{kernel} {distance}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn correlations_are_numbers_for_any_parameters(l in positive(), p in positive(), x in input(), y in input()) {
        let kernels = [
            Kernel::rbf(l).unwrap(),
            Kernel::matern12(l).unwrap(),
            Kernel::matern32(l).unwrap(),
            Kernel::matern52(l).unwrap(),
            Kernel::rational_quadratic(l, p).unwrap(),
            Kernel::matern(1.2, l).unwrap(),
        ];
        for kernel in kernels {
            let value = kernel.value(&[x], &[y]);
            prop_assert!((0.0..=1.0).contains(&value), "{} {} {} {}", kernel, x, y, value);
            prop_assert_eq!(kernel.value(&[x], &[x]), 1.0);
            for entry in kernel.gradient(&[x], &[y]) {
                prop_assert!(entry.is_finite(), "{} {} {} {}", kernel, x, y, entry);
            }
        }
    }

    #[test]
    fn periodic_kernels_are_numbers_where_the_phase_is_one(l in positive(), p in 1e-3..1e3_f64, x in -1e6..1e6_f64, y in -1e6..1e6_f64) {
        let kernel = Kernel::periodic(l, p).unwrap();
        let value = kernel.value(&[x], &[y]);
        prop_assert!((0.0..=1.0).contains(&value), "{} {} {} {}", kernel, x, y, value);
        prop_assert_eq!(kernel.value(&[x], &[x]), 1.0);
        for entry in kernel.gradient(&[x], &[y]) {
            prop_assert!(!entry.is_nan(), "{} {} {} {}", kernel, x, y, entry);
        }
    }
}

#[test]
fn what_no_input_can_be_is_refused_with_its_row() {
    let kernel: Kernel = "rbf([1, 2]) + linear()".parse().unwrap();
    let refused = |inputs: DMatrix<f64>| kernel.check(&inputs).unwrap_err().to_string();
    assert_eq!(refused(DMatrix::zeros(3, 1)), "coordinates of an input: expected 2, found 1");
    let mut inputs = DMatrix::zeros(3, 2);
    inputs[(2, 1)] = f64::NAN;
    assert_eq!(refused(inputs.clone()), "input of row 2 is NaN: it must be finite");
    inputs[(2, 1)] = 0.0;
    assert!(kernel.check(&inputs).is_ok());
    let times = DMatrix::from_column_slice(2, 1, &[0.0, -1e-9]);
    for kernel in ["wiener()", "2*integrated_wiener() + rbf(1)", "fix(wiener())*rbf(2)"] {
        let error = kernel.parse::<Kernel>().unwrap().check(&times).unwrap_err();
        assert_eq!(
            error.to_string(),
            "input of row 1 is -0.000000001: it must be at least 0, where the process begins"
        );
    }
    // Before the origin the process counts as at the origin.
    assert_eq!(Kernel::wiener().value(&[-1.0], &[2.0]), 0.0);
}

#[test]
fn parameters_that_cannot_be_are_refused_by_name() {
    let messages = [
        (Kernel::rbf(f64::NAN), "rbf: length_scale = NaN must be positive and finite"),
        (Kernel::matern(-1.0, 1.0), "matern: nu = -1 must be positive and finite"),
        (Kernel::periodic(1.0, 0.0), "periodic: period = 0 must be positive and finite"),
        (Kernel::arc_cosine(3, 1.0), "arc_cosine: order = 3 must be 0, 1 or 2"),
        (Kernel::polynomial(0, 1.0), "polynomial: degree = 0 must be between 1 and 1000"),
        (Kernel::linear_ard(&[]), "linear: number of variances = 0 must be at least 1"),
        (Kernel::linear_ard(&[1.0, -1.0]), "linear: variance[1] = -1 must be positive and finite"),
        (
            Kernel::spectral_mixture(&[1.0], &[-1.0], &[1.0]),
            "spectral_mixture: means[0] = -1 must be non-negative and finite",
        ),
        (
            Kernel::spectral_mixture(&[1.0], &[], &[1.0]),
            "spectral_mixture: number of means = 0 must be that of the weights",
        ),
        (Kernel::white().scaled(0.0), "Kernel: variance = 0 must be positive and finite"),
        (
            Kernel::white().with_parameters(&[1.0]),
            "Kernel: number of values = 1 must be as many as the kernel has parameters",
        ),
        (
            Kernel::rbf(1.0).unwrap().with_free_parameters(&[800.0]),
            "rbf: length_scale = inf must be positive and finite",
        ),
    ];
    for (kernel, message) in messages {
        assert_eq!(kernel.unwrap_err().to_string(), message);
    }
    let before = Kernel::white();
    assert!(Kernel::change_point(before.clone(), before, f64::NAN, 1.0).is_err());
}
