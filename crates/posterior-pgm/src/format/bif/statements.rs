//! What BIF has between its names: lists of numbers, properties, blocks.

use crate::ParseError;
use crate::format::lexer::Lexer;

impl Lexer<'_> {
    /// Numbers up to a semicolon, added to `values`: exactly `count`.
    pub(super) fn numbers(&mut self, count: usize, values: &mut Vec<f64>) -> Result<(), ParseError> {
        let mut found = 0;
        loop {
            self.skip_commas()?;
            match self.peek() {
                Some(b';' | b'}') if found < count => {
                    return Err(self
                        .source
                        .error(self.at, format!("expected {count} numbers, found {found}")));
                }
                Some(b';') => {
                    self.at += 1;
                    return Ok(());
                }
                Some(b'}') => return Ok(()),
                _ if found == count => return Err(self.expected(&format!("`;` after {count} numbers"))),
                _ => values.push(self.number()?),
            }
            found += 1;
        }
    }

    /// The text of a property: up to a semicolon that is not in quotes.
    pub(super) fn property(&mut self) -> Result<String, ParseError> {
        self.skip()?;
        let start = self.at;
        let mut quoted = false;
        while let Some(byte) = self.peek() {
            match byte {
                b'"' => quoted = !quoted,
                b';' if !quoted => break,
                _ => {}
            }
            self.at += 1;
        }
        if self.peek().is_none() {
            return Err(self
                .source
                .error(start, "expected `;` at the end of the property, found the end of the file"));
        }
        let text = self.source.text(start, self.at)?.trim();
        self.at += 1;
        let inner = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
        Ok(inner.filter(|inner| !inner.contains('"')).unwrap_or(text).to_owned())
    }

    /// Passes over a block in braces, without a look at what is in it.
    pub(super) fn skip_block(&mut self) -> Result<(), ParseError> {
        let start = self.at;
        let mut depth = 0usize;
        loop {
            self.skip()?;
            match self.peek() {
                None => return Err(self.source.error(start, "the block that begins here has no end")),
                Some(b'"') => {
                    self.raw_name("a name")?;
                    continue;
                }
                Some(b'{') => depth += 1,
                Some(b'}') if depth <= 1 => {
                    self.at += 1;
                    return Ok(());
                }
                Some(b'}') => depth -= 1,
                _ => {}
            }
            self.at += 1;
        }
    }
}
