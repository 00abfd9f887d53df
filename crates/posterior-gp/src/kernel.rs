//! Kernels: covariances of functions, as expressions.
//!
//! A kernel is made by a constructor of [`Kernel`] or read from a text, and kernels join by `+`, `*` and
//! variances. What a kernel prints, the parser reads: [`KERNELS`] lists the names.
//!
//! | functions | kernels |
//! |---|---|
//! | stationary, of a distance | [`rbf`](Kernel::rbf), [`matern12`](Kernel::matern12), [`matern32`](Kernel::matern32), [`matern52`](Kernel::matern52), [`matern`](Kernel::matern) of any order, [`rational_quadratic`](Kernel::rational_quadratic); each with a length scale for every coordinate too (`_ard`) |
//! | that repeat themselves | [`periodic`](Kernel::periodic), [`cosine`](Kernel::cosine), [`spectral_mixture`](Kernel::spectral_mixture) |
//! | linear in weights | [`constant`](Kernel::constant), [`linear`](Kernel::linear), [`polynomial`](Kernel::polynomial), [`features`](Kernel::features) |
//! | from an origin | [`wiener`](Kernel::wiener), [`integrated_wiener`](Kernel::integrated_wiener) |
//! | of infinitely many units | [`arc_cosine`](Kernel::arc_cosine), [`relu`](Kernel::relu), [`neural_network`](Kernel::neural_network) |
//! | that change from place to place | [`change_point`](Kernel::change_point), [`gibbs`](Kernel::gibbs), [`modulated`](Kernel::modulated), [`warped`](Kernel::warped), [`on`](Kernel::on) some coordinates |
//! | other | [`white`](Kernel::white), [`texts`](Kernel::texts), [`custom`](Kernel::custom) |
//!
//! Parameters are positive and move by their logarithms in fits, except where [`KernelParameter::scale`] says
//! otherwise; those of a [`fixed`](Kernel::fixed) kernel do not move. One kernel is one file: its formula,
//! its constructor, an implementation of [`CovarianceFunction`].

mod arc_cosine;
mod change_point;
mod constant;
mod cosine;
mod covariance;
mod custom;
mod features;
mod fixed;
mod gibbs;
mod gram;
mod linear;
mod matern;
mod matern_any;
mod modulated;
mod neural_network;
mod parameter;
mod periodic;
mod polynomial;
mod process;
mod product;
mod rational_quadratic;
mod rbf;
mod scaled;
mod spectral_distribution;
mod spectral_mixture;
mod spectrum;
mod stationary;
mod sum;
mod text;
mod texts;
mod tile;
mod transformed;
mod white;
mod wiener;

pub use covariance::{CovarianceFunction, ProcessOptions, Structure};
pub use features::FeatureFunctions;
pub use parameter::{FreeScale, KernelParameter};
pub use spectral_distribution::SpectralDistribution;
pub use text::{KERNELS, KernelEntry};
pub use tile::{InputTile, Tile};

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use posterior_math::check::{DimensionError, ParamError};
use posterior_math::linalg::DMatrix;

use crate::Error;

/// A covariance function k(x, x'), as an expression of other ones.
///
/// Cloning is cheap. Two kernels are equal if they print alike.
#[derive(Clone)]
pub struct Kernel {
    covariance: Arc<dyn CovarianceFunction>,
}

impl Kernel {
    /// A covariance function of your own.
    pub fn new(covariance: impl CovarianceFunction + 'static) -> Self {
        Self { covariance: Arc::new(covariance) }
    }

    /// What the expression is made of.
    pub fn covariance(&self) -> &dyn CovarianceFunction {
        &*self.covariance
    }

    /// k(x, x').
    ///
    /// # Panics
    /// If an input has fewer or more coordinates than the kernel.
    pub fn value(&self, x: &[f64], y: &[f64]) -> f64 {
        self.covariance.value(x, y)
    }

    /// ∂k(x, x')/∂φ for each parameter on its free scale φ.
    ///
    /// # Panics
    /// If an input has fewer or more coordinates than the kernel.
    pub fn gradient(&self, x: &[f64], y: &[f64]) -> Vec<f64> {
        let mut gradient = vec![0.0; self.covariance.number_of_parameters()];
        self.covariance.gradient(x, y, &mut gradient);
        gradient
    }

