//! Distributions that have a text.

use std::fmt;

use super::arguments::Arguments;
use super::error::TextError;
use super::syntax::{Argument, Call, Value, separated};
use crate::grammar::Parametric;

/// A distribution that can be written, and read back: `from_call(call(distribution))` is the distribution.
///
/// Every [`Parametric`] distribution is one. A distribution of vectors or matrices states its parameters as
/// lists.
pub trait Written: Sized {
    /// The distribution's name in lower case.
    const NAME: &'static str;

    /// The names of the parameters, in order.
    const PARAMETERS: &'static [&'static str];

    /// Whether every parameter is a number, as of a [`Parametric`] distribution.
    const NUMBERS_ONLY: bool = false;

    /// The parameters, in order.
    fn values(&self) -> Vec<Value>;

    /// The distribution with these parameters.
    ///
    /// # Errors
    /// If one is of another kind, or not valid.
    fn from_arguments(arguments: &Arguments<'_>) -> Result<Self, TextError>;
}

impl<L: Parametric> Written for L {
    const NAME: &'static str = L::NAME;
    const PARAMETERS: &'static [&'static str] = L::PARAMETERS;
    const NUMBERS_ONLY: bool = true;

    fn values(&self) -> Vec<Value> {
        self.parameters().into_iter().map(Value::from).collect()
    }

    fn from_arguments(arguments: &Arguments<'_>) -> Result<Self, TextError> {
        arguments.checked(Self::from_parameters(&arguments.all_numbers()?))
    }
}

/// [`Written`] and the text of a distribution whose constructor takes the parameters by the names of its
/// getters, each read by a method of [`Arguments`].
#[macro_export]
macro_rules! written {
    ($distribution:ident, $name:literal, $new:ident($($parameter:ident: $kind:ident),+)) => {
        $crate::parametric_text!($distribution);

        impl $crate::grammar::Written for $distribution {
            const NAME: &'static str = $name;
            const PARAMETERS: &'static [&'static str] = &[$(stringify!($parameter)),+];

            fn values(&self) -> Vec<$crate::grammar::Value> {
                vec![$(self.$parameter().into()),+]
            }

            fn from_arguments(
                arguments: &$crate::grammar::Arguments<'_>,
            ) -> Result<Self, $crate::grammar::TextError> {
                let mut index = 0..;
                $(let $parameter = arguments.$kind(index.next().unwrap_or(usize::MAX))?;)+
                arguments.checked(Self::$new($($crate::written!(@$kind $parameter)),+))
            }
        }
    };
    (@number $parameter:ident) => {
        $parameter
    };
    (@$kind:ident $parameter:ident) => {
        &$parameter
    };
}
pub(crate) use written;

/// A distribution whose text is asked for without its type.
pub trait Described: fmt::Debug + fmt::Display + Send + Sync {
    /// The distribution's name.
    fn name(&self) -> &'static str;

    /// The names of the parameters, in order.
    fn parameter_names(&self) -> &'static [&'static str];

    /// The parameters, in order.
    fn parameters(&self) -> Vec<Value>;

    /// The distribution as a call, every argument by name.
    fn call(&self) -> Call;
}

impl<L: Written + fmt::Debug + fmt::Display + Send + Sync> Described for L {
    fn name(&self) -> &'static str {
        L::NAME
    }

    fn parameter_names(&self) -> &'static [&'static str] {
        L::PARAMETERS
    }

    fn parameters(&self) -> Vec<Value> {
        self.values()
    }

    fn call(&self) -> Call {
        call_of(self)
    }
}

/// Reads a distribution of known type: `read::<Gamma>("gamma(2, 3)")`, which is its `FromStr`.
///
/// # Errors
/// If the text is not such a distribution; the error names the place.
pub fn read<L: Written>(text: &str) -> Result<L, TextError> {
    from_call(&text.parse()?)
}

/// The distribution that a call names.
///
/// # Errors
/// If it names another, or an argument is wrong.
pub fn from_call<L: Written>(call: &Call) -> Result<L, TextError> {
    if call.name != L::NAME {
        return Err(TextError::expected(call.column, L::NAME, &format!("{:?}", call.name)));
    }
    L::from_arguments(&Arguments::of(call, L::PARAMETERS)?)
}

