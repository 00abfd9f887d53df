//! How probable a prior holds a Gaussian.

use crate::gaussian::Gaussian;
use crate::multivariate::{NormalInverseWishart, NormalWishart};
use crate::prelude::*;

impl PriorDensity<Gaussian> for NormalInverseWishart {
    fn ln_density_of(&self, distribution: &Gaussian) -> f64 {
        self.ln_pdf(distribution)
    }
}

impl PriorDensity<Gaussian> for NormalWishart {
    fn ln_density_of(&self, distribution: &Gaussian) -> f64 {
        self.ln_pdf(distribution)
    }
}
