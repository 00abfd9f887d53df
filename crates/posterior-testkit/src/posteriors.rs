//! Ten posteriors of posteriordb with the reference draws of Stan: what a sampler must find.
//!
//! Data and draws are in the [shared folder](crate::shared); the densities are here, on free coordinates,
//! with gradients that were derived by hand. Each is also written as a
//! [`JointModel`](posterior_dist::target::JointModel), term by term as the model says, of which automatic
//! differentiation gives the gradient: the oracle of the first.
//!
//! ```
//! use posterior_dist::target::Target;
//! use posterior_testkit::posteriors::Posterior;
//!
//! if let Some(posterior) = Posterior::load("example", "kidiq-kidscore_momiq") {
//!     let mode = posterior.model.unconstrain(&[26.0, 0.6, 18.0]);
//!     assert!(posterior.model.ln_density(&mode)? > posterior.model.ln_density(&[0.0; 3])?);
//! }
//! # Ok::<(), posterior_dist::target::EvalError>(())
//! ```
//!
//! # References
//! M. Magnusson et al., posteriordb: testing, benchmarking and developing Bayesian inference algorithms,
//! AISTATS 2025.

mod designs;
mod eight_schools;
mod gaussian_process;
mod linear_regression;
mod mixture;
mod model;
mod reference;
mod scale_prior;
#[cfg(test)]
mod tests;

pub use eight_schools::EightSchools;
pub use gaussian_process::GaussianProcess;
pub use linear_regression::LinearRegression;
pub use mixture::TwoNormals;
pub use model::{Model, Parameters};
pub use reference::Reference;
pub use scale_prior::ScalePrior;

use serde_json::Value;

use crate::shared::shared_file;

/// The posteriors, by the names of posteriordb.
pub const NAMES: [&str; 10] = [
    "arK-arK",
    "earnings-logearn_interaction",
    "eight_schools-eight_schools_noncentered",
    "gp_pois_regr-gp_regr",
    "kidiq-kidscore_interaction",
    "kidiq-kidscore_momiq",
    "low_dim_gauss_mix-low_dim_gauss_mix",
    "mesquite-logmesquite",
    "nes1980-nes",
    "sblrc-blr",
];

/// A posterior and what is known about it.
#[derive(Debug)]
pub struct Posterior {
    /// The density on free coordinates.
    pub model: Box<dyn Model>,
    /// Draws and moments of the parameters.
    pub reference: Reference,
}

impl Posterior {
    /// The posterior of this name, one of [`NAMES`]; where the shared folder lacks it, says so and that
    /// `test` was skipped.
    ///
    /// # Panics
    /// If there is no such posterior, or the file can't be read.
    #[track_caller]
    pub fn load(test: &str, name: &str) -> Option<Self> {
        let path = shared_file(test, &format!("data/posteriors/{name}.json"))?;
        let text = std::fs::read_to_string(&path)
            .unwrap_or_else(|error| fail(&format!("{}: {error}", path.display())));
        let file: Value =
            serde_json::from_str(&text).unwrap_or_else(|error| fail(&format!("{name}: {error}")));
        Some(Self { model: model(name, &file["data"]), reference: Reference::read(&file) })
    }
}

fn model(name: &str, data: &Value) -> Box<dyn Model> {
    match name {
        "eight_schools-eight_schools_noncentered" => {
            Box::new(EightSchools::new(column(data, "y"), column(data, "sigma")))
        }
        "gp_pois_regr-gp_regr" => Box::new(GaussianProcess::new(&column(data, "x"), column(data, "y"))),
        "low_dim_gauss_mix-low_dim_gauss_mix" => Box::new(TwoNormals::new(column(data, "y"))),
        _ => Box::new(designs::regression(name, data)),
    }
}

/// The numbers of the list `key`.
#[track_caller]
fn column(data: &Value, key: &str) -> Vec<f64> {
    let numbers = data[key].as_array().and_then(|list| list.iter().map(Value::as_f64).collect());
    numbers.unwrap_or_else(|| fail(&format!("{key} is not a list of numbers")))
}

#[track_caller]
#[expect(clippy::panic, reason = "a broken file fails the test that reads it")]
fn fail(message: &str) -> ! {
    panic!("posterior: {message}")
}