/// A distribution as a call, every argument by name.
pub fn call_of<L: Written>(distribution: &L) -> Call {
    let argument =
        |(name, value): (&&str, Value)| Argument { name: Some((*name).to_owned()), column: 0, value };
    let arguments = L::PARAMETERS.iter().zip(distribution.values()).map(argument).collect();
    Call { name: L::NAME.to_owned(), column: 0, arguments }
}

/// Writes `name(parameter, …)`, each number with the fewest digits that read back to it.
///
/// # Errors
/// If the formatter does not take it.
pub fn write<L: Written>(distribution: &L, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(f, "{}(", L::NAME)?;
    separated(&distribution.values(), f)?;
    f.write_str(")")
}

/// A kind of distribution that there is.
#[derive(Debug, Clone, Copy)]
pub struct Entry<A> {
    /// Its name.
    pub name: &'static str,
    /// The names of its parameters, in order.
    pub parameters: &'static [&'static str],
    /// Where it lives: `(0, ∞)`.
    pub support: &'static str,
    /// Whether every parameter is a number.
    pub numbers_only: bool,
    read: fn(&Call) -> Result<A, TextError>,
}

impl<A> Entry<A> {
    /// The row of a distribution in a table of them.
    pub const fn of<L: Written + Into<A>>(support: &'static str) -> Self {
        let read = |call: &Call| from_call::<L>(call).map(L::into);
        Self { name: L::NAME, parameters: L::PARAMETERS, support, numbers_only: L::NUMBERS_ONLY, read }
    }

    /// The distribution that this call of it names.
    ///
    /// # Errors
    /// If an argument is wrong.
    pub fn read(&self, call: &Call) -> Result<A, TextError> {
        (self.read)(call)
    }

    /// `gamma(shape, rate)`.
    pub fn signature(&self) -> String {
        format!("{}({})", self.name, self.parameters.join(", "))
    }
}

/// The distribution that a call names, of those in a table.
///
/// # Errors
/// If there is none of this name, with the closest one; or an argument is wrong.
pub fn find<A>(table: &[Entry<A>], call: &Call) -> Result<A, TextError> {
    if let Some(entry) = table.iter().find(|entry| entry.name == call.name) {
        return entry.read(call);
    }
    let names: Vec<&str> = table.iter().map(|entry| entry.name).collect();
    Err(TextError::unknown(
        call.column,
        format!("there is no distribution {:?}", call.name),
        &call.name,
        &names,
    ))
}

/// A distribution of any type behind a pointer: what it is made of, read from, compared and printed as.
#[macro_export]
macro_rules! behind_pointer {
    ($any:ident, $dynamic:ident, $table:ident) => {
        impl std::ops::Deref for $any {
            type Target = dyn $dynamic;

            fn deref(&self) -> &Self::Target {
                self.distribution.as_ref()
            }
        }

        impl<L: $dynamic + 'static> From<L> for $any {
            fn from(distribution: L) -> Self {
                Self { distribution: std::sync::Arc::new(distribution) }
            }
        }

        /// Two distributions are one if name and parameters are.
        impl PartialEq for $any {
            fn eq(&self, other: &Self) -> bool {
                self.name() == other.name() && self.parameters() == other.parameters()
            }
        }

        impl std::fmt::Display for $any {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.distribution.fmt(f)
            }
        }

        impl std::str::FromStr for $any {
            type Err = $crate::grammar::TextError;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Self::try_from(&text.parse::<$crate::grammar::Call>()?)
            }
        }

        impl TryFrom<&$crate::grammar::Call> for $any {
            type Error = $crate::grammar::TextError;

            fn try_from(call: &$crate::grammar::Call) -> Result<Self, Self::Error> {
                $crate::grammar::find($table, call)
            }
        }

        #[cfg(feature = "serde")]
        impl serde::Serialize for $any {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                self.call().serialize(serializer)
            }
        }

        #[cfg(feature = "serde")]
        impl<'de> serde::Deserialize<'de> for $any {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let call = $crate::grammar::Call::deserialize(deserializer)?;
                Self::try_from(&call).map_err(serde::de::Error::custom)
            }
        }
    };
}
pub(crate) use behind_pointer;
