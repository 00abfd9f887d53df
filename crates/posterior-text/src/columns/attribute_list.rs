//! Lists of attributes: a label and named values in every line.

use std::fmt::Write as _;
use std::io::{self, BufRead, Write};

use super::line::{BYTE_ORDER_MARK, Lines};
use crate::error::Error;

/// A named value of a token.
#[derive(Debug, Clone, PartialEq)]
pub struct Attribute {
    /// The name.
    pub name: String,
    /// The value, 1 where none is written.
    pub value: f64,
}

/// The tokens of a sequence, each with a label and attributes.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AttributeLists {
    /// The line of the file with the first token, from 1.
    pub first_line: usize,
    /// A label for each token.
    pub labels: Vec<String>,
    /// The attributes of each token, in the order of the file; a name may stand twice.
    pub attributes: Vec<Vec<Attribute>>,
}

/// Reads [`AttributeLists`]: lines `label TAB attribute TAB ...`, where an attribute is `name` or
/// `name:value`.
///
/// The value is what follows the last colon that has no backslash before it; `\:` and `\\` in a name or label
/// are a colon and a backslash, and a backslash before anything else stands for itself. A value that is no
/// finite number is an error, not 0. A label may have no attributes. Source: Okazaki (2007), CRFsuite, "Data
/// format".
#[derive(Debug)]
pub struct AttributeReader<R> {
    lines: Lines<R>,
}

impl<R: BufRead> AttributeReader<R> {
    /// A reader.
    pub const fn new(source: R) -> Self {
        Self { lines: Lines::new(source) }
    }

    fn read(&mut self) -> Result<Option<AttributeLists>, Error> {
        let mut lists: Option<AttributeLists> = None;
        loop {
            let number = self.lines.number() + 1;
            let Some(line) = self.lines.read()? else { return Ok(lists) };
            let line = line.trim_end_matches([' ', '\t']);
            if line.is_empty() {
                if lists.is_some() {
                    return Ok(lists);
                }
                continue;
            }
            let refuse = |message| Error::Line { line: number, message };
            let mut fields = line.split('\t');
            let label = unescaped(fields.next().unwrap_or_default());
            if label.is_empty() {
                return Err(refuse("the label is empty".to_owned()));
            }
            let attributes =
                fields.map(attribute).collect::<Result<Vec<Attribute>, String>>().map_err(refuse)?;
            let own =
                lists.get_or_insert_with(|| AttributeLists { first_line: number, ..Default::default() });
            own.labels.push(label);
            own.attributes.push(attributes);
        }
    }
}

impl<R: BufRead> Iterator for AttributeReader<R> {
    type Item = Result<AttributeLists, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let read = self.read();
        self.lines.item(read)
    }
}

/// `name` or `name:value`.
fn attribute(field: &str) -> Result<Attribute, String> {
    let (name, value) = match last_bare_colon(field) {
        None => (field, 1.0),
        Some(colon) => {
            let written = &field[colon + 1..];
            let value = written.parse().ok().filter(|value: &f64| value.is_finite());
            let value = value.ok_or_else(|| {
                format!(
                    "the attribute {field:?} has the value {written:?}, which is not a number; a colon in a name is written \\:"
                )
            })?;
            (&field[..colon], value)
        }
    };
    if name.is_empty() {
        return Err("an attribute has no name; attributes are separated by one tab".to_owned());
    }
    Ok(Attribute { name: unescaped(name), value })
}

/// Where the last colon is that no backslash protects.
fn last_bare_colon(field: &str) -> Option<usize> {
    let mut last = None;
    let mut bytes = field.bytes().enumerate();
    while let Some((at, byte)) = bytes.next() {
        match byte {
            b'\\' if matches!(field.as_bytes().get(at + 1), Some(b':' | b'\\')) => {
                bytes.next();
            }
            b':' => last = Some(at),
            _ => {}
        }
    }
    last
}

fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut signs = text.chars().peekable();
    while let Some(sign) = signs.next() {
        let protected = sign == '\\' && matches!(signs.peek(), Some(':' | '\\'));
        plain.push(if protected { signs.next().unwrap_or(sign) } else { sign });
    }
    plain
}

/// Writes lists of attributes, an empty line after each. Values of 1 are left out, others have all their
/// digits.
///
/// # Errors
/// Those of the writer, and `InvalidInput` for what would not be read as it was written: empty names or
/// labels, those with tabs or ends of lines in them or blanks at their ends, a byte order mark at the
/// beginning of all, values that are not finite, another number of labels than of tokens.
pub fn write_attribute_lists<'a, W, I>(target: &mut W, sequences: I) -> io::Result<()>
where
    W: Write + ?Sized,
    I: IntoIterator<Item = &'a AttributeLists>,
{
    let (mut line, mut begins) = (String::new(), true);
    for lists in sequences {
        if lists.labels.len() != lists.attributes.len() {
            return Err(refused("labels and tokens are not equally many".to_owned()));
        }
        for (label, attributes) in lists.labels.iter().zip(&lists.attributes) {
            line.clear();
            if begins && label.starts_with(BYTE_ORDER_MARK) {
                return Err(refused(format!("a file cannot begin with the label {label:?}")));
            }
            begins = false;
            escape(label, &mut line)?;
            for Attribute { name, value } in attributes {
                line.push('\t');
                escape(name, &mut line)?;
                if !value.is_finite() {
                    return Err(refused(format!("the attribute {name:?} has the value {value}")));
                }
                if *value != 1.0 {
                    // Writing to a string cannot fail.
                    let _ = write!(line, ":{value}");
                }
            }
            writeln!(target, "{line}")?;
        }
        if !lists.labels.is_empty() {
            writeln!(target)?;
        }
    }
    Ok(())
}

fn escape(name: &str, line: &mut String) -> io::Result<()> {
    if name.is_empty() || name.contains(['\t', '\n', '\r']) || name.trim_end_matches(' ').len() < name.len() {
        return Err(refused(format!("no label or name of an attribute: {name:?}")));
    }
    for sign in name.chars() {
        if matches!(sign, ':' | '\\') {
            line.push('\\');
        }
        line.push(sign);
    }
    Ok(())
}

fn refused(message: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, message)
}
