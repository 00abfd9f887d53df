//! `cargo xtask datasets NAME [--from SOURCE]`: makes an embedded data set from its source, and how such data
//! are packed. The same source makes the same bytes.

mod digits;
mod letters;
mod sotu;

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use flate2::{Compression, GzBuilder};

use crate::{Outcome, cargo};

/// A data set that is embedded in `posterior-datasets`.
#[derive(Debug)]
struct Embedded {
    name: &'static str,
    /// A file or a folder in the folder that POSTERIOR_SHARED names, or in `../shared` beside the checkout.
    source: &'static str,
    /// From the root of the workspace.
    target: &'static str,
    /// The bytes of the target, from the source.
    make: fn(&Path) -> Result<Vec<u8>, String>,
}

/// Makes the data set that is named.
pub(crate) fn run(arguments: &[String]) -> Outcome {
    let found = [&sotu::SOTU, &letters::ENGLISH_LETTERS, &digits::DIGITS]
        .into_iter()
        .find(|own| arguments.first().is_some_and(|name| name == own.name));
    let (data, source) = match (found, arguments.get(1..)) {
        (Some(data), Some([])) => (data, data.default_source()),
        (Some(data), Some([flag, source])) if flag == "--from" => (data, PathBuf::from(source)),
        _ => return Err("usage: cargo xtask datasets sotu|english-letters|digits [--from SOURCE]".to_owned()),
    };
    let bytes = (data.make)(&source)?;
    let target = cargo::root().join(data.target);
    fs::write(&target, &bytes).map_err(|error| format!("{}: {error}", target.display()))?;
    println!("{}: {} bytes", target.display(), bytes.len());
    Ok(())
}

impl Embedded {
    fn default_source(&self) -> PathBuf {
        let shared = option_env!("POSTERIOR_SHARED");
        shared.map_or_else(|| cargo::root().join("../shared"), PathBuf::from).join(self.source)
    }
}

/// Appends a number in bytes of seven bits, the lowest first.
fn varint(bytes: &mut Vec<u8>, mut value: usize) {
    while value >= 0x80 {
        bytes.push(value as u8 & 0x7f | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

/// Gzip without a time and a file name, so that the same bytes come out every time.
fn compress(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut gzip = GzBuilder::new().mtime(0).write(Vec::new(), Compression::best());
    gzip.write_all(bytes)?;
    gzip.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_committed_files_are_made_again_byte_for_byte() {
        for data in [&sotu::SOTU, &letters::ENGLISH_LETTERS, &digits::DIGITS] {
            let source = data.default_source();
            if !source.exists() {
                crate::ci::note("embedded::the_committed_files_are_made_again_byte_for_byte", &source);
                continue;
            }
            let committed = fs::read(cargo::root().join(data.target)).unwrap();
            assert!((data.make)(&source).unwrap() == committed, "{}", data.name);
        }
    }
}
