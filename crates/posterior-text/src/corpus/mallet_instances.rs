//! Texts as MALLET imports them from one file: a document a line.
//!
//! ```text
//! first   news   War and peace, and war.
//! second  novel  Peace.
//! ```

use super::lines::Lines;
use super::metadata::{Metadata, Row};
use super::open::Source;
use super::text_visitor::VisitText;
use super::texts::{Text, Texts};
use crate::Error;

/// Reads a document a line: its name, its label, and its text, with blanks, tabs or commas between them, as
/// MALLET's `import-file` does. The label is the column `label` of the metadata.
///
/// Blank lines are passed over.
///
/// # Errors
/// The source cannot be read or is empty, or a line has no text: the message names it.
///
/// ```
/// use posterior_text::corpus::{Source, read_mallet_instances};
///
/// let lines = "first\tnews\tWar and peace.\nsecond novel Peace\n";
/// let texts = read_mallet_instances(Source::from_reader(lines.as_bytes(), "texts.txt")?)?;
/// assert_eq!((texts.texts[0].name.as_str(), texts.texts[0].text.as_str()), ("first", "War and peace."));
/// assert_eq!(texts.metadata.unwrap().text("label")?, ["news", "novel"]);
/// # Ok::<(), posterior_text::Error>(())
/// ```
pub fn read_mallet_instances(source: Source) -> Result<Texts, Error> {
    let mut lines = Lines::new(source);
    let (mut texts, mut rows) = (Vec::new(), Vec::new());
    while lines.advance_to_filled()? {
        let (name, label, text) = fields(&lines)?;
        rows.push(Row { line: lines.number(), fields: vec![label.to_owned()] });
        texts.push(Text { name: name.to_owned(), text: text.to_owned() });
    }
    if texts.is_empty() {
        return Err(lines.contents_error("empty file: expected a document a line"));
    }
    let metadata = Metadata::new(lines.path(), vec!["label".to_owned()], rows);
    Ok(Texts { texts, metadata: Some(metadata) })
}

/// The same a document at a time, and nothing of the labels.
pub(super) fn for_each_text(source: Source, visit: &mut VisitText<'_>) -> Result<(), Error> {
    let mut lines = Lines::new(source);
    let mut is_empty = true;
    while lines.advance_to_filled()? {
        let (name, _, text) = fields(&lines)?;
        visit(name, text)?;
        is_empty = false;
    }
    if is_empty { Err(lines.contents_error("empty file: expected a document a line")) } else { Ok(()) }
}

/// The name, the label and the text of the current line.
fn fields(lines: &Lines) -> Result<(&str, &str, &str), Error> {
    let (name, rest) = field(lines.line().trim_start());
    let (label, text) = field(rest);
    if text.is_empty() {
        let error = lines.error("expected a name, a label and a text");
        return Err(error.with_hint("each line is a document, as `first news War and peace`"));
    }
    Ok((name, label, text))
}

/// The first field, and what is behind the blanks and commas after it.
fn field(line: &str) -> (&str, &str) {
    let between = |c: char| c.is_whitespace() || c == ',';
    let (field, rest) = line.split_at(line.find(char::is_whitespace).unwrap_or(line.len()));
    let own = field.trim_end_matches(',');
    (own, rest.trim_start_matches(between))
}
