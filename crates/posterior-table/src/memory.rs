//! What a program may take of the memory, checked before it is taken.

use posterior_math::memory::{default_limit, size_text};

use crate::error::Error;

/// The memory that a table, and what is made of it, may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemoryLimit {
    limit: u64,
}

impl MemoryLimit {
    /// A limit in bytes; without one, [`default_limit`].
    pub fn new(given: Option<u64>) -> Self {
        Self { limit: given.unwrap_or_else(default_limit) }
    }

    /// The bytes.
    pub const fn limit(self) -> u64 {
        self.limit
    }

    /// Refuses work that needs more bytes. `what` begins the message ("a.csv: the fit takes"), and `way_out`
    /// is what may be done instead.
    ///
    /// # Errors
    /// The limit is below `needed`.
    pub fn check(self, what: &str, needed: u64, way_out: &str) -> Result<(), Error> {
        self.check_part(what, needed, needed, way_out)
    }

    /// Refuses a part of some work, where all of it needs `whole` bytes.
    ///
    /// # Errors
    /// The limit is below `needed`.
    pub fn check_part(self, what: &str, needed: u64, whole: u64, way_out: &str) -> Result<(), Error> {
        if needed <= self.limit {
            return Ok(());
        }
        let message = format!(
            "{what} about {} of memory, and {} may be taken",
            size_text(needed),
            size_text(self.limit)
        );
        Err(Error::new(message).with_hint(format!("{way_out}, or allow more: `memory` {}", allowance(whole))))
    }
}

/// A size that is enough, as [`parse_size`] reads it.
fn allowance(bytes: u64) -> String {
    const MEBIBYTE: u64 = 1 << 20;
    let mebibytes = bytes.div_ceil(MEBIBYTE);
    if mebibytes < 10_240 { format!("{mebibytes}MiB") } else { format!("{}GiB", mebibytes.div_ceil(1024)) }
}

/// Reads a number of bytes: `2GiB`, `500MB`, `1000000`.
///
/// # Errors
/// The text is not a number with one of the units B, kB, MB, GB, TB, KiB, MiB, GiB and TiB.
pub fn parse_size(text: &str) -> Result<u64, String> {
    let text = text.trim();
    let end = text.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(text.len());
    let unit = match text[end..].trim().to_ascii_lowercase().as_str() {
        "" | "b" => 1.0,
        "k" | "kb" => 1e3,
        "m" | "mb" => 1e6,
        "g" | "gb" => 1e9,
        "kib" => 1024.0,
        "mib" => 1_048_576.0,
        "gib" => 1_073_741_824.0,
        "t" | "tb" => 1e12,
        "tib" => 1_099_511_627_776.0,
        _ => return Err("expected a size such as 500MB or 2GiB".to_owned()),
    };
    let number: f64 = text[..end].parse().map_err(|_| "expected a size such as 500MB or 2GiB".to_owned())?;
    Ok((number * unit) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units() {
        assert_eq!(parse_size("2GiB"), Ok(2 << 30));
        assert_eq!(parse_size("1.5 kB"), Ok(1500));
        assert_eq!(parse_size("64"), Ok(64));
        assert!(parse_size("").is_err() && parse_size("-1").is_err() && parse_size("2 apples").is_err());
    }

    #[test]
    fn the_way_out_is_a_size_that_is_enough() {
        for bytes in [1, 1 << 20, (1 << 20) + 1, 5 << 30, 77 << 30, (77 << 30) + 1] {
            assert!(parse_size(&allowance(bytes)).is_ok_and(|allowed| allowed >= bytes), "{bytes}");
        }
        let refused =
            MemoryLimit::new(Some(1 << 20)).check("a.csv: the fit takes", 1 << 30, "take fewer rows");
        let error = refused.unwrap_err();
        let message = "a.csv: the fit takes about 1.0 GiB of memory, and 1.0 MiB may be taken";
        assert_eq!(error.message(), message);
        assert_eq!(error.hint(), Some("take fewer rows, or allow more: `memory` 1024MiB"));
    }
}
