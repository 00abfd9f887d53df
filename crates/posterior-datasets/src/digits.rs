//! Digits from 0 to 9 in the hands of thirteen people, as images of 8 x 8 pixels.
//!
//! `cargo xtask datasets digits` makes the embedded file from the table of scikit-learn.

use std::io::{self, Read, Write};

use flate2::read::GzDecoder;

static EMBEDDED: &[u8] = include_bytes!("../data/digits.gz");

/// Where the images are from, under which terms, and how they were made.
pub const PROVENANCE: &str = "\
What: 1,797 handwritten digits, some 180 of each, as images of 8 x 8 pixels with values from 0 (paper) to 16 (ink).
Source: E. Alpaydin, C. Kaynak, Optical recognition of handwritten digits, UCI Machine Learning Repository, 1998: the part for tests, written by
thirteen people, as scikit-learn ships it (load_digits).
Terms: Creative Commons Attribution 4.0.
How made (by the authors): forms were scanned as 32 x 32 bits, and each pixel counts the ink of 4 x 4 bits.
";

/// Pixels of a side.
pub const SIDE: usize = 8;

/// Pixels of an image.
pub const PIXELS: usize = SIDE * SIDE;

/// An image with what it shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DigitImage {
    /// The digit that was meant, 0 to 9.
    pub digit: u8,
    /// Ink from 0 to 16, row by row from above.
    pub pixels: [u8; PIXELS],
}

/// All images, in the order of their source.
///
/// ```
/// let images = posterior_datasets::digits::load();
/// assert_eq!(images.len(), 1797);
/// assert_eq!(images[0].digit, 0);
/// ```
///
/// # Panics
/// Never: the bytes are part of the binary, and the tests of this crate decode all of them.
pub fn load() -> Vec<DigitImage> {
    decode(EMBEDDED).expect("the embedded bytes never change, and the tests decode them")
}

/// A gzip file: of each image the digit, and then its pixels, a byte each.
fn decode(gzip: &[u8]) -> Option<Vec<DigitImage>> {
    let mut bytes = Vec::new();
    GzDecoder::new(gzip).read_to_end(&mut bytes).ok()?;
    let (rows, rest) = bytes.as_chunks::<{ PIXELS + 1 }>();
    let image = |row: &[u8; PIXELS + 1]| {
        let (digit, pixels) = row.split_first()?;
        Some(DigitImage { digit: *digit, pixels: pixels.try_into().ok()? })
    };
    if rest.is_empty() { rows.iter().map(image).collect() } else { None }
}

/// Writes a table: `digit`, and the pixels `p00`, … row by row.
///
/// # Errors
/// Whatever `out` refuses.
pub fn write_digits(out: &mut dyn Write) -> io::Result<()> {
    write!(out, "digit")?;
    for pixel in 0..PIXELS {
        write!(out, ",p{pixel:02}")?;
    }
    writeln!(out)?;
    for DigitImage { digit, pixels } in load() {
        write!(out, "{digit}")?;
        for pixel in pixels {
            write!(out, ",{pixel}")?;
        }
        writeln!(out)?;
    }
    Ok(())
}
