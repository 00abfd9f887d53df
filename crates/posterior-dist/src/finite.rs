//! Finite probability: events and conditioning, Bayes' rule, sigma-algebras, information.
//!
//! A family has two children. What is the probability that both are boys?
//!
//! ```
//! use posterior_dist::finite::FiniteSpace;
//!
//! // The outcomes 0 to 3: bit 0 says that the older is a boy, bit 1 that the younger is.
//! let families = FiniteSpace::uniform(4)?;
//! let both = families.event("both are boys", |family| family == 3);
//! let older = families.event("the older is a boy", |family| family & 1 == 1);
//! let one = families.event("one is a boy", |family| family != 0);
//! assert_eq!(families.probability(&both), 0.25);
//! assert_eq!(families.conditional(&both, &older)?, 0.5);
//! assert!((families.conditional(&both, &one)? - 1.0 / 3.0).abs() < 1e-15);
//!
//! // One of them is a boy born on a Tuesday: 14 x 14 families.
//! let families = FiniteSpace::uniform(196)?;
//! let boy = |child: usize| child < 7;
//! let both = families.event("both are boys", |family| boy(family / 14) && boy(family % 14));
//! let tuesday = families.event("a boy born on a Tuesday", |family| family / 14 == 1 || family % 14 == 1);
//! assert!((families.conditional(&both, &tuesday)? - 13.0 / 27.0).abs() < 1e-15);
//!
//! let nobody = families.event("nobody", |_| false);
//! let error = families.conditional(&both, &nobody).expect_err("impossible");
//! assert_eq!(error.to_string(), "the evidence \"nobody\" has probability 0");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bayes;
mod event;
pub mod information;
mod sigma_algebra;
mod space;

pub use bayes::bayes;
pub use event::Event;
pub use sigma_algebra::SigmaAlgebra;
pub use space::{FiniteSpace, ZeroEvidence};
