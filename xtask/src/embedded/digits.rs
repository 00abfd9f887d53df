//! The embedded handwritten digits, from the table of scikit-learn: the digit, and 64 pixels from 0 to 16.
//! The format is described where it is decoded, in `posterior-datasets/src/digits.rs`.

use std::fs;
use std::path::Path;

use super::{Embedded, compress};

/// Pixels of an image.
const PIXELS: usize = 64;

/// The data set.
pub(super) const DIGITS: Embedded = Embedded {
    name: "digits",
    source: "data/tabular/digits8x8.csv",
    target: "crates/posterior-datasets/data/digits.gz",
    make,
};

/// The embedded file, from a table with a header.
fn make(file: &Path) -> Result<Vec<u8>, String> {
    let text = fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
    compress(&encode(&text)?).map_err(|error| error.to_string())
}

fn encode(text: &str) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    for (line, row) in text.lines().enumerate().skip(1) {
        let numbers: Result<Vec<u8>, _> = row.split(',').map(str::parse).collect();
        let numbers = numbers.map_err(|error| format!("line {}: {error}", line + 1))?;
        let fits = numbers.len() == PIXELS + 1 && numbers[0] < 10 && numbers.iter().all(|pixel| *pixel <= 16);
        if !fits {
            return Err(format!("line {}: expected a digit and {PIXELS} numbers from 0 to 16", line + 1));
        }
        bytes.extend(numbers);
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_numbers_are_refused() {
        let row = |pixel: &str| format!("digit,p\n7{}\n", format!(",{pixel}").repeat(PIXELS));
        assert_eq!(encode(&row("16")).map(|bytes| bytes.len()), Ok(PIXELS + 1));
        assert!(encode(&row("17")).unwrap_err().starts_with("line 2"));
        assert!(encode("digit,p\n7,3\n").is_err());
    }
}
