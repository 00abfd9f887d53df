//! Engines of inference, and drivers of fits that need them.
//!
//! Every [`Engine`] plans first ([`Engine::plan`] tells what a query will cost, before a table is made), then answers with
//! [`Beliefs`]: marginals of all targets, the evidence and how far it can be trusted ([`LnZ`]), and a report. What an
//! engine cannot do, it does not implement: joint posteriors are [`JointEngine`], most probable states [`MapEngine`].
//!
//! *Refuses:* Monte Carlo, which is `posterior-sampling`.

mod additive;
mod ascent;
mod beliefs;
pub mod bound;
mod budget;
pub mod em;
mod engine;
mod enumeration;
mod error;
mod explanation;
pub mod laplace;
mod restarts;
pub mod variational;

pub use additive::Additive;
pub use beliefs::{Beliefs, BeliefsBuilder, LnZ, RunReport};
pub use budget::{Budget, Cost};
pub use engine::{Engine, JointEngine, MapEngine, Targets};
pub use enumeration::{Enumeration, EnumerationPlan};
pub use error::Error;
pub use explanation::Explanation;
pub use restarts::{BestOf, best_of};
