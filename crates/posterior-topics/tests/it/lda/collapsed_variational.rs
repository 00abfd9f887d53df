//! Collapsed variational Bayes: published numbers, the textbook's update, properties and misuse.

mod exact;
mod fitting;
mod reference;
