//! Influence diagrams: decisions in a network of chances, and what they bring.
//!
//! Chance variables have conditional tables as in a Bayesian network, in which decisions may be parents; a
//! decision is made when the variables before it are known; utilities are tables that add up. What was known
//! at an earlier decision is known at a later one. The best strategy comes from elimination (Jensen, Jensen
//! and Dittmer 1994) in the order of time, from its end: what nobody sees is summed out, a decision is the
//! best of its options given what is known, and so on to the beginning. Every table holds pairs (p, p · u),
//! so that chances and utilities are eliminated together, by
//! [`Expectation`](posterior_pgm::ExpectationSemiring).
//!
//! # Example
//! The oil wildcatter (Raiffa 1968): a seismic test for 10,000 dollars, before a well is drilled for 70,000.
//! ```
//! use posterior_decision::influence_diagram::{Decision, InfluenceDiagram, Utility};
//! use posterior_inference::Budget;
//! use posterior_pgm::{Table, Variables};
//!
//! let variables = Variables::new([
//!     ("oil", vec!["dry", "wet", "soaking"]),
//!     ("test", vec!["no", "yes"]),
//!     ("echo", vec!["none", "open", "closed", "no test"]),
//!     ("drill", vec!["no", "yes"]),
//! ])?;
//! let [oil, test, echo, drill] = ["oil", "test", "echo", "drill"].map(|name| variables.require(name));
//! let [oil, test, echo, drill] = [oil?, test?, echo?, drill?];
//! let none = [0.0, 0.0, 0.0, 1.0];
//! let echoes = [[0.6, 0.3, 0.1, 0.0], [0.3, 0.4, 0.3, 0.0], [0.1, 0.4, 0.5, 0.0]].map(|seen| [none, seen]);
//! let diagram = InfluenceDiagram::new(
//!     variables,
//!     vec![
//!         Table::new(vec![oil], vec![3], vec![0.5, 0.3, 0.2])?,
//!         Table::new(vec![oil, test, echo], vec![3, 2, 4], echoes.concat().concat())?,
//!     ],
//!     vec![Decision::new(test, &[]), Decision::new(drill, &[echo])],
//!     vec![
//!         Utility::new("cost of the test", Table::new(vec![test], vec![2], vec![0.0, -10.0])?),
//!         Utility::new("yield", Table::new(vec![oil, drill], vec![3, 2], vec![0.0, -70.0, 0.0, 50.0, 0.0, 200.0])?),
//!     ],
//! )?;
//! let best = diagram.solve(Budget::available())?;
//! assert!((best.expected_utility() - 22.5).abs() < 1e-12);
//! // Test, and drill where the echo is open or closed.
//! assert_eq!(best.policies()[0].choice(&[]), Some(1));
//! let drilling = &best.policies()[1];
//! assert_eq!([0, 1, 2].map(|echo| drilling.choice(&[1, echo])), [Some(0), Some(1), Some(1)]);
//! // Whoever knew what is below would get 55 on average: 32.5 more than now, as the test would be left out.
//! let more = diagram.value_of_information(oil, drill, Budget::available())?;
//! assert!((more - 32.5).abs() < 1e-12);
//! # Ok::<(), posterior_decision::Error>(())
//! ```
//!
//! *Refuses:* decisions that forget what was known (limited memory), for which elimination is not exact.
//!
//! # References
//! R. Howard and J. Matheson, Influence diagrams, 1984; F. Jensen, F. V. Jensen and S. Dittmer, From
//! influence diagrams to junction trees, UAI 1994; H. Raiffa, Decision Analysis, 1968.

mod diagram;
mod elimination;
mod policy;

pub use diagram::{Decision, InfluenceDiagram, Utility};
pub use policy::{DecisionRule, Strategy};
