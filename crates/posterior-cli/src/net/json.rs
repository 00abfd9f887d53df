//! What JSON has no word for: maps in the order of the model, and infinite numbers.

use serde::ser::{Serialize, SerializeMap, Serializer};

/// Pairs as an object, in their order.
pub(super) struct Pairs<T>(pub(super) Vec<(String, T)>);

impl<T: Serialize> Serialize for Pairs<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

/// A number; infinite ones as text, NaN as null.
pub(super) struct Number(pub(super) f64);

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            x if x == f64::INFINITY => serializer.serialize_str("inf"),
            x if x == f64::NEG_INFINITY => serializer.serialize_str("-inf"),
            x if x.is_nan() => serializer.serialize_none(),
            x => serializer.serialize_f64(x),
        }
    }
}
