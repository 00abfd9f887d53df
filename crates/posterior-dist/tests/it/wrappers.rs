//! Distributions made of distributions: each against the checks of its traits, the formula it stands
//! for, and misuse.

mod mapped;
mod mixture;
mod product;
mod product_family;
mod truncated;

use posterior_dist::{Exponential, Gamma};

fn gamma(shape: f64, rate: f64) -> Gamma {
    Gamma::shape_rate(shape, rate).expect("positive")
}

fn exponential(rate: f64) -> Exponential {
    Exponential::new(rate).expect("positive")
}
