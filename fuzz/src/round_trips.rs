//! What is written is read again, and is the same.

/// A value printed and read again: the same text.
///
/// # Panics
/// If the text is refused or another.
pub fn rereads<T: std::fmt::Display + std::str::FromStr<Err: std::fmt::Display>>(value: &T) -> T {
    let text = value.to_string();
    let again: T = text.parse().unwrap_or_else(|error| panic!("{text:?} is refused: {error}"));
    assert_eq!(again.to_string(), text);
    again
}

/// A value that was read from JSON, written and read again: the same JSON.
///
/// # Panics
/// If what was written is refused, or another.
pub fn read_json<T: serde::Serialize + serde::de::DeserializeOwned>(text: &str) -> Option<T> {
    let value: T = serde_json::from_str(text).ok()?;
    let written = serde_json::to_string(&value).expect("a value that was read");
    let name = std::any::type_name::<T>();
    let again: T = serde_json::from_str(&written)
        .unwrap_or_else(|error| panic!("{name} writes {written} and refuses it: {error}"));
    assert_eq!(serde_json::to_string(&again).expect("as before"), written);
    Some(value)
}
