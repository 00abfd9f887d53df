//! What JSON has no word for: maps in their order, and infinite numbers.

use serde::ser::{Serialize, SerializeMap, Serializer};

/// Pairs as an object, in their order.
pub(crate) struct Pairs<T>(pub(crate) Vec<(String, T)>);

impl<T: Serialize> Serialize for Pairs<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

/// A number; "inf" or "-inf", and null for NaN.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Number(pub(crate) f64);

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        number(&self.0, serializer)
    }
}

/// A field as a [`Number`], for `serialize_with`.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde calls")]
pub(crate) fn number<S: Serializer>(x: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    match *x {
        f64::INFINITY => serializer.serialize_str("inf"),
        f64::NEG_INFINITY => serializer.serialize_str("-inf"),
        x if x.is_nan() => serializer.serialize_none(),
        x => serializer.serialize_f64(x),
    }
}

/// One value, or one for each class or column.
#[derive(Debug, Clone, serde::Serialize)]
#[serde(untagged)]
pub(crate) enum Values<T = f64> {
    One(T),
    Each(Vec<T>),
}

impl<T> Values<T> {
    /// All of them.
    pub(crate) fn all(&self) -> &[T] {
        match self {
            Self::One(value) => std::slice::from_ref(value),
            Self::Each(values) => values,
        }
    }
}
