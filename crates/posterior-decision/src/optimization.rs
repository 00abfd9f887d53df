//! Bayesian optimisation: where to look next for the least value of a costly function.
//!
//! An [`Optimizer`] is asked for a point and given what came out there. A Gaussian process says what is
//! believed of the function, and an [`Acquisition`] what a trial is worth:
//!
//! | rule | takes the point with |
//! |---|---|
//! | [`LnExpectedImprovement`], [`ExpectedImprovement`] | the largest expected gain over the best value; the logarithm can be climbed everywhere |
//! | [`ProbabilityOfImprovement`] | the most probable gain |
//! | [`GpUcb`] | the lowest end of a confidence band |
//! | [`ThompsonAcquisition`] | the minimum of a function drawn from the posterior |
//! | [`MaxValueEntropy`] | the most information about the least value |
//! | [`KnowledgeGradient`] | the largest expected fall of the least posterior mean |
//!
//! ```
//! use posterior_decision::optimization::{Axis, LnExpectedImprovement, Optimizer, OptimizerOptions, Space};
//!
//! let space = Space::new(&[Axis::Real { lower: -2.0, upper: 4.0 }])?;
//! let mut optimizer = Optimizer::new(space, OptimizerOptions::default())?;
//! for _ in 0..12 {
//!     let point = optimizer.ask(&LnExpectedImprovement)?;
//!     let x = point[0];
//!     optimizer.tell(&point, (x - 1.0) * (x - 1.0) + (3.0 * x).sin())?;
//! }
//! let best = optimizer.best().unwrap();
//! assert!((best.1 + 0.733_83).abs() < 1e-3); // the least value is at x = 1.4656
//! # Ok::<(), posterior_decision::Error>(())
//! ```
//!
//! A trial may give more than the value: outcomes that must keep a bound which nobody can compute beforehand
//! ([`OutcomeConstraint`]). The first three rules weigh a gain by the probability that all bounds are kept.
//!
//! ```
//! use posterior_decision::optimization::{
//!     Axis, LnExpectedImprovement, Optimizer, OptimizerOptions, OutcomeConstraint, OutcomeNoise, Space,
//! };
//!
//! // The least x + y where x² + y² is at least 1: at (1, 0) and (0, 1).
//! let space = Space::new(&[Axis::Real { lower: 0.0, upper: 2.0 }; 2])?;
//! let circle = OutcomeConstraint { bound: -1.0, noise: OutcomeNoise::None };
//! let options = OptimizerOptions { constraints: vec![circle], ..OptimizerOptions::default() };
//! let mut optimizer = Optimizer::new(space, options)?;
//! for _ in 0..20 {
//!     let point = optimizer.ask(&LnExpectedImprovement)?;
//!     let (x, y) = (point[0], point[1]);
//!     optimizer.tell_constrained(&point, x + y, &[-x * x - y * y])?;
//! }
//! assert!((optimizer.best().unwrap().1 - 1.0).abs() < 0.02);
//! # Ok::<(), posterior_decision::Error>(())
//! ```
//!
//! # How it is checked
//! Formulas against figures of 60 digits, far into their tails; identities of expected improvement. On
//! Branin's function 25 trials come closer to the least value than 100 random ones with each rule: the median
//! over five seeds is off by 0.0004 with Thompson's, by 0.02 with expected improvement and by 0.18 with two
//! standard deviations, which explore most. 60 trials find the least value of Hartmann's function of six
//! variables to 1.5 10⁻⁴ in the median of twenty seeds.
//!
//! The knowledge gradient against integrals over all outcomes of a trial, with a posterior for each; gains
//! under bounds against draws. On a plane with two bounds that nobody knows (Gramacy et al., Technometrics
//! 58, 2016) 30 trials come within 0.001 of the least value, 0.5998, in the median of three seeds.
//!
//! # References
//! P. Frazier, A tutorial on Bayesian optimization, 2018; R. Garnett, Bayesian Optimization, 2023.

mod acquisition;
mod optimizer;
mod options;
mod search;
mod space;
mod surrogate;

pub use self::acquisition::{
    Acquisition, AcquisitionScore, BetaSchedule, ConstraintState, ExpectedImprovement, GpUcb,
    KnowledgeGradient, LnExpectedImprovement, MaxValueEntropy, ProbabilityOfImprovement, ThompsonAcquisition,
    TrialState, expected_improvement, knowledge_gradient, ln_expected_improvement, ln_knowledge_gradient,
    moments, probability_of_improvement,
};
pub use self::optimizer::{Optimizer, Recommendation, Trial, TrialOutcome};
pub use self::options::{OptimizerOptions, OutcomeConstraint, OutcomeNoise};
pub use self::space::{Axis, LinearConstraint, Space};
pub use self::surrogate::Surrogate;
