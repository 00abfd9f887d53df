//! Files and standard input, gzip'd or not.

use std::fs::File;
use std::io::{Read, stdin};
use std::path::Path;

use posterior::topics::corpus::Unpacked;

use crate::failure::Failure;

/// The name of the input in messages, and its bytes.
pub(crate) fn bytes(path: &Path) -> Result<(String, Vec<u8>), Failure> {
    let mut bytes = Vec::new();
    let source = if path == Path::new("-") {
        let source = "standard input".to_owned();
        stdin()
            .lock()
            .read_to_end(&mut bytes)
            .map_err(|error| Failure::data(format!("{source}: {error}")))?;
        source
    } else {
        let read = File::open(path).and_then(|mut file| file.read_to_end(&mut bytes));
        read.map_err(|error| Failure::io(path, &error))?;
        path.display().to_string()
    };
    if bytes.starts_with(&[0x1f, 0x8b]) {
        let mut text = Vec::new();
        let read = Unpacked::new(&bytes[..]).read_to_end(&mut text);
        read.map_err(|error| Failure::data(format!("{source}: {error}")))?;
        bytes = text;
    }
    Ok((source, bytes))
}

/// The name of the input in messages, and its text.
pub(crate) fn text(path: &Path) -> Result<(String, String), Failure> {
    let (source, bytes) = bytes(path)?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = before.split(|&byte| byte == b'\n').count();
        Failure::data(format!("{source}: line {line}: expected UTF-8, found a byte that is not"))
    })?;
    Ok((source, text))
}
