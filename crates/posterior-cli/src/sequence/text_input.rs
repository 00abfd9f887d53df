//! Texts from files.

use std::path::Path;

use crate::failure::Failure;
use crate::input;

/// The name of a text in messages, and the text, which is not empty.
pub(super) fn read(path: &Path) -> Result<(String, String), Failure> {
    let (source, bytes) = input::bytes(path)?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = before.split(|&byte| byte == b'\n').count();
        Failure::data(format!("{source}: line {line}: expected UTF-8, found a byte that is not"))
    })?;
    if text.trim().is_empty() {
        return Err(Failure::data(format!("{source}: expected a text, found none")));
    }
    Ok((source, text))
}

/// Checks a share that is held out.
pub(super) fn check_share(share: f64) -> Result<f64, Failure> {
    if (0.0..1.0).contains(&share) {
        Ok(share)
    } else {
        Err(Failure::Usage(format!("--holdout {share}: expected at least 0 and less than 1")))
    }
}
