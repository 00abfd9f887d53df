//! A kernel that a stranger adds, and the checks that hold for it; the book walks through this file.

use std::fmt;

use posterior_gp::kernel::{CovarianceFunction, Kernel, KernelParameter};
use posterior_math::check::{ParamError, positive};
use posterior_math::linalg::DMatrix;
use proptest::prelude::*;

use super::any_kernel::inputs;
use super::gradients::{gradients_are_differences, sums_are_those_of_pairs};
use super::gram::{is_positive_semidefinite, tiles_are_values};

/// max(0, 1 - |x - x'|/r): functions that forget what is further away than r.
#[derive(Debug)]
struct Tent {
    reach: f64,
}

impl Tent {
    fn kernel(reach: f64) -> Result<Kernel, ParamError> {
        Ok(Kernel::new(Self { reach: positive("tent", "reach", reach)? }))
    }
}

impl CovarianceFunction for Tent {
    fn value(&self, x: &[f64], y: &[f64]) -> f64 {
        (1.0 - (x[0] - y[0]).abs() / self.reach).max(0.0)
    }

    fn gradient(&self, x: &[f64], y: &[f64], gradient: &mut [f64]) {
        // By ln r: |x - x'|/r where the tent is.
        let distance = (x[0] - y[0]).abs() / self.reach;
        gradient[0] = if distance < 1.0 { distance } else { 0.0 };
    }

    fn parameters(&self) -> Vec<KernelParameter> {
        vec![KernelParameter::positive("tent.reach", self.reach)]
    }

    fn with_parameters(&self, values: &[f64]) -> Result<Kernel, ParamError> {
        Self::kernel(values[0])
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "tent({})", self.reach)
    }

    fn dimension(&self) -> Option<usize> {
        Some(1)
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn what_holds_of_kernels_holds_of_the_tent(x in inputs(4, 1), y in inputs(2, 1), reach in 4.5..9.0_f64) {
        // Alone and inside of expressions. No two inputs are as far apart as r, where the tent has a kink.
        for kernel in [Tent::kernel(reach).unwrap(), 2.0 * Tent::kernel(reach).unwrap() * Kernel::rbf(0.5).unwrap()] {
            tiles_are_values(&kernel, &x, &y)?;
            is_positive_semidefinite(&kernel, &x)?;
            gradients_are_differences(&kernel, &x)?;
            sums_are_those_of_pairs(&kernel, &x, &y)?;
        }
    }

    #[test]
    fn inputs_beyond_its_reach_do_not_hurt(x in inputs(6, 1), reach in 0.1..4.0_f64) {
        is_positive_semidefinite(&Tent::kernel(reach).unwrap(), &x)?;
    }
}

#[test]
fn worked_numbers() {
    let kernel = Tent::kernel(2.0).unwrap();
    assert_eq!(kernel.to_string(), "tent(2)");
    let x = DMatrix::from_column_slice(3, 1, &[0.0, 0.5, 3.0]);
    assert_eq!(kernel.gram(&x).column(0).as_slice(), [1.0, 0.75, 0.0]);
    assert!(Tent::kernel(0.0).is_err() && kernel.with_parameters(&[f64::NAN]).is_err());
}
