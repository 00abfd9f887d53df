//! How embedded data are packed.

use std::io::{self, Write};

use flate2::{Compression, GzBuilder};

/// Appends a number in bytes of seven bits, the lowest first.
pub(crate) fn varint(bytes: &mut Vec<u8>, mut value: usize) {
    while value >= 0x80 {
        bytes.push(value as u8 & 0x7f | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

/// Gzip without a time and a file name, so that the same bytes come out every time.
pub(crate) fn compress(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut gzip = GzBuilder::new().mtime(0).write(Vec::new(), Compression::best());
    gzip.write_all(bytes)?;
    gzip.finish()
}
