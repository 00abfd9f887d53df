//! How often four characters follow each other in English: the space and the letters a to z.
//!
//! 17,416 of 27⁴ = 531,441 rows of four come at all; 24 kB of the binary.
//! `cargo xtask datasets english-letters` makes the embedded file from the text.

use std::io::{self, Read, Write};

use flate2::read::GzDecoder;

static EMBEDDED: &[u8] = include_bytes!("../data/english_letters.gz");

/// Where the counts are from, under which terms, and how they were made.
pub const PROVENANCE: &str = "\
What: counts of the 17,416 different rows of four characters, of 27 (space, a to z), in English.
Source: inaugural addresses of the presidents of the United States, as the package inaugural of nltk_data has them, without
Harrison 1841, Lincoln 1861, Roosevelt 1905, Coolidge 1925, Roosevelt 1933 and Kennedy 1961: 673,549 characters.
Terms: the addresses are works of the United States government and in the public domain. Only counts are embedded, not the texts.
How counted: lower case, apostrophes dropped, everything else that is no letter a single space; every place of the text where four
characters begin.
";

/// The characters, in the order of their numbers.
pub const CHARACTERS: &str = " abcdefghijklmnopqrstuvwxyz";

/// How many characters are counted together.
pub const ORDER: usize = 4;

/// The counts of all rows of four characters: 27⁴, by the number whose digits of base 27 are those of the
/// characters, the first character's first.
///
/// ```
/// use posterior_datasets::english_letters::{CHARACTERS, load};
///
/// let counts = load();
/// let index = " the".chars().fold(0, |index, c| index * 27 + CHARACTERS.find(c).unwrap());
/// assert_eq!(counts[index], 10_521);
/// ```
///
/// # Panics
/// Never: the bytes are part of the binary, and the tests of this crate decode all of them.
pub fn load() -> Vec<u32> {
    decode(EMBEDDED).expect("the embedded bytes never change, and the tests decode them")
}

/// A gzip file: the number of rows that come; for each, how many are left out since the one before; their
/// counts. All numbers in groups of seven bits, the lowest first, with the high bit set when more follow.
fn decode(gzip: &[u8]) -> Option<Vec<u32>> {
    let mut bytes = Vec::new();
    GzDecoder::new(gzip).read_to_end(&mut bytes).ok()?;
    let mut numbers = bytes.split_inclusive(|byte| byte & 0x80 == 0).map(|groups| {
        let digits = groups.iter().rev();
        digits.fold(0_u32, |number, byte| number << 7 | u32::from(byte & 0x7f))
    });
    let rows = numbers.next()? as usize;
    let mut next = 0;
    let mut places = Vec::with_capacity(rows.min(bytes.len()));
    for _ in 0..rows {
        let place = next + numbers.next()? as usize;
        places.push(place);
        next = place + 1;
    }
    let mut counts = vec![0; CHARACTERS.len().pow(ORDER as u32)];
    for place in places {
        *counts.get_mut(place)? = numbers.next()?;
    }
    numbers.next().is_none().then_some(counts)
}

/// Writes a table of the rows that come: `characters,count`, with `_` for the space.
///
/// # Errors
/// Whatever `out` refuses.
pub fn write_counts(out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "characters,count")?;
    for (index, count) in load().into_iter().enumerate().filter(|&(_, count)| count > 0) {
        let digits = [index / 19_683, index / 729 % 27, index / 27 % 27, index % 27];
        let row: String = digits.map(|digit| char::from(CHARACTERS.as_bytes()[digit])).iter().collect();
        writeln!(out, "{},{count}", row.replace(' ', "_"))?;
    }
    Ok(())
}
