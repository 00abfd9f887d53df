//! Reads PGM files (P5, 8 bits), the format of the test images.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;

/// Gray values, row by row.
pub(super) struct Gray {
    pub(super) rows: usize,
    pub(super) columns: usize,
    pub(super) pixels: Vec<u8>,
}

pub(super) fn read(path: &Path) -> Gray {
    let bytes = fs::read(path).unwrap();
    let mut position = 0;
    let mut word = || {
        while bytes[position].is_ascii_whitespace() || bytes[position] == b'#' {
            let comment = bytes[position] == b'#';
            position += 1;
            while comment && bytes[position] != b'\n' {
                position += 1;
            }
        }
        let start = position;
        while !bytes[position].is_ascii_whitespace() {
            position += 1;
        }
        String::from_utf8(bytes[start..position].to_vec()).unwrap()
    };
    assert_eq!(word(), "P5", "{}", path.display());
    let (columns, rows): (usize, usize) = (word().parse().unwrap(), word().parse().unwrap());
    assert_eq!(word(), "255");
    let pixels = bytes[position + 1..].to_vec();
    assert_eq!(pixels.len(), rows * columns);
    Gray { rows, columns, pixels }
}
