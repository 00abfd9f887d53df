//! The spectral laws of stationary kernels.

use super::{Kernel, Structure};
use crate::spectrum::SpectralLaw;

impl Kernel {
    /// The measure of frequencies of which this kernel is the Fourier transform; none if it is not stationary, or has none in closed
    /// form.
    ///
    /// ```
    /// use posterior_gp::Kernel;
    ///
    /// assert_eq!((3.0 * Kernel::matern52(0.5)?).spectral_law().map(|law| law.mass()), Some(3.0));
    /// assert!(Kernel::wiener().spectral_law().is_none());
    /// # Ok::<(), posterior_math::ParamError>(())
    /// ```
    pub fn spectral_law(&self) -> Option<SpectralLaw> {
        let of_each = |kernels: &[Self]| kernels.iter().map(Self::spectral_law).collect::<Option<Vec<_>>>();
        match self.covariance().structure() {
            Structure::Sum(terms) => of_each(terms).map(SpectralLaw::sum),
            Structure::Product(factors) => of_each(factors).map(SpectralLaw::product),
            Structure::Scaled(variance, kernel) => kernel.spectral_law()?.scaled(variance).ok(),
            Structure::Fixed(kernel) => kernel.spectral_law(),
            Structure::Leaf => self.covariance().spectral_law(),
        }
    }
}
