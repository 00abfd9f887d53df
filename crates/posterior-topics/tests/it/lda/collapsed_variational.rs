//! Collapsed variational Bayes: published numbers, the textbook's update, distributions and misuse.

mod exact;
mod fitting;
mod reference;
