//! Tables: the same columns in every line.

use std::io::{self, BufRead, Write};

use super::line::{BYTE_ORDER_MARK, Lines};
use crate::error::Error;
use posterior_math::check::DimensionError;

/// The separator of the columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Separator {
    /// Any number of spaces and tabs; those at the ends of a line do not count.
    #[default]
    Blanks,
    /// One tab: cells may hold spaces. No cell may be empty.
    Tab,
}

/// The tokens of a sequence, each with its cells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenTable {
    first_line: usize,
    columns: usize,
    text: String,
    /// Where each cell ends in `text`.
    ends: Vec<usize>,
}

impl TokenTable {
    /// The table with these rows.
    ///
    /// # Errors
    /// If a row has other columns than the first, or no row has a column. Cells are taken as they are:
    /// [`write_tables`] tells which ones no file can hold.
    pub fn from_rows<'a, I, J>(rows: I) -> Result<Self, Error>
    where
        I: IntoIterator<Item = J>,
        J: IntoIterator<Item = &'a str>,
    {
        let mut table = Self::empty(1, 0);
        for row in rows {
            let before = table.ends.len();
            for cell in row {
                table.push(cell);
            }
            let found = table.ends.len() - before;
            if before == 0 {
                table.columns = found;
            }
            if found != table.columns || found == 0 {
                let expected = table.columns.max(1);
                return Err(DimensionError::new("columns of a row", expected, found).into());
            }
        }
        Ok(table)
    }

    /// No token yet.
    pub(super) const fn empty(first_line: usize, columns: usize) -> Self {
        Self { first_line, columns, text: String::new(), ends: Vec::new() }
    }

    /// The same, beginning at this line of a file.
    pub(super) fn at(self, first_line: usize) -> Self {
        Self { first_line, ..self }
    }

    /// Adds a cell.
    pub(super) fn push(&mut self, cell: &str) {
        self.text.push_str(cell);
        self.ends.push(self.text.len());
    }

    /// The line of the file with the first token, from 1.
    pub const fn first_line(&self) -> usize {
        self.first_line
    }

    /// The number of tokens.
    pub const fn len(&self) -> usize {
        self.ends.len() / if self.columns == 0 { 1 } else { self.columns }
    }

    /// Whether there is no token. Readers give no such tables.
    pub const fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The number of columns.
    pub const fn columns(&self) -> usize {
        self.columns
    }

    /// A cell.
    ///
    /// # Panics
    /// If there is no such token or column.
    #[track_caller]
    pub fn cell(&self, token: usize, column: usize) -> &str {
        assert!(column < self.columns, "column {column} of {}", self.columns);
        let index = token * self.columns + column;
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.text[start..self.ends[index]]
    }

    /// The cells of a token.
    ///
    /// # Panics
    /// If there is no such token.
    #[track_caller]
    pub fn row(&self, token: usize) -> impl ExactSizeIterator<Item = &str> {
        (0..self.columns).map(move |column| self.cell(token, column))
    }

    /// A column, from the first token to the last.
    ///
    /// # Panics
    /// If there is no such column.
    #[track_caller]
    pub fn column(&self, column: usize) -> impl ExactSizeIterator<Item = &str> {
        assert!(column < self.columns || self.is_empty(), "column {column} of {}", self.columns);
        (0..self.len()).map(move |token| self.cell(token, column))
    }
}

/// Reads [`TokenTable`]s.
#[derive(Debug)]
pub struct TableReader<R> {
    lines: Lines<R>,
    separator: Separator,
    comment: Option<String>,
    columns: Option<usize>,
}

impl<R: BufRead> TableReader<R> {
    /// A reader of columns between [`Separator::Blanks`], as many as the first line has, without comments.
    pub const fn new(source: R) -> Self {
        Self { lines: Lines::new(source), separator: Separator::Blanks, comment: None, columns: None }
    }

    /// The separator of the columns.
    #[must_use]
    pub const fn with_separator(mut self, separator: Separator) -> Self {
        self.separator = separator;
        self
    }

    /// Passes over lines that start so. Without this nothing is a comment, since `#` is also a token.
    #[must_use]
    pub fn with_comments(mut self, start: &str) -> Self {
        self.comment = Some(start.to_owned());
        self
    }

    /// The number of columns that every line must have.
    #[must_use]
    pub const fn with_columns(mut self, columns: usize) -> Self {
        self.columns = Some(columns);
        self
    }

    fn read(&mut self) -> Result<Option<TokenTable>, Error> {
        let mut table: Option<TokenTable> = None;
        loop {
            let number = self.lines.number() + 1;
            let Some(line) = self.lines.read()? else { return Ok(table) };
            if self.comment.as_deref().is_some_and(|start| line.starts_with(start)) {
                continue;
            }
            if line.bytes().all(|byte| byte == b' ' || byte == b'\t') {
                if table.is_some() {
                    return Ok(table);
                }
                continue;
            }
            let own = table.get_or_insert_with(|| TokenTable::empty(number, 0));
            let before = own.ends.len();
            match self.separator {
                Separator::Blanks => {
                    line.split([' ', '\t']).filter(|cell| !cell.is_empty()).for_each(|cell| own.push(cell));
                }
                Separator::Tab => line.split('\t').for_each(|cell| own.push(cell)),
            }
            let found = own.ends.len() - before;
            let expected = *self.columns.get_or_insert(found);
            if found != expected {
                let plural = if found == 1 { "" } else { "s" };
                let message = format!("{found} column{plural}, expected {expected}");
                return Err(Error::Line { line: number, message });
            }
            own.columns = expected;
            let row = own.ends.len() / expected - 1;
            if let Some(empty) = (0..expected).find(|&column| own.cell(row, column).is_empty()) {
                return Err(Error::Line { line: number, message: format!("column {} is empty", empty + 1) });
            }
        }
    }
}

impl<R: BufRead> Iterator for TableReader<R> {
    type Item = Result<TokenTable, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let read = self.read();
        self.lines.item(read)
    }
}

/// Writes tables: a token a line, the separator (one space for [`Separator::Blanks`]) between its cells, an
/// empty line after each table.
///
/// # Errors
/// Those of the writer, and `InvalidInput` for a cell that would not be read as it was written: one that is
/// empty, or holds a separator, an end of line, or at the beginning of all a byte order mark. Tables without
/// tokens leave no trace.
pub fn write_tables<'a, W, I>(target: &mut W, tables: I, separator: Separator) -> io::Result<()>
where
    W: Write + ?Sized,
    I: IntoIterator<Item = &'a TokenTable>,
{
    let between = match separator {
        Separator::Blanks => " ",
        Separator::Tab => "\t",
    };
    let mut begins = true;
    for table in tables.into_iter().filter(|table| !table.is_empty()) {
        for token in 0..table.len() {
            for (column, cell) in table.row(token).enumerate() {
                let bad = |sign: char| match sign {
                    '\n' | '\r' | '\t' => true,
                    ' ' => separator == Separator::Blanks,
                    _ => false,
                };
                let blank = cell.bytes().all(|byte| byte == b' ');
                if blank || cell.contains(bad) || (begins && cell.starts_with(BYTE_ORDER_MARK)) {
                    let message = format!("a table cannot hold the cell {cell:?}");
                    return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
                }
                begins = false;
                let start = if column == 0 { "" } else { between };
                write!(target, "{start}{cell}")?;
            }
            writeln!(target)?;
        }
        writeln!(target)?;
    }
    Ok(())
}
