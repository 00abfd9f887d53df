//! Collapsed variational Bayes: published numbers, the textbook's update, laws and misuse.

mod exact;
mod fitting;
mod reference;
