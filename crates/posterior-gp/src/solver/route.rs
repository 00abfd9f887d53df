//! The choice of a route.

use posterior_math::linalg::DMatrix;

use crate::iterative::IterativeOptions;
use crate::markov::MarkovOptions;
use crate::sparse::SparseApproximation;
use crate::{Error, GaussianProcess, Noise};

/// The largest number of observations for which a dense matrix is formed without being asked for: 2.4 GB for
/// three of them.
pub const LARGEST_DENSE: usize = 10_000;

/// So many observations a dense factor takes in a moment, and its posterior can do more than any other.
const SMALL: usize = 1000;

/// How many inducing inputs are taken without being asked for.
const INDUCING: usize = 500;

/// How to compute a posterior.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub enum Solver {
    /// Whatever suits the kernel and the number of observations. The default.
    #[default]
    Auto,
    /// A Cholesky factor of the whole matrix, up to [`LARGEST_DENSE`] observations.
    Dense,
    /// A Cholesky factor of the whole matrix, however large.
    DenseOfAnySize,
    /// Filter and smoother.
    Markov(MarkovOptions),
    /// Inducing inputs, chosen among the inputs.
    Sparse {
        /// How many.
        inducing: usize,
        /// Which approximation.
        approximation: SparseApproximation,
    },
    /// Conjugate gradients.
    Iterative(IterativeOptions),
}

/// A route that was chosen, and why.
#[derive(Debug, Clone, PartialEq)]
pub struct Route {
    pub(super) solver: Solver,
    reason: String,
}

impl Route {
    /// The solver: never [`Solver::Auto`].
    pub const fn solver(&self) -> &Solver {
        &self.solver
    }

    /// Why it was chosen: a sentence for a report.
    pub fn reason(&self) -> &str {
        &self.reason
    }

    /// One word: dense, markov, sparse, iterative.
    pub const fn name(&self) -> &'static str {
        match self.solver {
            Solver::Auto | Solver::Dense | Solver::DenseOfAnySize => "dense",
            Solver::Markov(_) => "markov",
            Solver::Sparse { .. } => "sparse",
            Solver::Iterative(_) => "iterative",
        }
    }
}

impl Solver {
    /// The route for this prior, these inputs and this noise.
    ///
    /// # Errors
    /// If a dense matrix is asked for and too large, with the estimate and the alternatives; if the Markov
    /// route is asked for and the kernel is not Markov, with the reason; if there are known noise variances,
    /// and not one for each input.
    pub fn route(
        &self,
        process: &GaussianProcess,
        inputs: &DMatrix<f64>,
        noise: &Noise,
    ) -> Result<Route, Error> {
        let n = inputs.nrows();
        let asked = |solver: Self| Ok(Route { solver, reason: "it was asked for".into() });
        match *self {
            Self::Dense if n > LARGEST_DENSE => Err(too_large(n)),
            Self::Markov(options) => {
                posterior_math::check::dimension(
                    "coordinates of inputs of a Markov process",
                    1,
                    inputs.ncols(),
                )?;
                process.kernel().process(&options.process)?;
                asked(*self)
            }
            Self::Auto => automatic(process, inputs, noise),
            _ => asked(*self),
        }
    }
}

fn automatic(process: &GaussianProcess, inputs: &DMatrix<f64>, noise: &Noise) -> Result<Route, Error> {
    let n = inputs.nrows();
    if n <= SMALL {
        let reason = format!("{n} observations are few enough for an exact dense factor");
        return Ok(Route { solver: Solver::Dense, reason });
    }
    let options = MarkovOptions::default();
    let not_markov = if inputs.ncols() == 1 {
        match process.kernel().process(&options.process) {
            // A step costs some s³ operations, of which a dense factor has n²/3 for each observation.
            Ok(markov) if 30.0 * (markov.states() as f64).powi(3) < (n as f64).powi(2) => {
                let states = markov.states();
                let reason = format!(
                    "the kernel is that of a Markov process with {states} states: exact in {n} steps of a filter"
                );
                return Ok(Route { solver: Solver::Markov(options), reason });
            }
            Ok(markov) => format!("its Markov process would have {} states", markov.states()),
            Err(error) => error.to_string(),
        }
    } else {
        "there is more than one input".into()
    };
    if n <= LARGEST_DENSE {
        let reason = format!("an exact dense factor, since {not_markov}");
        return Ok(Route { solver: Solver::Dense, reason });
    }
    if noise.variances(n)?.iter().any(|&variance| !(variance > 0.0)) {
        return Err(too_large(n));
    }
    let solver = Solver::Sparse { inducing: INDUCING, approximation: SparseApproximation::Variational };
    let reason = format!(
        "{n} observations are too many for a dense factor, and {not_markov}: approximated by {INDUCING} inducing \
         inputs, with a lower bound of the evidence"
    );
    Ok(Route { solver, reason })
}

fn too_large(rows: usize) -> Error {
    let n = rows as f64;
    Error::TooLarge {
        rows,
        gigabytes: 3.0 * n * n * 8.0 / 1e9,
        operations: n * n * n,
        advice: "take inducing inputs, conjugate gradients, or a Markov kernel (matern12, matern32, matern52) if \
                 there is one input",
    }
}
