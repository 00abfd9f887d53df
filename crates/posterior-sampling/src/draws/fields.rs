//! The fields of a line, separated by commas, perhaps in quotes.

use std::borrow::Cow;

/// The fields of a line; a quote within quotes is doubled.
///
/// # Errors
/// What is wrong: a quote that is not closed, or something behind one.
pub(super) fn split(line: &str) -> Result<Vec<Cow<'_, str>>, &'static str> {
    if !line.contains('"') {
        return Ok(line.split(',').map(Cow::Borrowed).collect());
    }
    let mut fields = Vec::new();
    let mut rest = line;
    loop {
        let (field, after) = match rest.trim_start().strip_prefix('"') {
            Some(quoted) => quoted_field(quoted)?,
            None => match rest.find(',') {
                Some(comma) => (rest[..comma].to_owned(), Some(&rest[comma + 1..])),
                None => (rest.to_owned(), None),
            },
        };
        fields.push(Cow::Owned(field));
        match after {
            Some(after) => rest = after,
            None => return Ok(fields),
        }
    }
}

/// The text up to the closing quote, and what follows the comma behind it.
fn quoted_field(text: &str) -> Result<(String, Option<&str>), &'static str> {
    let (mut field, mut rest) = (String::new(), text);
    loop {
        let quote = rest.find('"').ok_or("a quote that is not closed")?;
        field.push_str(&rest[..quote]);
        rest = &rest[quote + 1..];
        match rest.strip_prefix('"') {
            Some(after) => {
                field.push('"');
                rest = after;
            }
            None => break,
        }
    }
    match rest.trim_start().strip_prefix(',') {
        Some(after) => Ok((field, Some(after))),
        None if rest.trim().is_empty() => Ok((field, None)),
        None => Err("text behind a closing quote"),
    }
}

/// The text of a field, in quotes where it needs them.
pub(super) fn quoted(text: &str) -> Cow<'_, str> {
    if text.contains([',', '"', '\n', '\r', '#']) || text != text.trim() {
        Cow::Owned(format!("\"{}\"", text.replace('"', "\"\"")))
    } else {
        Cow::Borrowed(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_hold_commas_and_quotes() {
        let all = ["a", "b[1,2]", "c \"d\"", "", "#e"];
        let line = all.map(|text| quoted(text).into_owned()).join(",");
        assert_eq!(line, "a,\"b[1,2]\",\"c \"\"d\"\"\",,\"#e\"");
        assert_eq!(split(&line).unwrap(), all);
        assert_eq!(split("1, \"x\" ,").unwrap(), ["1", "x", ""]);
        assert!(split("\"x").is_err() && split("\"x\"y,1").is_err());
    }
}
