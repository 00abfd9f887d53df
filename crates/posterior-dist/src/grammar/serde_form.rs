//! Distributions as data of `serde`: `{"shape": 2.0, "rate": 3.0}`, and `{"gamma": {…}}` where the type does
//! not say the name.
//!
//! Reading is checked like every constructor. A number that is not finite is written as a string, because
//! JSON has no other way. The format must describe itself, as JSON, TOML and MessagePack do.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{self, Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeStruct, Serializer};

use super::arguments::Arguments;
use super::syntax::{Argument, Call, Form, Value};
use super::written::Written;

/// A distribution as a struct of its named parameters.
///
/// # Errors
/// If the serializer does not take it.
pub fn serialize<L: Written, S: Serializer>(distribution: &L, serializer: S) -> Result<S::Ok, S::Error> {
    let mut fields = serializer.serialize_struct(L::NAME, L::PARAMETERS.len())?;
    for (name, value) in L::PARAMETERS.iter().zip(distribution.values()) {
        fields.serialize_field(name, &value)?;
    }
    fields.end()
}

/// A distribution from a struct of its named parameters, or from the sequence of them.
///
/// # Errors
/// If a parameter is missing, unknown or not valid.
pub fn deserialize<'de, L: Written, D: Deserializer<'de>>(deserializer: D) -> Result<L, D::Error> {
    deserializer.deserialize_struct(L::NAME, L::PARAMETERS, DistributionVisitor(PhantomData))
}

struct DistributionVisitor<L>(PhantomData<L>);

impl<'de, L: Written> Visitor<'de> for DistributionVisitor<L> {
    type Value = L;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}({})", L::NAME, L::PARAMETERS.join(", "))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<L, A::Error> {
        distribution_of(&Call { name: L::NAME.to_owned(), column: 0, arguments: named_arguments(map)? })
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<L, A::Error> {
        let mut arguments = Vec::new();
        while let Some(value) = sequence.next_element()? {
            arguments.push(Argument { name: None, column: 0, value });
        }
        distribution_of(&Call { name: L::NAME.to_owned(), column: 0, arguments })
    }
}

fn distribution_of<L: Written, E: de::Error>(call: &Call) -> Result<L, E> {
    let arguments = Arguments::of(call, L::PARAMETERS).map_err(E::custom)?;
    L::from_arguments(&arguments).map_err(E::custom)
}

fn named_arguments<'de, A: MapAccess<'de>>(mut map: A) -> Result<Vec<Argument>, A::Error> {
    let mut arguments = Vec::new();
    while let Some((name, value)) = map.next_entry::<String, Value>()? {
        arguments.push(Argument { name: Some(name), column: 0, value });
    }
    Ok(arguments)
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.form {
            Form::Number(number) if !number.is_finite() && serializer.is_human_readable() => {
                serializer.collect_str(number)
            }
            Form::Number(number) => serializer.serialize_f64(*number),
            Form::List(items) => serializer.collect_seq(items),
            Form::Distribution(call) => call.serialize(serializer),
            // Distributions have no such arguments; as text, which is what kernels are.
            Form::Sum(_) | Form::Product(_) => serializer.collect_str(self),
        }
    }
}

/// A call all of whose arguments are named is `{name: {parameter: value}}`; any other is its text.
impl Serialize for Call {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.arguments.iter().any(|argument| argument.name.is_none()) {
            return serializer.collect_str(self);
        }
        serializer.collect_map([(&self.name, Named(&self.arguments))])
    }
}

/// Arguments by name.
struct Named<'a>(&'a [Argument]);

impl Serialize for Named<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(
            self.0.iter().map(|argument| (argument.name.as_deref().unwrap_or_default(), &argument.value)),
        )
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ValueVisitor)
    }
}

struct ValueVisitor;

impl<'de> Visitor<'de> for ValueVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number, a list, a distribution by name, or one of these as text")
    }

    fn visit_f64<E: de::Error>(self, number: f64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<Value, E> {
        Ok((number as f64).into())
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<Value, E> {
        Ok((number as f64).into())
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Value, E> {
        let value: Value = text.parse().map_err(E::custom)?;
        Ok(value.form.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = sequence.next_element()? {
            items.push(item);
        }
        Ok(Form::List(items).into())
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Value, A::Error> {
        CallVisitor.visit_map(map).map(Value::from)
    }
}

impl<'de> Deserialize<'de> for Call {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(CallVisitor)
    }
}

struct CallVisitor;

impl<'de> Visitor<'de> for CallVisitor {
    type Value = Call;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a distribution: {\"name\": {\"parameter\": value}}, or its text")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Call, E> {
        text.parse().map_err(E::custom)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Call, A::Error> {
        let (name, arguments) = map
            .next_entry::<String, ByName>()?
            .ok_or_else(|| de::Error::invalid_length(0, &"the name of one distribution"))?;
        if map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {
            return Err(de::Error::invalid_length(2, &"the name of one distribution"));
        }
        Ok(Call { name, column: 0, arguments: arguments.0 })
    }
}

/// The arguments of a call, by name.
struct ByName(Vec<Argument>);

impl<'de> Deserialize<'de> for ByName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ByNameVisitor)
    }
}

struct ByNameVisitor;

impl<'de> Visitor<'de> for ByNameVisitor {
    type Value = ByName;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("parameters by name")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<ByName, A::Error> {
        named_arguments(map).map(ByName)
    }
}
