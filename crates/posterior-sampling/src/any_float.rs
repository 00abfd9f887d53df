//! Numbers that are written down to be read again, NaN and infinities too, which JSON has no word for.

use std::fmt;

use serde::de::{DeserializeOwned, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// `f64`, or vectors of vectors of it.
pub(crate) trait AnyFloat: Sized {
    type Written: Serialize + DeserializeOwned;

    fn write(&self) -> Self::Written;
    fn read(written: Self::Written) -> Self;
}

pub(crate) fn serialize<T: AnyFloat, S: Serializer>(numbers: &T, serializer: S) -> Result<S::Ok, S::Error> {
    numbers.write().serialize(serializer)
}

pub(crate) fn deserialize<'de, T: AnyFloat, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    T::Written::deserialize(deserializer).map(T::read)
}

impl AnyFloat for f64 {
    type Written = Number;

    fn write(&self) -> Number {
        Number(*self)
    }

    fn read(written: Number) -> Self {
        written.0
    }
}

impl<T: AnyFloat> AnyFloat for Vec<T> {
    type Written = Vec<T::Written>;

    fn write(&self) -> Self::Written {
        self.iter().map(T::write).collect()
    }

    fn read(written: Self::Written) -> Self {
        written.into_iter().map(T::read).collect()
    }
}

/// A number; in formats for people `"NaN"`, `"inf"` or `"-inf"` where it is none.
pub(crate) struct Number(f64);

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.is_finite() || !serializer.is_human_readable() {
            serializer.serialize_f64(self.0)
        } else {
            serializer.serialize_str(&self.0.to_string())
        }
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            deserializer.deserialize_any(NumberVisitor).map(Self)
        } else {
            f64::deserialize(deserializer).map(Self)
        }
    }
}

struct NumberVisitor;

impl Visitor<'_> for NumberVisitor {
    type Value = f64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number, \"NaN\", \"inf\" or \"-inf\"")
    }

    fn visit_f64<E: serde::de::Error>(self, number: f64) -> Result<f64, E> {
        Ok(number)
    }

    fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<f64, E> {
        Ok(number as f64)
    }

    fn visit_i64<E: serde::de::Error>(self, number: i64) -> Result<f64, E> {
        Ok(number as f64)
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<f64, E> {
        match text {
            "NaN" => Ok(f64::NAN),
            "inf" => Ok(f64::INFINITY),
            "-inf" => Ok(f64::NEG_INFINITY),
            other => Err(E::invalid_value(serde::de::Unexpected::Str(other), &self)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{deserialize, serialize};

    #[test]
    fn every_number_comes_back() {
        let numbers = vec![vec![1.5, f64::NAN, -0.0], vec![], vec![f64::INFINITY, f64::NEG_INFINITY, 3.0]];
        let mut written = Vec::new();
        serialize(&numbers, &mut serde_json::Serializer::new(&mut written)).unwrap();
        assert_eq!(String::from_utf8_lossy(&written), r#"[[1.5,"NaN",-0.0],[],["inf","-inf",3.0]]"#);
        let read: Vec<Vec<f64>> = deserialize(&mut serde_json::Deserializer::from_slice(&written)).unwrap();
        let bits = |all: &[Vec<f64>]| -> Vec<u64> { all.iter().flatten().map(|x| x.to_bits()).collect() };
        assert_eq!(bits(&read), bits(&numbers));
        let whole: Vec<f64> = deserialize(&mut serde_json::Deserializer::from_str("[2, -2]")).unwrap();
        assert_eq!(whole, [2.0, -2.0]);
        assert!(deserialize::<f64, _>(&mut serde_json::Deserializer::from_str("\"nan\"")).is_err());
    }
}
