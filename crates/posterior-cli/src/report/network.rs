//! The report about a network: a picture with posteriors in its nodes, and the page around it.

mod drawing;
mod layout;
mod page;

pub(crate) use drawing::{Mark, Node, Picture, Row};
pub(crate) use page::begin;