    /// ∂k(x, x')/∂x for each coordinate; `None` if a part of the kernel does not know it.
    ///
    /// Kernels of a distance, periodic, linear and constant ones know it, and so do their sums, products and
    /// multiples.
    ///
    /// # Panics
    /// If an input has fewer or more coordinates than the kernel.
    pub fn input_slope(&self, x: &[f64], y: &[f64]) -> Option<Vec<f64>> {
        let weighted = |parts: &mut dyn Iterator<Item = (f64, &Self)>| {
            let mut sum = vec![0.0; x.len()];
            for (weight, part) in parts {
                let own = part.input_slope(x, y)?;
                sum.iter_mut().zip(own).for_each(|(sum, own)| *sum += weight * own);
            }
            Some(sum)
        };
        match self.covariance.structure() {
            Structure::Leaf => self.covariance.input_slope(x, y),
            Structure::Sum(terms) => weighted(&mut terms.iter().map(|term| (1.0, term))),
            Structure::Product(factors) => {
                let values: Vec<f64> = factors.iter().map(|factor| factor.value(x, y)).collect();
                let others = |i: usize| [&values[..i], &values[i + 1..]].concat().iter().product::<f64>();
                weighted(&mut factors.iter().enumerate().map(|(i, factor)| (others(i), factor)))
            }
            Structure::Scaled(variance, kernel) => weighted(&mut std::iter::once((variance, kernel))),
            Structure::Fixed(kernel) => kernel.input_slope(x, y),
        }
    }

    /// Whether these inputs, one a row, can be inputs of this kernel.
    ///
    /// # Errors
    /// If they have another number of coordinates, a number is not finite, or lies outside the domain, as a
    /// time before the origin of a Wiener process does.
    pub fn check(&self, inputs: &DMatrix<f64>) -> Result<(), Error> {
        let found = inputs.ncols();
        match self.covariance.dimension() {
            Some(expected) if expected != found => {
                return Err(DimensionError::new("coordinates of an input", expected, found).into());
            }
            _ => {}
        }
        if let Some(place) = inputs.iter().position(|value| !value.is_finite()) {
            let row = place % inputs.nrows();
            return Err(Error::NotFinite { what: "input", row, value: inputs[place] });
        }
        self.covariance.check(inputs)
    }

    /// The parameters that a fit may move, in the order of the expression.
    ///
    /// Their names differ: where a kernel occurs more than once, they are numbered as `1.rbf.length_scale`,
    /// `2.rbf.length_scale`.
    pub fn parameters(&self) -> Vec<KernelParameter> {
        let mut parameters = self.covariance.parameters();
        let names: Vec<String> = parameters.iter().map(|parameter| parameter.name.clone()).collect();
        let mut seen = BTreeMap::<&str, usize>::new();
        for (parameter, name) in parameters.iter_mut().zip(&names) {
            let number = seen.entry(name).or_default();
            *number += 1;
            if names.iter().filter(|other| *other == name).count() > 1 {
                parameter.name = format!("{number}.{name}");
            }
        }
        parameters
    }

    /// What the kernel is called in the names of parameters: `rbf`, `rbf*periodic`.
    fn label(&self) -> String {
        let joined = |kernels: &[Self], operator: &str| {
            kernels.iter().map(Self::label).collect::<Vec<_>>().join(operator)
        };
        match self.covariance.structure() {
            Structure::Sum(terms) => format!("({})", joined(terms, " + ")),
            Structure::Product(factors) => joined(factors, "*"),
            Structure::Scaled(_, kernel) | Structure::Fixed(kernel) => kernel.label(),
            Structure::Leaf => self.to_string().chars().take_while(|&letter| letter != '(').collect(),
        }
    }

    /// The same expression with other values of its parameters.
    ///
    /// # Errors
    /// If there is not one value for each parameter, or a value can't be.
    pub fn with_parameters(&self, values: &[f64]) -> Result<Self, ParamError> {
        let expected = self.covariance.number_of_parameters();
        if values.len() != expected {
            let requirement = "as many as the kernel has parameters";
            return Err(ParamError::new("Kernel", "number of values", values.len() as f64, requirement));
        }
        self.covariance.with_parameters(values)
    }

    /// The name of the first function in Rust that this expression needs and its text does not hold.
    fn function_name(&self) -> Option<String> {
        match self.covariance.structure() {
            Structure::Sum(kernels) | Structure::Product(kernels) => {
                kernels.iter().find_map(Self::function_name)
            }
            Structure::Scaled(_, kernel) | Structure::Fixed(kernel) => kernel.function_name(),
            Structure::Leaf => self.covariance.function_name(),
        }
    }

    /// The parameters on their free scales, where every real number is legal.
    pub fn free_parameters(&self) -> Vec<f64> {
        self.covariance.parameters().iter().map(KernelParameter::free).collect()
    }

    /// The same expression with its parameters at this place of the free scales.
    ///
    /// # Errors
    /// As [`with_parameters`](Self::with_parameters): also if a number is so large that the parameter
    /// overflows.
    pub fn with_free_parameters(&self, free: &[f64]) -> Result<Self, ParamError> {
        let parameters = self.covariance.parameters();
        if free.len() != parameters.len() {
            return self.with_parameters(free);
        }
        let values = parameters.iter().zip(free).map(|(parameter, &free)| parameter.scale.value(free));
        self.with_parameters(&values.collect::<Vec<_>>())
    }
}

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.covariance.write(f)
    }
}

impl fmt::Debug for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Kernel({self})")
    }
}

impl PartialEq for Kernel {
    fn eq(&self, other: &Self) -> bool {
        self.to_string() == other.to_string()
    }
}
