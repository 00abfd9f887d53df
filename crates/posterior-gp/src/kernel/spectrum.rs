//! The spectral distributions of stationary kernels.

use super::SpectralDistribution;
use super::{Kernel, Structure};

impl Kernel {
    /// The measure of frequencies of which this kernel is the Fourier transform; none if it is not
    /// stationary, or has none in closed form.
    ///
    /// ```
    /// use posterior_gp::Kernel;
    ///
    /// assert_eq!((3.0 * Kernel::matern52(0.5)?).spectral_distribution().map(|distribution| distribution.mass()), Some(3.0));
    /// assert!(Kernel::wiener().spectral_distribution().is_none());
    /// # Ok::<(), posterior_math::ParamError>(())
    /// ```
    pub fn spectral_distribution(&self) -> Option<SpectralDistribution> {
        let of_each =
            |kernels: &[Self]| kernels.iter().map(Self::spectral_distribution).collect::<Option<Vec<_>>>();
        match self.covariance().structure() {
            Structure::Sum(terms) => of_each(terms).map(SpectralDistribution::sum),
            Structure::Product(factors) => of_each(factors).map(SpectralDistribution::product),
            Structure::Scaled(variance, kernel) => kernel.spectral_distribution()?.scaled(variance).ok(),
            Structure::Fixed(kernel) => kernel.spectral_distribution(),
            Structure::Leaf => self.covariance().spectral_distribution(),
        }
    }
}
