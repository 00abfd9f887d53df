//! The embedded counts of English letters, from a text: one line of spaces and letters a to z. The format is
//! described where it is decoded, in `posterior-datasets/src/english_letters.rs`.

use std::fs;
use std::path::Path;

use super::{Embedded, compress, varint};

/// The data set.
pub(super) const ENGLISH_LETTERS: Embedded = Embedded {
    name: "english-letters",
    source: "data/sequence/english_lm.txt",
    target: "crates/posterior-datasets/data/english_letters.gz",
    make,
};

/// The embedded file, from a text.
fn make(file: &Path) -> Result<Vec<u8>, String> {
    let text = fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
    compress(&encode(&count(text.trim_end_matches('\n'))?)).map_err(|error| error.to_string())
}

/// How often each row of four characters comes.
fn count(text: &str) -> Result<Vec<usize>, String> {
    let digit = |(place, byte): (usize, u8)| match byte {
        b' ' => Ok(0),
        b'a'..=b'z' => Ok(usize::from(byte - b'a') + 1),
        _ => Err(format!("byte {place} of the text: expected a space or a letter a to z")),
    };
    let digits: Vec<usize> = text.bytes().enumerate().map(digit).collect::<Result<_, _>>()?;
    let mut counts = vec![0; 27 * 27 * 27 * 27];
    for row in digits.windows(4) {
        counts[row.iter().fold(0, |index, digit| index * 27 + digit)] += 1;
    }
    Ok(counts)
}

fn encode(counts: &[usize]) -> Vec<u8> {
    let rows: Vec<usize> = (0..counts.len()).filter(|&row| counts[row] > 0).collect();
    let mut bytes = Vec::new();
    varint(&mut bytes, rows.len());
    let mut next = 0;
    for &row in &rows {
        varint(&mut bytes, row - next);
        next = row + 1;
    }
    for row in rows {
        varint(&mut bytes, counts[row]);
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_characters_are_refused() {
        assert!(count("Abc").unwrap_err().starts_with("byte 0"));
        assert_eq!(encode(&count("aaaaa").unwrap())[0], 1);
    }
}
