//! Charts as SVG, and reports as one self-contained page.
//!
//! A chart is a function from numbers to a [`Picture`], which is text. A [`Page`] opens with the answer, then
//! shows the picture, then the numbers, then how to make them again; it needs no network and no script,
//! follows the reader's light or dark theme, and fits a phone.
//!
//! ```
//! use posterior_report::{Figure, Page, trace};
//!
//! let chains = [vec![0.1, 0.4, -0.2, 0.3], vec![0.2, -0.1, 0.0, 0.5]];
//! let mut page = Page::new("Markov chains", "The chains agree");
//! page.lead = Some(Figure::new(trace("mu", &chains), "The draws of mu, in their order."));
//! page.facts.push(("Chains".to_owned(), "2".to_owned()));
//! assert!(page.html().starts_with("<!doctype html>"));
//! ```
//!
//! | function | shows |
//! |---|---|
//! | [`trace`] | draws of several chains in their order |
//! | [`rank_histogram`] | how the ranks of each chain's draws spread among those of all |
//! | [`autocorrelation`] | how long chains remember |
//! | [`correlogram`] | the correlation of values with those before them |
//! | [`ecdf_difference`], [`small_ecdf_difference`] | the difference of two distribution functions, with a band |
//! | [`histogram`], [`small_histogram`], [`density`] | where the values are |
//! | [`ribbons`] | functions with their bands, over the data |
//! | [`field`] | a function over a plane, and points in it |
//! | [`heat_map`] | numbers between two lists of names |
//! | [`scatter`], [`pairs`] | points by their groups, with ellipses around these |
//! | [`intervals`] | estimates with their intervals |
//! | [`bars`] | numbers in their order |
//! | [`reliability`] | predicted probabilities against frequencies |
//! | [`path`] | a walk through two coordinates |
//! | [`Stacked`] | proportions over time, on top of each other |
//!
//! Numbers go in, text comes out: nothing is estimated here, and no file is touched. Numbers that are not
//! finite are left out of a chart.

mod autocorrelation;
mod axes;
mod bars;
mod correlogram;
mod ecdf;
mod field;
mod heat_map;
mod histogram;
mod intervals;
mod number;
mod page;
mod pairs;
mod palette;
mod path;
mod picture;
mod ranks;
mod reliability;
mod ribbon;
mod scatter;
mod stacked;
mod stretch;
mod style;
mod svg;
mod trace;

pub use autocorrelation::autocorrelation;
pub use bars::bars;
pub use correlogram::correlogram;
pub use ecdf::{BandPoint, ecdf_difference, small_ecdf_difference};
pub use field::{Field, FieldDot, Side, field};
pub use heat_map::heat_map;
pub use histogram::{density, histogram, small_histogram};
pub use intervals::{Interval, intervals, shrinkage};
pub use number::{grouped, short};
pub use page::{Body, Card, Figure, Page, PageTable, Section, TableColumn};
pub use pairs::pairs;
pub use palette::colour;
pub use path::path;
pub use picture::Picture;
pub use ranks::rank_histogram;
pub use reliability::{ReliabilityPoint, reliability};
pub use ribbon::{Ribbon, ribbons, ribbons_marked};
pub use scatter::{Ellipse, scatter};
pub use stacked::{Stacked, StackedLayer};
pub use stretch::{EVENT_SHADE, Stretch, draw_events, events_height};
pub use style::{CHART_STYLE, PAGE_STYLE, standalone};
pub use svg::{Scale, escape, line_to};
pub use trace::trace;
