//! Numbers in JSON that may have no value or no end.

use serde::{Serialize, Serializer};

/// A number, "inf" or "-inf", or null where it has no value.
pub(super) struct Figure(pub(super) f64);

impl Serialize for Figure {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            value if value.is_finite() => serializer.serialize_f64(value),
            value if value.is_infinite() => {
                serializer.serialize_str(if value > 0.0 { "inf" } else { "-inf" })
            }
            _ => serializer.serialize_none(),
        }
    }
}
