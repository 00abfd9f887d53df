//! The distribution of x = eʸ in terms of that of y, and of x = s e^(z/k) in terms of that of z: what
//! log-normal, Fréchet and log-logistic have in common.

pub(super) mod moments;

use crate::density::Density;
use crate::gradient::PointGradient;

/// ln x, and -∞ below 0: the place of x in the distribution of y.
pub(super) fn ln_or_end(x: f64) -> f64 {
    if x <= 0.0 { f64::NEG_INFINITY } else { x.ln() }
}

/// ln p(x), by the transformation theorem.
pub(super) fn ln_pdf(logarithm: &impl Density<Point = f64>, x: f64) -> f64 {
    if x <= 0.0 || x == f64::INFINITY {
        return f64::NEG_INFINITY;
    }
    let ln_x = x.ln();
    logarithm.ln_pdf(&ln_x) - ln_x
}

/// ∂ ln p(x) / ∂x.
pub(super) fn point_gradient(logarithm: &impl PointGradient<Point = f64>, x: f64) -> f64 {
    if x > 0.0 { (logarithm.point_gradient(&x.ln()) - 1.0) / x } else { f64::NAN }
}

/// A distribution of x = s e^(z/k) for z of the standard distribution of `$logarithm`, with shape k and scale
/// s: all that doesn't depend on which it is.
macro_rules! power_of_exponential {
    ($distribution:ident, $name:literal, $logarithm:ident) => {
        impl $distribution {
            /// The distribution with this shape and this scale.
            ///
            /// # Errors
            /// If one is not positive and finite, or the shape is so small that its reciprocal is not.
            pub fn new(shape: f64, scale: f64) -> Result<Self, ParamError> {
                const NAME: &str = stringify!($distribution);
                check::positive(NAME, "shape", shape)?;
                check::positive(NAME, "scale", scale)?;
                let spread = shape.recip();
                check::require(spread < f64::INFINITY, NAME, "shape", shape, "at least 1e-308")?;
                Ok(Self { shape, scale, logarithm: $logarithm::new(scale.ln(), spread)? })
            }

            /// The distribution of ln X.
            pub const fn logarithm(&self) -> $logarithm {
                self.logarithm
            }

            /// k ln(x/s), and -∞ below 0: the place of x in the standard distribution. The rounding of ln s
            /// is not in it.
            fn place(&self, x: f64) -> f64 {
                if x <= 0.0 { f64::NEG_INFINITY } else { self.shape * ln_ratio(x, self.scale) }
            }
        }

        parametric! { $distribution, $name, new:
            /// The shape.
            shape: f64,
            /// The scale.
            scale: f64,
        }

        impl Density for $distribution {
            type Point = f64;

            fn ln_pdf(&self, &x: &f64) -> f64 {
                if x <= 0.0 || x == f64::INFINITY {
                    return f64::NEG_INFINITY;
                }
                $logarithm::STANDARD.ln_pdf(&self.place(x)) + ln_ratio(self.shape, x)
            }
        }

        impl PointGradient for $distribution {
            fn point_gradient(&self, &x: &f64) -> f64 {
                if x > 0.0 {
                    (self.shape * $logarithm::STANDARD.point_gradient(&self.place(x)) - 1.0) / x
                } else {
                    f64::NAN
                }
            }
        }

        impl ParameterGradient for $distribution {
            type Gradient = [f64; 2];

            fn parameter_gradient(&self, &x: &f64) -> [f64; 2] {
                if !(x > 0.0) {
                    return [f64::NAN; 2];
                }
                let [by_location, by_spread] = self.logarithm.parameter_gradient(&x.ln());
                [-by_spread / self.shape / self.shape, by_location / self.scale]
            }
        }

        impl Univariate for $distribution {
            fn cdf(&self, x: f64) -> f64 {
                $logarithm::STANDARD.cdf(self.place(x))
            }

            fn sf(&self, x: f64) -> f64 {
                $logarithm::STANDARD.sf(self.place(x))
            }

            fn quantile(&self, p: f64) -> f64 {
                times_exp(self.scale, $logarithm::STANDARD.quantile(p) / self.shape)
            }

            fn upper_quantile(&self, q: f64) -> f64 {
                times_exp(self.scale, $logarithm::STANDARD.upper_quantile(q) / self.shape)
            }

            fn ln_cdf(&self, x: f64) -> f64 {
                $logarithm::STANDARD.ln_cdf(self.place(x))
            }

            fn ln_sf(&self, x: f64) -> f64 {
                $logarithm::STANDARD.ln_sf(self.place(x))
            }
        }

        impl Shape for $distribution {
            fn skewness(&self) -> Option<f64> {
                let [_, skewness, _] = self.standardized();
                (self.shape > 3.0).then_some(skewness)
            }

            fn excess_kurtosis(&self) -> Option<f64> {
                let [.., kurtosis] = self.standardized();
                (self.shape > 4.0).then_some(kurtosis)
            }
        }

        impl Distribution<f64> for $distribution {
            fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> f64 {
                times_exp(self.scale, $logarithm::STANDARD.sample(rng) / self.shape)
            }
        }
    };
}
pub(super) use power_of_exponential;
