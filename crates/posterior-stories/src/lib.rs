//! Case studies: what the engines of `posterior` find in data and in games, with numbers and pictures.
//!
//! A story runs from one end of the toolbox to the other: it reads data, learns, asks, compares and says what
//! came out. [`STORIES`] has them all, by name. A story prints what it finds to a writer, and ends with a
//! page:
//!
//! ```
//! use posterior_stories::{Ending, Sources, story};
//!
//! let glasses = story("people_with_glasses").ok_or("no such story")?;
//! let mut findings = Vec::new();
//! let Ending::Completed(page) = glasses.tell(&mut findings, &Sources::embedded())? else { return Ok(()) };
//! let findings = String::from_utf8(findings)?;
//! // Six of ten people, and a uniform prior: 57 in 7 x 8 is the mean of Beta(7, 5).
//! assert!(findings.contains("0.5833"));
//! assert!(page.html().contains("Six of ten"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! `posterior gallery` tells them all and makes an index;
//! `cargo run --release -p posterior-stories --example NAME -- --out DIR` tells one. Data that are texts of
//! others are not embedded: a story that needs them says so and is skipped, unless [`Sources`] has their
//! folder.
//!
//! This crate refuses to hold a method: a story that needs one asks the crate of its chapter for it. It reads
//! no clock but to say how long something took, and every draw has a fixed seed.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod calibration;
mod program;
mod sources;
mod story;
mod table;
mod texts;

pub mod bayesian_optimization;
pub mod burglar_or_earthquake;
pub mod central_limit;
pub mod chunking;
pub mod clusters;
pub mod handwriting;
pub mod letters;
pub mod mauna_loa;
pub mod people_with_glasses;
pub mod punctuation;
pub mod sampler_gallery;
pub mod spam;
pub mod tagging;
pub mod topics_of_history;
pub mod tracking;
pub mod two_classes;
pub mod voting_among_friends;
pub mod which_treatment;

pub use program::run;
pub use sources::Sources;
pub use story::{Ending, Error, Outcome, Story};
pub use table::{STORIES, story};
