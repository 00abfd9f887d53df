//! Tables in CSV whose columns are asked for by name: as numbers, or as text.

use std::cmp::Ordering;
use std::path::Path;

use crate::failure::Failure;
use crate::input::bytes;

/// How many cells a table of objects may have for each field that is there, beyond a few: it holds a cell for every name in every row.
const SPARSEST: usize = 100;
const FEW_CELLS: usize = 10_000_000;

/// The most fields of a line: they are looked at one by one, and each takes more memory than it has bytes.
const MOST_FIELDS: usize = 1 << 20;

/// A table with a header, and where it is from.
#[derive(Debug)]
pub(crate) struct Table {
    /// How the file is called in messages.
    pub(crate) source: String,
    header: Vec<String>,
    rows: Vec<Row>,
}

#[derive(Debug)]
struct Row {
    line: u64,
    cells: csv::StringRecord,
}

impl Table {
    /// Reads a table of at least one row.
    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        let (source, bytes) = bytes(path)?;
        few_fields(&source, &bytes, b',')?;
        let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(&bytes[..]);
        let header = reader.headers().map_err(|error| wrong(&source, &error))?;
        let header: Vec<String> = header.iter().map(str::to_owned).collect();
        let mut rows = Vec::new();
        for record in reader.records() {
            let record = record.map_err(|error| wrong(&source, &error))?;
            let line = record.position().map_or(0, csv::Position::line);
            rows.push(Row { line, cells: record });
        }
        if rows.is_empty() {
            let message =
                format!("{source}: no rows: expected a header with names of columns, and rows below it");
            return Err(Failure::data(message));
        }
        Ok(Self { source, header, rows })
    }

    /// A table with other things than commas between its fields, or without a header: then columns are called by their numbers from 1. Quotes are letters
    /// where tabs are between fields.
    pub(crate) fn read_delimited(path: &Path, delimiter: u8, has_header: bool) -> Result<Self, Failure> {
        let (source, bytes) = bytes(path)?;
        few_fields(&source, &bytes, delimiter)?;
        let mut reader = csv::ReaderBuilder::new()
            .trim(csv::Trim::All)
            .delimiter(delimiter)
            .quoting(delimiter != b'\t')
            .has_headers(false)
            .from_reader(&bytes[..]);
        let mut rows = Vec::new();
        for record in reader.records() {
            let record = record.map_err(|error| wrong(&source, &error))?;
            let line = record.position().map_or(0, csv::Position::line);
            rows.push(Row { line, cells: record });
        }
        let width = rows.first().map_or(0, |row| row.cells.len());
        let header = if has_header && !rows.is_empty() {
            rows.remove(0).cells.iter().map(str::to_owned).collect()
        } else {
            (1..=width).map(|number| number.to_string()).collect()
        };
        if rows.is_empty() {
            return Err(Failure::data(format!("{source}: no rows")));
        }
        Ok(Self { source, header, rows })
    }

    /// A table of one JSON object a line: its fields that are texts, numbers or truth values. A field that an object does not have is missing.
    pub(crate) fn read_json_lines(path: &Path) -> Result<Self, Failure> {
        type Object = std::collections::BTreeMap<String, serde_json::Value>;
        let (source, bytes) = bytes(path)?;
        let mut objects: Vec<(u64, Object)> = Vec::new();
        for (line, text) in (1..).zip(bytes.split(|&byte| byte == b'\n')) {
            if text.trim_ascii().is_empty() {
                continue;
            }
            let object = serde_json::from_slice(text).map_err(|error| {
                Failure::data(format!("{source}: line {line}: expected a JSON object: {error}"))
            })?;
            objects.push((line, object));
        }
        let names: std::collections::BTreeSet<&String> =
            objects.iter().flat_map(|(_, object)| object.keys()).collect();
        let header: Vec<String> = names.into_iter().cloned().collect();
        let present: usize = objects.iter().map(|(_, object)| object.len()).sum();
        let all = header.len().saturating_mul(objects.len());
        if all > SPARSEST * present + FEW_CELLS {
            let (fields, objects) = (header.len(), objects.len());
            let message = format!(
                "{source}: {fields} different fields in {objects} objects: expected the same in most"
            );
            return Err(Failure::data(message));
        }
        let cell = |object: &Object, name: &String| match object.get(name) {
            Some(serde_json::Value::String(text)) => text.clone(),
            Some(value @ (serde_json::Value::Number(_) | serde_json::Value::Bool(_))) => value.to_string(),
            _ => String::new(),
        };
        let row = |(line, object): &(u64, Object)| Row {
            line: *line,
            cells: header.iter().map(|name| cell(object, name)).collect::<Vec<_>>().into(),
        };
        let rows: Vec<Row> = objects.iter().map(row).collect();
        if rows.is_empty() {
            return Err(Failure::data(format!("{source}: no rows: expected one JSON object a line")));
        }
        Ok(Self { source, header, rows })
    }

    /// A table of the program itself.
    pub(crate) fn embedded<'a>(title: &str, columns: &[&str], rows: impl Iterator<Item = &'a [f64]>) -> Self {
        let row = |(index, row): (usize, &[f64])| Row {
            line: index as u64 + 2,
            cells: row.iter().map(f64::to_string).collect::<Vec<_>>().into(),
        };
        Self {
            source: title.to_owned(),
            header: columns.iter().map(|&name| name.to_owned()).collect(),
            rows: rows.enumerate().map(row).collect(),
        }
    }

    /// How many rows.
    pub(crate) const fn len(&self) -> usize {
        self.rows.len()
    }

    /// The names of the columns.
    pub(crate) fn header(&self) -> &[String] {
        &self.header
    }

    /// The numbers of a column; `None` where the cell is empty or NA.
    pub(crate) fn numbers(&self, name: &str) -> Result<Vec<Option<f64>>, Failure> {
        let column = self.column(name)?;
        let number = |row: &Row| match &row.cells[column] {
            "" | "NA" => Ok(None),
            cell => match cell.parse::<f64>() {
                Ok(value) if value.is_finite() => Ok(Some(value)),
                _ => Err(self.wrong_cell(row, name, "a number, or an empty cell where it is missing")),
            },
        };
        self.rows.iter().map(number).collect()
    }

    /// Whether a column has numbers, and nothing else but empty cells.
    pub(crate) fn is_numeric(&self, name: &str) -> bool {
        self.numbers(name).is_ok_and(|cells| cells.iter().any(Option::is_some))
    }

    /// The numbers of a column that must all be there.
    pub(crate) fn complete_numbers(&self, name: &str) -> Result<Vec<f64>, Failure> {
        let column = self.column(name)?;
        let number = |row: &Row| {
            let value = row.cells[column].parse::<f64>().ok().filter(|value| value.is_finite());
            value.ok_or_else(|| self.wrong_cell(row, name, "a number"))
        };
        self.rows.iter().map(number).collect()
    }

    /// The cells of a column as text; none may be missing.
    pub(crate) fn labels(&self, name: &str) -> Result<Vec<String>, Failure> {
        let column = self.column(name)?;
        let label = |row: &Row| match &row.cells[column] {
            "" | "NA" => Err(self.wrong_cell(row, name, "a label")),
            cell => Ok(cell.to_owned()),
        };
        self.rows.iter().map(label).collect()
    }

    /// The different labels of a column, numbers by size and words by the alphabet, and the place of each row's label among them.
    pub(crate) fn classes(&self, name: &str) -> Result<(Vec<String>, Vec<usize>), Failure> {
        let of_row = self.labels(name)?;
        let labels = distinct_labels(of_row.clone());
        let place = |label: &String| {
            labels.binary_search_by(|own| by_size_then_alphabet(own, label)).unwrap_or_default()
        };
        let of_row = of_row.iter().map(place).collect();
        Ok((labels, of_row))
    }

    /// The whole numbers of a column, from 0 on.
    pub(crate) fn counts(&self, name: &str) -> Result<Vec<u64>, Failure> {
        let numbers = self.complete_numbers(name)?;
        let count = |(row, &number): (&Row, &f64)| {
            let is_count = number >= 0.0 && number.fract() == 0.0 && number < 9e15;
            if is_count { Ok(number as u64) } else { Err(self.wrong_cell(row, name, "a count")) }
        };
        self.rows.iter().zip(&numbers).map(count).collect()
    }

    /// The whole numbers from 0 on of a column; `None` where the cell is empty or NA.
    pub(crate) fn counts_or_missing(&self, name: &str) -> Result<Vec<Option<u64>>, Failure> {
        let count = |(row, cell): (&Row, Option<f64>)| match cell {
            None => Ok(None),
            Some(number) if number >= 0.0 && number.fract() == 0.0 && number < 9e15 => {
                Ok(Some(number as u64))
            }
            Some(_) => Err(self.wrong_cell(row, name, "a count, or an empty cell where it is missing")),
        };
        self.rows.iter().zip(self.numbers(name)?).map(count).collect()
    }

    /// The cells of a column as text; `None` where the cell is empty or NA.
    pub(crate) fn texts_or_missing(&self, name: &str) -> Result<Vec<Option<&str>>, Failure> {
        let column = self.column(name)?;
        let texts = self.rows.iter().map(|row| &row.cells[column]);
        Ok(texts.map(|cell| Some(cell).filter(|cell| !cell.is_empty() && *cell != "NA")).collect())
    }

    /// What to say of a cell that is none of those expected.
    pub(crate) fn refused(&self, row: usize, name: &str, expected: &str) -> Failure {
        self.wrong_cell(&self.rows[row], name, expected)
    }

    /// The line of a row in the file.
    pub(crate) fn line(&self, row: usize) -> u64 {
        self.rows[row].line
    }

    fn wrong_cell(&self, row: &Row, name: &str, expected: &str) -> Failure {
        let cell = self.column(name).map_or("", |column| &row.cells[column]);
        Failure::data(format!(
            "{}: line {}, column {name}: expected {expected}, found {cell:?}",
            self.source, row.line
        ))
    }

    fn column(&self, name: &str) -> Result<usize, Failure> {
        let mut places = (0..self.header.len()).filter(|&place| self.header[place] == name);
        match (places.next(), places.next()) {
            (Some(place), None) => Ok(place),
            (Some(_), Some(_)) => {
                Err(Failure::data(format!("{}: line 1: several columns are called {name:?}", self.source)))
            }
            (None, _) => {
                let message = format!("{}: line 1: no column is called {name:?}", self.source);
                Err(Failure::data(message).with_hint(format!("there are: {}", self.header.join(", "))))
            }
        }
    }
}

