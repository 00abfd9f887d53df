//! What no caller should pass in: refused by an error that says why, never by a panic, an endless loop or a
//! number that is none.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod diagnostics;
mod kernels;
mod options;
mod weights;

use std::cell::Cell;

use posterior_dist::target::{EvalError, GradTarget, Target};

/// Numbers at the edges.
const ODD: [f64; 9] = [
    f64::NAN,
    f64::INFINITY,
    f64::NEG_INFINITY,
    0.0,
    -1.0,
    -0.0,
    f64::MIN_POSITIVE / 4.0,
    f64::MAX,
    -f64::MAX,
];

/// What a density says where it has nothing to say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Nothing {
    Zero,
    NotANumber,
    Infinite,
    Reject,
}

/// The exponential distribution on the positive numbers, independent in each coordinate.
#[derive(Debug, Clone, Copy)]
struct Positive {
    dim: usize,
    elsewhere: Nothing,
}

impl Target for Positive {
    fn dim(&self) -> usize {
        self.dim
    }

    fn ln_density(&self, x: &[f64]) -> Result<f64, EvalError> {
        if x.iter().all(|x| *x > 0.0) {
            return Ok(-x.iter().sum::<f64>());
        }
        match self.elsewhere {
            Nothing::Zero => Ok(f64::NEG_INFINITY),
            Nothing::NotANumber => Ok(f64::NAN),
            Nothing::Infinite => Ok(f64::INFINITY),
            Nothing::Reject => Err(EvalError::reject("not positive")),
        }
    }
}

impl GradTarget for Positive {
    fn ln_density_grad(&self, x: &[f64], gradient: &mut [f64]) -> Result<f64, EvalError> {
        gradient.fill(-1.0);
        self.ln_density(x)
    }
}

/// A standard normal distribution that ends the run after some evaluations.
struct Ending {
    dim: usize,
    left: Cell<usize>,
}

impl Target for Ending {
    fn dim(&self) -> usize {
        self.dim
    }

    fn ln_density(&self, x: &[f64]) -> Result<f64, EvalError> {
        let left = self.left.get().checked_sub(1).ok_or_else(|| EvalError::fatal("the end"))?;
        self.left.set(left);
        Ok(-0.5 * x.iter().map(|x| x * x).sum::<f64>())
    }
}

impl GradTarget for Ending {
    fn ln_density_grad(&self, x: &[f64], gradient: &mut [f64]) -> Result<f64, EvalError> {
        gradient.iter_mut().zip(x).for_each(|(slope, x)| *slope = -x);
        self.ln_density(x)
    }
}
