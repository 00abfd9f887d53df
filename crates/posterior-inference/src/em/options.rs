//! How to run EM.

/// How to run EM.
///
/// ```
/// use posterior_inference::em::EmOptions;
///
/// let careful = EmOptions { tolerance: 1e-12, max_iterations: 100_000, ..EmOptions::default() };
/// assert_eq!(careful.tolerance, 1e-12);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EmOptions {
    /// The run converges when a step changes the objective by no more than this proportion of max(1,
    /// |objective|). 10^-9 by default: where EM gains a digit in 100 steps, the objective is then within 10^-7 of its
    /// limit.
    pub tolerance: f64,
    /// The largest number of steps. 1000 by default.
    pub max_iterations: usize,
}

impl Default for EmOptions {
    fn default() -> Self {
        Self { tolerance: 1e-9, max_iterations: 1000 }
    }
}
