//! The prior that the options mean: the kernel, with variances for a search to move, and the mean before any
//! data.

use posterior::gp::kernel::Structure;
use posterior::gp::{GaussianProcess, Kernel, Mean};
use posterior::math::ParamError;

use super::answer::MeanFunction;
use crate::args::MeanShape;

/// The kernel of the options, and the mean of the function.
pub(super) struct Prior {
    kernel: Kernel,
    shape: MeanShape,
    /// Where the outputs are, on the scale of the function.
    center: f64,
    /// How uncertain a constant is beforehand: its standard deviation about the center.
    sd: f64,
}

impl Prior {
    /// The mean is about `center`; a constant has this standard deviation beforehand, large enough not to
    /// matter.
    pub(super) const fn new(kernel: Kernel, shape: MeanShape, center: f64, sd: f64) -> Self {
        Self { kernel, shape, center, sd }
    }

    /// The process. A constant is integrated out: it is a term of the kernel behind all others, which no
    /// search moves.
    pub(super) fn process(&self, coordinates: usize) -> Result<GaussianProcess, ParamError> {
        let process = GaussianProcess::new(self.kernel.clone());
        match self.shape {
            MeanShape::Zero => Ok(process),
            MeanShape::Constant => {
                let constant = Kernel::constant(self.sd * self.sd)?.fixed();
                let center = Mean::constant(self.center)?.fixed();
                Ok(GaussianProcess::new(self.kernel.clone() + constant).with_mean(center))
            }
            MeanShape::Linear => Ok(process.with_mean(Mean::linear(self.center, &vec![0.0; coordinates])?)),
        }
    }

    /// The kernel of the options in that of a posterior: without the constant.
    pub(super) fn kernel(&self, posterior: &GaussianProcess) -> Kernel {
        let values: Vec<f64> =
            posterior.kernel().parameters().iter().map(|parameter| parameter.value).collect();
        self.kernel.with_parameters(&values).unwrap_or_else(|_| posterior.kernel().clone())
    }

    /// How the answer tells the mean; `posterior` is mean and variance of the constant's deviation from the
    /// center, where it is known.
    pub(super) fn mean_function(&self, posterior: Option<(f64, f64)>) -> MeanFunction {
        let (shape, constant) = match self.shape {
            MeanShape::Zero => ("zero", false),
            MeanShape::Constant => ("constant", true),
            MeanShape::Linear => ("linear", false),
        };
        MeanFunction {
            shape,
            prior_mean: constant.then_some(self.center),
            prior_sd: constant.then_some(self.sd),
            value: posterior.map(|(mean, _)| self.center + mean),
            sd: posterior.map(|(_, variance)| variance.sqrt()),
        }
    }

    /// Whether the last term of the posterior's kernel is the constant.
    pub(super) fn has_constant(&self) -> bool {
        self.shape == MeanShape::Constant
    }
}

/// The kernel with a variance in front of each term that has none, so that a search can find how large its
/// function is; a term in `fix(..)` stays as it is.
pub(super) fn with_variances(kernel: &Kernel, total: f64) -> Kernel {
    let terms = kernel.terms();
    let each = total / terms.len() as f64;
    let given =
        |term: &Kernel| matches!(term.covariance().structure(), Structure::Fixed(_)) || has_variance(term);
    let complete = |term: &Kernel| {
        if given(term) { Ok(term.clone()) } else { term.clone().scaled(each) }
    };
    let joined = terms.iter().map(complete).collect::<Result<Vec<_>, _>>();
    joined
        .ok()
        .and_then(|terms| terms.into_iter().reduce(|sum, term| sum + term))
        .unwrap_or_else(|| kernel.clone())
}

/// Whether a number in the expression says how large its functions are.
fn has_variance(kernel: &Kernel) -> bool {
    match kernel.covariance().structure() {
        Structure::Scaled(..) => true,
        Structure::Fixed(kernel) => has_variance(kernel),
        Structure::Product(factors) => factors.iter().any(has_variance),
        Structure::Sum(terms) => terms.iter().any(has_variance),
        _ => kernel.parameters().iter().any(|parameter| parameter.name.contains(".variance")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_without_a_variance_get_one() {
        for (given, expected) in [
            ("rbf(1)", "6*rbf(1)"),
            ("2*rbf(1)", "2*rbf(1)"),
            ("2*matern32(10) + periodic(1, 7)", "2*matern32(10) + 3*periodic(1, 7)"),
            ("rbf(1)*periodic(1, 7)", "6*rbf(1)*periodic(1, 7)"),
            ("rbf(1)*(2*periodic(1, 7))", "rbf(1)*(2*periodic(1, 7))"),
            ("rbf(1)*fix(periodic(1, 7))", "6*rbf(1)*fix(periodic(1, 7))"),
            ("fix(rbf(1)) + constant(3)", "fix(rbf(1)) + constant(3)"),
            ("linear() + linear([1, 2]) + wiener()", "2*linear() + linear([1, 2]) + 2*wiener()"),
        ] {
            let kernel: Kernel = given.parse().unwrap();
            assert_eq!(with_variances(&kernel, 6.0).to_string(), expected, "{given}");
        }
    }

    #[test]
    fn a_constant_is_a_term_that_no_search_moves() {
        let kernel: Kernel = "2*rbf(1)".parse().unwrap();
        let prior = Prior::new(kernel.clone(), MeanShape::Constant, 100.0, 3.0);
        let process = prior.process(1).unwrap();
        assert_eq!(process.kernel().to_string(), "2*rbf(1) + fix(constant(9))");
        assert_eq!(process.kernel().parameters(), kernel.parameters());
        assert!(process.mean().parameters().is_empty());
        assert_eq!(prior.kernel(&process), kernel);
    }
}
