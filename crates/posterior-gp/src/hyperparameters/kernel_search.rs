//! Which kernel: a greedy search through sums and products.

mod bases;
mod expression;

use std::collections::BTreeSet;

#[cfg(feature = "rayon")]
use rayon::prelude::*;

pub use bases::{KernelBase, kernel_bases};
use expression::Expression;
use posterior_math::iteration::Silent;
use posterior_math::optimize::LbfgsOptions;

use super::{HyperparameterOptions, Learnable, fit};
use crate::{Error, Kernel};

/// How a kernel is searched for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KernelSearchOptions {
    /// Bases in the expression at most. 4 by default.
    pub depth: usize,
    /// Random starts of each fit, beside the one from the kernel before. 1 by default.
    pub restarts: usize,
    /// The seed of the starts. 0 by default.
    pub seed: u64,
}

impl Default for KernelSearchOptions {
    fn default() -> Self {
        Self { depth: 4, restarts: 1, seed: 0 }
    }
}

/// A kernel that was tried, at its best parameters.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct TriedKernel {
    /// The kernel.
    pub kernel: Kernel,
    /// All parameters of the model on their free scales, those of the kernel first.
    pub free: Vec<f64>,
    /// ln p(y) at these.
    pub ln_evidence: f64,
    /// -2 ln p(y) + p ln n with p parameters: the smaller, the better.
    pub bic: f64,
}

/// What a search found.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct KernelSearch {
    /// The best kernel of each size, in the order of the search: the last one is the best.
    pub path: Vec<TriedKernel>,
    /// How many were tried.
    pub tried: usize,
    /// Whether one base more was tried and is no better; otherwise the depth ended the search.
    pub complete: bool,
}

/// Searches sums and products of base kernels for the one of least BIC.
///
/// The search begins with each base by itself. From the best one so far it tries to add a base, to multiply a
/// term by one, and to put one in the place of another, and goes to the best of these as long as that is
/// better. Every term has a variance of its own. `problem` makes a model of a kernel, whose parameters must
/// be the first of the model; `seen` is called after each fit, from several threads.
///
/// ```
/// use posterior_gp::hyperparameters::{KernelSearchOptions, Regression, kernel_bases, search_kernel};
/// use posterior_gp::{Error, GaussianProcess, Kernel, Noise};
/// use posterior_math::linalg::DMatrix;
///
/// let x = DMatrix::from_fn(40, 1, |i, _| 0.25 * i as f64);
/// let y: Vec<f64> = x.iter().map(|x| (6.2832 * x / 2.5).sin() + 0.02 * (40.0 * x).cos()).collect();
/// let problem = |kernel: &Kernel| -> Result<Regression, Error> {
///     Regression::new(GaussianProcess::new(kernel.clone()), Noise::variance(0.1)?, &x, &y)
/// };
/// let options = KernelSearchOptions { depth: 1, ..KernelSearchOptions::default() };
/// let found = search_kernel(problem, &kernel_bases(&x, &y)?, 1.0, &options, &|_| {})?;
/// assert!(found.path[0].kernel.to_string().contains("periodic"));
/// # Ok::<(), posterior_gp::Error>(())
/// ```
///
/// # References
/// D. Duvenaud et al., Structure discovery in nonparametric regression through compositional kernel search,
/// ICML 2013.
///
/// # Errors
/// If there is no base, or no model for any of them: the reason of the first one.
pub fn search_kernel<L: Learnable>(
    problem: impl Fn(&Kernel) -> Result<L, Error> + Sync,
    bases: &[KernelBase],
    spread: f64,
    options: &KernelSearchOptions,
    seen: &(dyn Fn(&TriedKernel) + Sync),
) -> Result<KernelSearch, Error> {
    let mut known = BTreeSet::new();
    let mut candidates: Vec<Expression> =
        (0..bases.len()).map(|base| Expression::one(bases, base, spread)).collect();
    let mut size = 0;
    let mut found = KernelSearch { path: Vec::new(), tried: 0, complete: false };
    loop {
        candidates.retain(|own| known.insert(own.key()));
        let fits = fits(&problem, &candidates, options, seen);
        found.tried += candidates.len();
        let best = candidates.iter().zip(fits).filter_map(|(own, fit)| Some((own, fit.ok()?)));
        let best = best.min_by(|a, b| a.1.bic.total_cmp(&b.1.bic));
        let Some((expression, best)) = best else {
            found.complete = candidates.is_empty() && size < options.depth;
            break;
        };
        if found.path.last().is_some_and(|before| before.bic <= best.bic) {
            found.complete = size < options.depth;
            break;
        }
        let expression = expression.with_parameters(&best.kernel);
        size = expression.size();
        found.path.push(best);
        candidates = expression.neighbours(bases, spread, size < options.depth);
    }
    if found.path.is_empty() {
        let first = bases.first().ok_or(Error::NoModel)?;
        return Err(problem(&first.kernel).err().unwrap_or(Error::NoModel));
    }
    Ok(found)
}

fn fits<L: Learnable>(
    problem: &(impl Fn(&Kernel) -> Result<L, Error> + Sync),
    candidates: &[Expression],
    options: &KernelSearchOptions,
    seen: &(dyn Fn(&TriedKernel) + Sync),
) -> Vec<Result<TriedKernel, Error>> {
    let options = HyperparameterOptions {
        restarts: options.restarts,
        seed: options.seed,
        search: LbfgsOptions {
            gradient_tolerance: 1e-3,
            value_tolerance: 1e-7,
            max_iterations: 80,
            ..LbfgsOptions::default()
        },
        ..HyperparameterOptions::default()
    };
    let one = |candidate: &Expression| -> Result<TriedKernel, Error> {
        let kernel = candidate.kernel()?;
        let tried = tried(&problem(&kernel)?, &kernel, &options)?;
        seen(&tried);
        Ok(tried)
    };
    #[cfg(feature = "rayon")]
    let all = candidates.par_iter().map(one).collect();
    #[cfg(not(feature = "rayon"))]
    let all = candidates.iter().map(one).collect();
    all
}

fn tried<L: Learnable>(
    problem: &L,
    kernel: &Kernel,
    options: &HyperparameterOptions,
) -> Result<TriedKernel, Error> {
    let report = fit(problem, options, &mut Silent)?.report;
    let free: Vec<f64> = report.parameters.iter().map(|own| own.free).collect();
    let kernel = kernel.with_free_parameters(&free[..kernel.parameters().len()])?;
    let price = free.len() as f64 * (problem.observations() as f64).ln();
    Ok(TriedKernel { kernel, free, ln_evidence: report.ln_evidence, bic: price - 2.0 * report.ln_evidence })
}
