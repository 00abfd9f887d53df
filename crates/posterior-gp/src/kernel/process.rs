//! Kernels as Gauss-Markov processes.

use posterior_kalman::continuous::Process;

use super::{Kernel, ProcessOptions, Structure};
use crate::Error;

impl Kernel {
    /// The Gauss-Markov process in one dimension of time with this covariance: its parameters are those of
    /// the kernel, in the same order.
    ///
    /// # Errors
    /// If some part of the expression is not Markov; the error says which and why.
    ///
    /// ```
    /// use posterior_gp::Kernel;
    /// use posterior_gp::kernel::ProcessOptions;
    ///
    /// let kernel = 2.0 * Kernel::matern32(1.5)? + Kernel::wiener();
    /// let process = kernel.process(&ProcessOptions::default())?;
    /// assert_eq!(process.states(), 3);
    /// assert!((process.kernel(1.0, 1.4) - kernel.value(&[1.0], &[1.4])).abs() < 1e-14);
    /// assert!(Kernel::rbf(1.0)?.process(&ProcessOptions::default()).is_err());
    /// # Ok::<(), posterior_gp::Error>(())
    /// ```
    pub fn process(&self, options: &ProcessOptions) -> Result<Process, Error> {
        let of_each = |kernels: &[Self], join: fn(Process, Process) -> Process| {
            let mut processes = kernels.iter().map(|kernel| kernel.process(options));
            let first = processes.next().unwrap_or_else(|| Err(self.not_markov()))?;
            processes.try_fold(first, |all, next| Ok(join(all, next?)))
        };
        match self.covariance().structure() {
            Structure::Sum(terms) => of_each(terms, Process::plus),
            Structure::Product(factors) => of_each(factors, Process::times),
            Structure::Scaled(variance, kernel) => Ok(kernel.process(options)?.scaled(variance)?),
            Structure::Fixed(kernel) => Ok(kernel.process(options)?.fixed()),
            Structure::Leaf => self.covariance().process(options).ok_or_else(|| self.not_markov()),
        }
    }

    fn not_markov(&self) -> Error {
        let reason = match self.label().as_str() {
            "rbf" => "its functions are too smooth; allow an approximation by some states, or take matern52",
            "white" => "it is no function of time; put its variance into the noise",
            "rational_quadratic" => {
                "it is a mixture of infinitely many processes; take a sum of some matern52"
            }
            _ => "no process with finitely many states in one dimension of time has this covariance",
        };
        Error::NotMarkov { kernel: self.to_string(), reason }
    }
}
