//! What a program's density is made of: which statements hold a parameter, and in what way.
//!
//! The program is followed with sets of parameters in the place of numbers: of each value it is known which
//! parameters it depends on, and whether as a polynomial of the first or second degree. No data are needed.

mod conjugate;
mod dependence;
mod expressions;
mod findings;
mod functions;
mod parameters;
mod statements;
mod terms;
mod walker;

pub use findings::{
    ConditionalKind, ExplainedParameter, ExplainedTerm, PriorKind, ProgramExplanation, SummedMixture,
    TextPlace,
};

use crate::program::TypedProgram;
use walker::Walker;

impl TypedProgram {
    /// Reads the structure of the density: for each parameter its priors, what depends on it, and what its
    /// distribution is given the others; mixtures that are summed out by hand.
    ///
    /// Variables are taken as a whole: what holds for one element of an array and not for another is not
    /// claimed. What is claimed holds for all data.
    ///
    /// Cost: a few walks over the program, with the functions that it calls.
    ///
    /// ```
    /// use posterior_stan::{ConditionalKind, PriorKind, Program};
    ///
    /// let text = "
    /// data { int<lower=0> J; vector[J] y; vector<lower=0>[J] sigma; }
    /// parameters { real mu; real<lower=0> tau; vector[J] theta; }
    /// model {
    ///   theta ~ normal(mu, tau);
    ///   y ~ normal(theta, sigma);
    /// }";
    /// let explained = Program::parse(text)?.check()?.explain();
    /// let [mu, tau, theta] = explained.parameters.as_slice() else { panic!("there are three") };
    /// assert_eq!(theta.conditional, ConditionalKind::Gaussian { within: false });
    /// assert_eq!(theta.scales, ["tau"]);
    /// assert_eq!((mu.prior, tau.prior), (PriorKind::Flat, PriorKind::Flat));
    /// assert_eq!(explained.joint, [["mu", "theta"]]);
    /// # Ok::<(), posterior_stan::Diagnostics>(())
    /// ```
    pub fn explain(&self) -> ProgramExplanation {
        let mut walker = Walker::new(self);
        walker.program();
        parameters::explanation(&walker)
    }
}
