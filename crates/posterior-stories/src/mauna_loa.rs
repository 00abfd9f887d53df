//! Carbon dioxide over Mauna Loa, taken apart: regression with a sum of kernels.
//!
//! Four kernels are fitted to the months of 1959 to 1989, and asked for the four years that follow each of
//! six dates: where a kernel does not know the future, its band has to say so. The best one is then fitted to
//! all months, and its terms are looked at one by one.

mod page;
mod parts;
mod rivals;
mod routes;

use std::io::Write;

use posterior::datasets::series::CO2;
use posterior::gp::hyperparameters::HyperparameterOptions;
use posterior::gp::{Kernel, Noise};
use posterior::math::linalg::DMatrix;
use posterior::math::optimize::LbfgsOptions;

use crate::{Ending, Outcome, Sources};

/// Times are counted from here, so that the weights of a line are those of this year.
const ORIGIN: f64 = 1980.0;
/// Parameters are fitted to the months before.
const FITTED_BEFORE: f64 = 1990.0;
/// The variance of an instrument that is right to 0.1 ppm; what else differs from month to month is to be
/// fitted.
const INSTRUMENT: f64 = 0.01;
/// The variance of a constant, wide enough for any level.
const LEVEL: f64 = 1e5;

/// Months with their values.
struct Months {
    inputs: DMatrix<f64>,
    values: Vec<f64>,
}

impl Months {
    /// Each `step`-th month that is wanted.
    fn those(step: usize, wanted: impl Fn(f64) -> bool) -> Self {
        let kept = || CO2.times().zip(CO2.values).step_by(step).filter(|(time, _)| wanted(*time));
        let times: Vec<f64> = kept().map(|(time, _)| time - ORIGIN).collect();
        Self {
            values: kept().map(|(_, value)| *value).collect(),
            inputs: DMatrix::from_vec(times.len(), 1, times),
        }
    }
}

/// Tells the story.
///
/// # Errors
/// If `out` cannot be written.
pub fn tell(out: &mut dyn Write, sources: &Sources) -> Outcome<Ending> {
    let (candidates, step) = (candidates()?, sources.either(1, 4));
    let rivals = rivals::compared(out, &candidates, step)?;
    let parts = parts::taken_apart(out, &candidates[3].1, step)?;
    let mut page = page::page(&parts, rivals)?;
    routes::compared(out, &mut page)?;
    Ok(Ending::Completed(page))
}

/// Kernels from the naive to the one of Rasmussen and Williams, section 5.4.3, here with a constant and a
/// line of unknown weights.
fn candidates() -> Outcome<Vec<(&'static str, Kernel)>> {
    let trend = || -> Outcome<Kernel> { Ok(2000.0 * Kernel::rbf(50.0)?) };
    let rough = || -> Outcome<Kernel> { Ok(100.0 * Kernel::matern32(20.0)?) };
    let season = || -> Outcome<Kernel> { Ok(6.0 * (Kernel::rbf(90.0)? * Kernel::periodic(1.3, 1.0)?)) };
    let years = || -> Outcome<Kernel> { Ok(0.4 * Kernel::rational_quadratic(1.2, 0.8)?) };
    let weather = || -> Outcome<Kernel> { Ok(0.03 * Kernel::rbf(0.13)?) };
    let line =
        || -> Outcome<Kernel> { Ok(Kernel::constant(LEVEL)?.fixed() + 1.0 * Kernel::linear().fixed()) };
    Ok(vec![
        ("one RBF", 100.0 * Kernel::rbf(1.0)?),
        ("trend and strict season", trend()? + 6.0 * Kernel::periodic(1.3, 1.0)?),
        ("smooth trend, season, years, weather", trend()? + season()? + years()? + weather()?),
        ("line, rough trend, season, weather", line()? + rough()? + season()? + weather()?),
    ])
}

fn options() -> HyperparameterOptions {
    let search = LbfgsOptions {
        gradient_tolerance: 1e-5,
        value_tolerance: 1e-9,
        max_iterations: 500,
        ..LbfgsOptions::default()
    };
    HyperparameterOptions { search, restarts: 1, seed: 1, ..HyperparameterOptions::default() }
}

fn noise() -> Outcome<Noise> {
    Ok(Noise::known(INSTRUMENT)?.plus_variance(0.04)?)
}
