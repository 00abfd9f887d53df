//! Distributions that are another one by a second name.

/// The named traits of a distribution on the real line by its field: what the field says, it says too.
macro_rules! delegate {
    ($distribution:ty, $field:ident: $($part:ident)+) => {
        $($crate::delegate::delegate!(@$part $distribution, $field);)+
    };
    (@Density $distribution:ty, $field:ident) => {
        impl Density for $distribution {
            type Point = f64;

            fn ln_pdf(&self, x: &f64) -> f64 {
                self.$field.ln_pdf(x)
            }
        }
    };
    (@PointGradient $distribution:ty, $field:ident) => {
        impl PointGradient for $distribution {
            fn point_gradient(&self, x: &f64) -> f64 {
                self.$field.point_gradient(x)
            }
        }
    };
    (@Univariate $distribution:ty, $field:ident) => {
        impl Univariate for $distribution {
            fn cdf(&self, x: f64) -> f64 {
                self.$field.cdf(x)
            }

            fn sf(&self, x: f64) -> f64 {
                self.$field.sf(x)
            }

            fn quantile(&self, p: f64) -> f64 {
                self.$field.quantile(p)
            }

            fn upper_quantile(&self, q: f64) -> f64 {
                self.$field.upper_quantile(q)
            }

            fn ln_cdf(&self, x: f64) -> f64 {
                self.$field.ln_cdf(x)
            }

            fn ln_sf(&self, x: f64) -> f64 {
                self.$field.ln_sf(x)
            }
        }
    };
    (@Moments $distribution:ty, $field:ident) => {
        impl Moments for $distribution {
            fn mean(&self) -> Option<f64> {
                self.$field.mean()
            }

            fn variance(&self) -> Option<f64> {
                self.$field.variance()
            }
        }
    };
    (@Shape $distribution:ty, $field:ident) => {
        impl Shape for $distribution {
            fn skewness(&self) -> Option<f64> {
                self.$field.skewness()
            }

            fn excess_kurtosis(&self) -> Option<f64> {
                self.$field.excess_kurtosis()
            }
        }
    };
    (@Entropy $distribution:ty, $field:ident) => {
        impl Entropy for $distribution {
            fn entropy(&self) -> f64 {
                self.$field.entropy()
            }
        }
    };
    (@KlDivergence $distribution:ty, $field:ident) => {
        impl KlDivergence for $distribution {
            fn kl_divergence(&self, other: &Self) -> f64 {
                self.$field.kl_divergence(&other.$field)
            }
        }
    };
    (@Distribution $distribution:ty, $field:ident) => {
        impl Distribution<f64> for $distribution {
            fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> f64 {
                self.$field.sample(rng)
            }
        }
    };
}
pub(crate) use delegate;
