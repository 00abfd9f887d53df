//! What families of a location and a scale, or of a scale, have in common.

/// Constructor, getters and [`Parametric`](crate::Parametric) of a distribution with a location and a scale,
/// which keeps a function of the scale beside them.
macro_rules! location_scale {
    ($distribution:ident, $name:literal, $kept:ident = |$scale:ident| $value:expr) => {
        impl $distribution {
            /// The distribution with this location and this scale.
            ///
            /// # Errors
            /// If the location is not finite, or the scale not positive and finite.
            pub fn new(location: f64, $scale: f64) -> Result<Self, ParamError> {
                check::finite(stringify!($distribution), "location", location)?;
                check::positive(stringify!($distribution), "scale", $scale)?;
                Ok(Self { location, scale: $scale, $kept: $value })
            }

            fn standardized(&self, x: f64) -> f64 {
                $crate::scaled::standardized(x, self.location, self.scale)
            }
        }

        $crate::grammar::parametric! { $distribution, $name, new:
            /// The location.
            location: f64,
            /// The scale.
            scale: f64,
        }
    };
}
pub(super) use location_scale;

/// The same of a distribution with a scale alone.
macro_rules! scale_alone {
    ($distribution:ident, $name:literal, $kept:ident = |$scale:ident| $value:expr) => {
        impl $distribution {
            /// The distribution with this scale.
            ///
            /// # Errors
            /// If the scale is not positive and finite.
            pub fn new($scale: f64) -> Result<Self, ParamError> {
                check::positive(stringify!($distribution), "scale", $scale)?;
                Ok(Self { scale: $scale, $kept: $value })
            }
        }

        $crate::grammar::parametric! { $distribution, $name, new:
            /// The scale.
            scale: f64,
        }
    };
}
pub(super) use scale_alone;

/// [`Univariate`](crate::Univariate), shape and mode of a symmetric family of a location and a scale, by
/// the distribution function of the standard one, its logarithm, its quantile and its excess kurtosis.
macro_rules! symmetric {
    ($distribution:ident, $below:path, $ln_below:path, $quantile:path, $kurtosis:literal) => {
        impl Univariate for $distribution {
            fn cdf(&self, x: f64) -> f64 {
                $below(self.standardized(x))
            }

            fn sf(&self, x: f64) -> f64 {
                $below(-self.standardized(x))
            }

            fn quantile(&self, p: f64) -> f64 {
                $crate::scaled::located(self.location, self.scale, $quantile(p))
            }

            fn upper_quantile(&self, q: f64) -> f64 {
                $crate::scaled::located(self.location, -self.scale, $quantile(q))
            }

            fn ln_cdf(&self, x: f64) -> f64 {
                $ln_below(self.standardized(x))
            }

            fn ln_sf(&self, x: f64) -> f64 {
                $ln_below(-self.standardized(x))
            }
        }

        impl Shape for $distribution {
            fn skewness(&self) -> Option<f64> {
                Some(0.0)
            }

            fn excess_kurtosis(&self) -> Option<f64> {
                Some($kurtosis)
            }
        }

        impl Mode for $distribution {
            fn mode(&self) -> Option<f64> {
                Some(self.location)
            }
        }
    };
}
pub(super) use symmetric;
