//! `cargo xtask datasets english-letters [--from FILE]`: makes the embedded counts of English letters from a
//! text.
//!
//! FILE has one line of spaces and letters a to z; without it, `data/sequence/english_lm.txt` of the folder
//! that POSTERIOR_SHARED names, or of `../shared` beside the checkout. The same source makes the same bytes.
//! The format is described where it is decoded, in `posterior-datasets/src/english_letters.rs`.

use std::fs;
use std::path::{Path, PathBuf};

use crate::embedded::{compress, varint};

/// The embedded file, from the root of the workspace.
const TARGET: &str = "crates/posterior-datasets/data/english_letters.gz";

/// Runs the command with the arguments after `datasets english-letters`.
///
/// # Errors
/// Unknown arguments, a missing or malformed text, or a target that cannot be written, in words.
pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    let file = match arguments {
        [] => default_source(),
        [flag, file] if flag == "--from" => PathBuf::from(file),
        _ => return Err("usage: cargo xtask datasets english-letters [--from FILE]".to_owned()),
    };
    let bytes = make(&file)?;
    let target = root().join(TARGET);
    fs::write(&target, &bytes).map_err(|error| format!("{}: {error}", target.display()))?;
    println!("{}: {} bytes", target.display(), bytes.len());
    Ok(())
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn default_source() -> PathBuf {
    let shared = option_env!("POSTERIOR_SHARED").map_or_else(|| root().join("../shared"), PathBuf::from);
    shared.join("data/sequence/english_lm.txt")
}

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
    fn the_committed_file_is_made_again_byte_for_byte() {
        let file = default_source();
        if !file.is_file() {
            crate::ci::note("letters::the_committed_file_is_made_again_byte_for_byte", &file);
            return;
        }
        assert!(make(&file).unwrap() == fs::read(root().join(TARGET)).unwrap());
    }

    #[test]
    fn other_characters_are_refused() {
        assert!(count("Abc").unwrap_err().starts_with("byte 0"));
        assert_eq!(encode(&count("aaaaa").unwrap())[0], 1);
    }
}
