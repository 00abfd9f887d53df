//! Hidden Markov models by Gibbs sampling: draws of paths and parameters from their posterior.
//!
//! [`HmmGibbs`] draws the parameters given the paths by conjugacy, and the paths given the parameters as a
//! whole, by forward filtering and backward sampling. [`sample`] runs several chains and keeps the
//! parameters; [`posterior_latent::gibbs::sample`] takes the same sampler and keeps which positions are in
//! one state.
//!
//! Under equal priors the posterior does not know what states are called: chains may change their names
//! (label switching), and then means of parameters over draws mean nothing. Functions that do not depend on
//! names do: predictive densities, partitions of the positions. Where states are well apart,
//! [`HmmDraws::sorted_by`] gives them names by their emissions.
//!
//! ```
//! use posterior_dist::{Moments, Normal, NormalInverseGamma};
//! use posterior_sampling::Run;
//! use posterior_sequence::bayesian::{BayesianHmm, Observed};
//! use posterior_sequence::gibbs::{HmmGibbs, sample};
//!
//! let numbers = [vec![Some(-1.2), Some(-0.8), None, Some(-1.1), Some(3.2), Some(2.7), Some(3.1), Some(2.9), Some(-1.0), Some(-0.9)]];
//! let data = Observed::with_gaps(&numbers);
//! let prior = NormalInverseGamma::new(0.0, 0.1, 2.0, 0.5)?;
//! let model = BayesianHmm::<Normal, _>::symmetric(2, 1.0, prior, ())?;
//! let sampler = HmmGibbs::new(&model, &data)?;
//! let run = Run { warm_up: 100, draws: 250, seed: 3, ..Run::default() };
//! let draws = sample(&sampler, &run)?.sorted_by(|distribution: &Normal| distribution.mean().unwrap_or(f64::NAN));
//! let means = draws.numbers(vec!["low".into(), "high".into()], |draw| {
//!     draw.emissions.iter().map(|distribution| distribution.mean().unwrap_or(f64::NAN)).collect()
//! })?;
//! let high = means.named("high").unwrap_or_default().concat();
//! assert!((high.iter().sum::<f64>() / high.len() as f64 - 2.95).abs() < 0.3);
//! # Ok::<(), posterior_sequence::Error>(())
//! ```
//!
//! # References
//! S. Chib, Calculating posterior distributions and modal estimates in Markov mixture models, J. Econometrics
//! 75 (1996). S. L. Scott, Bayesian methods for hidden Markov models, JASA 97 (2002). A. Jasra, C. C. Holmes,
//! D. A. Stephens, Markov chain Monte Carlo methods and the label switching problem, Statistical Science 20
//! (2005).

mod draws;
mod sampler;

pub use draws::{HmmDraws, sample};
pub use sampler::{HmmGibbs, HmmGibbsState};
