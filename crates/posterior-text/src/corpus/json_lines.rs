//! JSON Lines: one object a line, one of its fields the text.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::lines::Lines;
use super::metadata::{Metadata, Row, missing_column};
use super::open::Source;
use super::text_visitor::VisitText;
use super::texts::{Text, Texts};
use crate::Error;

/// How many cells the table of metadata may have for each field that is there, beyond a few: it holds a cell
/// for every name in every row.
const SPARSEST: usize = 100;
const FEW_CELLS: usize = 10_000_000;

type Object = BTreeMap<String, Value>;

/// Reads one JSON object a line: texts from the field `text`, names from the field `name` where one is given
/// (else the number of the document), other fields that are strings, numbers or truth values as metadata.
///
/// Blank lines are passed over; fields that only some objects have are empty in the others' metadata.
///
/// # Errors
/// The source cannot be read or is empty, a line is not an object, or has no such field, or one that is not
/// text.
pub fn read_json_lines(source: Source, text: &str, name: Option<&str>) -> Result<Texts, Error> {
    let mut lines = Lines::new(source);
    let mut texts = Vec::new();
    let mut objects: Vec<(usize, Object)> = Vec::new();
    while lines.advance_to_filled()? {
        let mut object = parse(&lines)?;
        let number = texts.len() + 1;
        let name = match name {
            Some(field) => scalar(&lines, &object, field)?,
            None => number.to_string(),
        };
        let text = take_text(&lines, &mut object, text)?;
        texts.push(Text { name, text });
        object.retain(|_, value| as_scalar(value).is_some());
        objects.push((lines.number(), object));
    }
    if texts.is_empty() {
        return Err(lines.contents_error("empty file: expected one JSON object a line"));
    }
    Ok(Texts { texts, metadata: table(&lines, &objects)? })
}

/// The same a document at a time, and nothing of the other fields.
pub(super) fn for_each_text(
    source: Source,
    text: &str,
    name: Option<&str>,
    visit: &mut VisitText<'_>,
) -> Result<(), Error> {
    let mut lines = Lines::new(source);
    let mut number = 0_u64;
    while lines.advance_to_filled()? {
        let mut object = parse(&lines)?;
        number += 1;
        let name = match name {
            Some(field) => scalar(&lines, &object, field)?,
            None => number.to_string(),
        };
        visit(&name, &take_text(&lines, &mut object, text)?)?;
    }
    if number == 0 {
        return Err(lines.contents_error("empty file: expected one JSON object a line"));
    }
    Ok(())
}

fn parse(lines: &Lines) -> Result<Object, Error> {
    serde_json::from_str(lines.line()).map_err(|error| {
        let column = error.column();
        let reason = error.to_string();
        let reason = reason.split(" at line ").next().unwrap_or_default();
        let unfinished = error.is_eof() || lines.line().trim_start().starts_with('[');
        let error = lines.error(format!("expected a JSON object, column {column}: {reason}"));
        if unfinished {
            error.with_hint("write one whole object a line, without an array around them")
        } else {
            error
        }
    })
}

fn take_text(lines: &Lines, object: &mut Object, field: &str) -> Result<String, Error> {
    match object.remove(field) {
        Some(Value::String(text)) => Ok(text),
        Some(other) => Err(lines.error(format!("field {field:?}: expected a text, found {}", kind(&other)))),
        None => Err(missing_field(lines, object, field)),
    }
}

fn scalar(lines: &Lines, object: &Object, field: &str) -> Result<String, Error> {
    let value = object.get(field).ok_or_else(|| missing_field(lines, object, field))?;
    as_scalar(value)
        .ok_or_else(|| lines.error(format!("field {field:?}: expected a name, found {}", kind(value))))
}

fn missing_field(lines: &Lines, object: &Object, field: &str) -> Error {
    let fields: Vec<String> = object.keys().cloned().collect();
    missing_column(lines.path(), lines.number(), field, &fields)
}

fn as_scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(truth) => Some(truth.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a truth value",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

/// The scalar fields as a table, its columns in alphabetical order.
fn table(lines: &Lines, objects: &[(usize, Object)]) -> Result<Option<Metadata>, Error> {
    let columns: BTreeSet<&String> = objects.iter().flat_map(|(_, object)| object.keys()).collect();
    if columns.is_empty() {
        return Ok(None);
    }
    let present: usize = objects.iter().map(|(_, object)| object.len()).sum();
    if columns.len().saturating_mul(objects.len()) > SPARSEST * present + FEW_CELLS {
        let (fields, objects) = (columns.len(), objects.len());
        let message = format!("{fields} different fields in {objects} objects: expected the same in most");
        return Err(Error::contents(lines.path(), message));
    }
    let field = |object: &Object, column: &str| object.get(column).and_then(as_scalar).unwrap_or_default();
    let rows = objects.iter().map(|(line, object)| Row {
        line: *line,
        fields: columns.iter().map(|column| field(object, column)).collect(),
    });
    let rows = rows.collect();
    Ok(Some(Metadata::new(lines.path(), columns.into_iter().cloned().collect(), rows)))
}
