//! How to run EM.

/// How to run EM.
///
/// ```
/// use posterior_inference::em::EmOptions;
///
/// let careful = EmOptions::default().with_tolerance(1e-12).with_max_iterations(100_000);
/// assert_eq!(careful.tolerance, 1e-12);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct EmOptions {
    /// The run converges when a step changes the objective by no more than this share of max(1, |objective|). 10^-9 by
    /// default: where EM gains a digit in 100 steps, the objective is then within 10^-7 of its limit.
    pub tolerance: f64,
    /// The largest number of steps. 1000 by default.
    pub max_iterations: usize,
}

impl Default for EmOptions {
    fn default() -> Self {
        Self { tolerance: 1e-9, max_iterations: 1000 }
    }
}

impl EmOptions {
    /// The same options with another tolerance.
    #[must_use]
    pub const fn with_tolerance(self, tolerance: f64) -> Self {
        Self { tolerance, ..self }
    }

    /// The same options with another limit of steps.
    #[must_use]
    pub const fn with_max_iterations(self, max_iterations: usize) -> Self {
        Self { max_iterations, ..self }
    }
}