/// Refuses a line of very many fields before memory is taken for them.
pub(crate) fn few_fields(source: &str, bytes: &[u8], delimiter: u8) -> Result<(), Failure> {
    for (line, text) in (1_u64..).zip(bytes.split(|&byte| byte == b'\n')) {
        if text.len() >= MOST_FIELDS && text.split(|&byte| byte == delimiter).nth(MOST_FIELDS).is_some() {
            return Err(Failure::data(format!("{source}: line {line}: more than {MOST_FIELDS} fields")));
        }
    }
    Ok(())
}

/// The different labels, numbers by size and then words by the alphabet.
pub(crate) fn distinct_labels(mut labels: Vec<String>) -> Vec<String> {
    labels.sort_unstable_by(|a, b| by_size_then_alphabet(a, b));
    labels.dedup();
    labels
}

/// A total order, in which 1 and 1.0 are two labels.
fn by_size_then_alphabet(a: &str, b: &str) -> Ordering {
    match (a.parse::<f64>(), b.parse::<f64>()) {
        (Ok(x), Ok(y)) => x.total_cmp(&y).then_with(|| a.cmp(b)),
        (Ok(_), Err(_)) => Ordering::Less,
        (Err(_), Ok(_)) => Ordering::Greater,
        (Err(_), Err(_)) => a.cmp(b),
    }
}

/// What is wrong with a file that is no table.
pub(crate) fn wrong(source: &str, error: &csv::Error) -> Failure {
    let message = match error.kind() {
        csv::ErrorKind::UnequalLengths { pos, expected_len, len } => {
            let line = pos.as_ref().map_or(0, csv::Position::line);
            format!("line {line}: {len} fields, expected {expected_len} as in the header")
        }
        csv::ErrorKind::Utf8 { pos, .. } => {
            let line = pos.as_ref().map_or(0, csv::Position::line);
            format!("line {line}: expected text in UTF-8, found other bytes")
        }
        _ => error.to_string(),
    };
    Failure::data(format!("{source}: {message}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_have_one_order_whatever_mixes_numbers_and_words() {
        // 10 < 1a < 9 by the alphabet and 9 < 10 by size: an order that mixes both goes round.
        let labels = ["10", "1a", "9", "1.0", "1", "nan", "1", "1.0", "-0", "0"];
        let mut many: Vec<String> = Vec::new();
        for _ in 0..10 {
            many.extend(labels.iter().map(|&label| label.to_owned()));
        }
        let distinct = distinct_labels(many);
        assert_eq!(distinct, ["-0", "0", "1", "1.0", "9", "10", "nan", "1a"]);
    }
}
