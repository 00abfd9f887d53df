//! Contextual bandits: which arm, when something is known of the case.
//!
//! Every arm has a Bayesian linear regression of its reward on the context ([`LinearArm`]), renewed in O(d²)
//! after each play. [`LinearPolicy`] plays by upper bounds (LinUCB) or by draws (linear Thompson sampling).
//! [`off_policy`] says what another policy would have earned, from the records of the one that was played.
//!
//! ```
//! use posterior_decision::contextual::{ArmChoice, LinearPolicy};
//! use posterior_dist::stream::stream;
//!
//! let mut rng = stream(0, &[]);
//! let mut agent = LinearPolicy::new(ArmChoice::UpperBound { width: 1.0 }).start(2, 2)?;
//! for case in 0..200 {
//!     // The second arm is better where the second feature is positive.
//!     let context = [1.0, f64::from(case % 7) - 3.0];
//!     let arm = agent.choose(&context, &mut rng)?;
//!     agent.observe(arm, &context, if arm == 1 { context[1] } else { 0.0 })?;
//! }
//! assert_eq!((agent.choose(&[1.0, 2.0], &mut rng)?, agent.choose(&[1.0, -2.0], &mut rng)?), (1, 0));
//! # Ok::<(), posterior_decision::Error>(())
//! ```
//!
//! # References
//! L. Li, W. Chu, J. Langford, R. Schapire, A contextual-bandit approach to personalized news article
//! recommendation, WWW 2010. S. Agrawal, N. Goyal, Thompson sampling for contextual bandits with linear
//! payoffs, ICML 2013.

mod linear_arm;
mod linear_policy;
pub mod off_policy;

pub use linear_arm::LinearArm;
pub use linear_policy::{ArmChoice, LinearAgent, LinearPolicy};
