//! How distributions are written: the syntax, the arguments of a call, and the traits of what has a text.

mod aliases;
mod arguments;
mod closest;
mod error;
mod parametric;
mod parse;
#[cfg(feature = "serde")]
mod serde_form;
mod syntax;
mod written;

pub use arguments::{Arguments, number, numbers};
pub(crate) use closest::closest;
pub use error::TextError;
pub(crate) use parametric::parametric;
pub use parametric::{ParameterNumber, Parametric, exactly};
#[cfg(feature = "serde")]
pub use serde_form::{deserialize, serialize};
pub use syntax::{Argument, Call, Form, Value};
pub use written::{Described, Entry, Written, call_of, find, from_call, read, write};
pub(crate) use written::{behind_pointer, written};

/// `Display` and `FromStr`, and with the feature `serde` of the crate that calls its two traits, for
/// distributions that are [`Written`](crate::text::Written): no function can implement a trait of another
/// crate for many types.
#[macro_export]
macro_rules! parametric_text {
    ($($distribution:ty),+ $(,)?) => {
        $(
            impl std::fmt::Display for $distribution {
                fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                    $crate::grammar::write(self, f)
                }
            }

            impl std::str::FromStr for $distribution {
                type Err = $crate::grammar::TextError;

                fn from_str(text: &str) -> Result<Self, Self::Err> {
                    $crate::grammar::read(text)
                }
            }

            #[cfg(feature = "serde")]
            impl serde::Serialize for $distribution {
                fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                    $crate::grammar::serialize(self, serializer)
                }
            }

            #[cfg(feature = "serde")]
            impl<'de> serde::Deserialize<'de> for $distribution {
                fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                    $crate::grammar::deserialize(deserializer)
                }
            }
        )+
    };
}
pub(crate) use parametric_text;
