//! How a kernel was found.

use serde::Serialize;

use crate::output::significant;

/// How a kernel was found.
#[derive(Debug, Clone, Serialize)]
pub(super) struct KernelPath {
    /// Kernels that were fitted.
    pub(super) tried: usize,
    /// The rows that the search saw.
    pub(super) rows: usize,
    /// Whether a larger kernel was tried and is no better; otherwise the depth ended the search.
    pub(super) complete: bool,
    /// From kernel to kernel; the last one was taken.
    pub(super) path: Vec<Step>,
}

/// A kernel on the way.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Step {
    pub(super) kernel: String,
    /// -2 ln p(y) and the logarithm of the number of rows for each parameter: the smaller, the better.
    pub(super) bic: f64,
    pub(super) ln_marginal_likelihood: f64,
}

impl KernelPath {
    /// The way in lines: a header, and rows.
    pub(super) fn table(&self) -> (Vec<&'static str>, Vec<Vec<String>>) {
        let row = |own: &Step| {
            vec![own.kernel.clone(), significant(own.bic), significant(own.ln_marginal_likelihood)]
        };
        (vec!["kernel", "BIC", "ln marginal likelihood"], self.path.iter().map(row).collect())
    }

    /// What the search did.
    pub(super) fn summary(&self, all: usize) -> String {
        let rows =
            if self.rows < all { format!(" on {} of the {all} rows", self.rows) } else { String::new() };
        let end = if self.complete {
            "one base more is no better"
        } else {
            "its size is at --kernel-depth, and a larger one was not tried"
        };
        format!("{} kernels were fitted{rows}, and the one of least BIC was taken: {end}.", self.tried)
    }
}
