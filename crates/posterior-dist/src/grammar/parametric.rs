//! Distributions with a short list of numbers as parameters: their names, and how they are written,
//! `gamma(2, 3)`.

use posterior_math::check::{self, ParamError};

/// A distribution that a short list of numbers defines.
///
/// Written `name(parameter, …)`, which is its `Display` and its `FromStr`, for the distributions of this
/// crate; of a distribution of your own, [`text::write`](crate::text::write) and
/// [`text::read`](crate::text::read) are the two.
///
/// # For a distribution of your own
/// ```
/// use posterior_dist::Parametric;
/// use posterior_math::ParamError;
/// use posterior_math::check;
///
/// /// p(x) = a x^(a - 1) on [0, 1].
/// struct Power {
///     a: f64,
/// }
///
/// impl Parametric for Power {
///     const NAME: &'static str = "power";
///     const PARAMETERS: &'static [&'static str] = &["a"];
///
///     fn parameters(&self) -> Vec<f64> {
///         vec![self.a]
///     }
///
///     fn from_parameters(parameters: &[f64]) -> Result<Self, ParamError> {
///         let &[a] = parameters else {
///             return Err(ParamError::new("Power", "number of parameters", parameters.len() as f64, "1"));
///         };
///         Ok(Self { a: check::positive("Power", "a", a)? })
///     }
/// }
/// ```
pub trait Parametric: Sized {
    /// The distribution's name in lower case: `gamma`, `student_t`.
    const NAME: &'static str;

    /// The names of the parameters, in order.
    const PARAMETERS: &'static [&'static str];

    /// The parameters, in order.
    fn parameters(&self) -> Vec<f64>;

    /// The distribution with these parameters.
    ///
    /// # Errors
    /// If there are more or fewer than the distribution has, or one is not valid.
    fn from_parameters(parameters: &[f64]) -> Result<Self, ParamError>;
}

/// The parameters as an array of the length that the distribution wants.
///
/// # Errors
/// If there are more or fewer.
pub fn exactly<F: Parametric, const N: usize>(parameters: &[f64]) -> Result<[f64; N], ParamError> {
    let wrong = || {
        ParamError::new(F::NAME, "number of parameters", parameters.len() as f64, "that of the distribution")
    };
    parameters.try_into().map_err(|_| wrong())
}

/// A type that a constructor takes a parameter as.
pub trait ParameterNumber: Sized {
    /// The parameter as a number.
    fn number(self) -> f64;

    /// The parameter from a number.
    ///
    /// # Errors
    /// If it is none: a count is a whole number up to 2⁵³.
    fn read(type_name: &'static str, parameter: &'static str, value: f64) -> Result<Self, ParamError>;
}

impl ParameterNumber for f64 {
    fn number(self) -> f64 {
        self
    }

    fn read(_: &'static str, _: &'static str, value: f64) -> Result<Self, ParamError> {
        Ok(value)
    }
}

impl ParameterNumber for u64 {
    fn number(self) -> f64 {
        self as f64
    }

    fn read(type_name: &'static str, parameter: &'static str, value: f64) -> Result<Self, ParamError> {
        let whole = (0.0..=9_007_199_254_740_992.0).contains(&value) && value == value.trunc();
        check::require(whole, type_name, parameter, value, "a whole number up to 2^53")
            .map(|value| value as Self)
    }
}

impl ParameterNumber for usize {
    fn number(self) -> f64 {
        self as f64
    }

    fn read(type_name: &'static str, parameter: &'static str, value: f64) -> Result<Self, ParamError> {
        u64::read(type_name, parameter, value).map(|value| value as Self)
    }
}

/// [`Parametric`] and the text of a distribution whose constructor takes the parameters by the names of its
/// getters, `new(shape, rate)`, or of its fields, `new[shape, rate]`; `new: shape: f64, rate: f64` with the
/// documentation of each makes the getters of fields.
#[macro_export]
macro_rules! parametric {
    ($distribution:ident, $name:literal, $new:ident($($parameter:ident),+)) => {
        $crate::parametric!(@ $distribution, $name, $new, $($parameter [()]),+);
    };
    ($distribution:ident, $name:literal, $new:ident[$($parameter:ident),+]) => {
        $crate::parametric!(@ $distribution, $name, $new, $($parameter []),+);
    };
    ($distribution:ident, $name:literal, $new:ident: $($(#[$doc:meta])+ $parameter:ident: $type:ty),+ $(,)?) => {
        impl $distribution {
            $(
                $(#[$doc])+
                pub const fn $parameter(&self) -> $type {
                    self.$parameter
                }
            )+
        }

        $crate::parametric!(@ $distribution, $name, $new, $($parameter []),+);
    };
    (@ $distribution:ident, $name:literal, $new:ident, $($parameter:ident [$($call:tt)?]),+) => {
        $crate::parametric_text!($distribution);

        impl $crate::Parametric for $distribution {
            const NAME: &'static str = $name;
            const PARAMETERS: &'static [&'static str] = &[$(stringify!($parameter)),+];

            fn parameters(&self) -> Vec<f64> {
                vec![$($crate::grammar::ParameterNumber::number(self.$parameter $($call)?)),+]
            }

            fn from_parameters(parameters: &[f64]) -> Result<Self, $crate::math::ParamError> {
                const TYPE: &str = stringify!($distribution);
                let [$($parameter),+] = $crate::grammar::exactly::<Self, _>(parameters)?;
                Self::$new(
                    $($crate::grammar::ParameterNumber::read(TYPE, stringify!($parameter), $parameter)?),+
                )
            }
        }
    };
}
pub(crate) use parametric;
