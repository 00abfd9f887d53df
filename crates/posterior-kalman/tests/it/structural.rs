//! Structural series: the distributions of their components, known likelihoods, derivatives, and their texts.
#![expect(
    clippy::unwrap_used,
    clippy::cast_possible_wrap,
    reason = "a test fails by panicking; exponents are small"
)]

mod arima;
mod autoregressions;
mod classics;
mod components;
mod derivatives;
mod texts;

use posterior_kalman::structural::{SeriesComponent, Structural};
use posterior_kalman::{FilterOptions, Series, Smoothed, filter};

fn smooth(model: &Structural, series: &Series) -> Smoothed {
    let states = model.state_space().unwrap();
    filter(&states, series, &FilterOptions::default()).unwrap().smooth(&states).unwrap()
}

/// One component and noise.
fn alone(component: SeriesComponent, noise: f64) -> Structural {
    Structural::new(vec![component], noise).unwrap()
}
