//! What a run may take of the memory, said before it is taken.

use posterior::inference::Budget;

use crate::failure::Failure;

/// The memory that a table, and what is made of it, may take.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Memory {
    limit: u64,
}

impl Memory {
    /// What `--memory` gives; without it three quarters of what is free.
    pub(crate) fn new(given: Option<u64>) -> Self {
        Self { limit: given.unwrap_or_else(|| Budget::available().limit()) }
    }

    /// The bytes.
    pub(crate) const fn limit(self) -> u64 {
        self.limit
    }

    /// Refuses what needs more: `what` is the beginning of a sentence about a file, and `way_out` what may be
    /// done instead.
    pub(crate) fn check(self, what: &str, needed: u64, way_out: &str) -> Result<(), Failure> {
        self.check_part(what, needed, needed, way_out)
    }

    /// The same of a part; all together need `whole`.
    pub(crate) fn check_part(
        self,
        what: &str,
        needed: u64,
        whole: u64,
        way_out: &str,
    ) -> Result<(), Failure> {
        if needed <= self.limit {
            return Ok(());
        }
        let message =
            format!("{what} about {} of memory, and {} may be taken", text(needed), text(self.limit));
        Err(Failure::data(message)
            .with_hint(format!("{way_out}, or allow more: --memory {}", allowance(whole))))
    }
}

/// "3.2 GiB".
pub(crate) fn text(bytes: u64) -> String {
    Budget::bytes(bytes).to_string()
}

/// A size for `--memory` that is enough.
fn allowance(bytes: u64) -> String {
    const MEBIBYTE: u64 = 1 << 20;
    let mebibytes = bytes.div_ceil(MEBIBYTE);
    if mebibytes < 10_240 { format!("{mebibytes}MiB") } else { format!("{}GiB", mebibytes.div_ceil(1024)) }
}

/// A number of bytes: `2GiB`, `500MB`, `1000000`.
pub(crate) fn size(text: &str) -> Result<u64, String> {
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
        assert_eq!(size("2GiB"), Ok(2 << 30));
        assert_eq!(size("1.5 kB"), Ok(1500));
        assert_eq!(size("64"), Ok(64));
        assert!(size("").is_err() && size("-1").is_err() && size("2 apples").is_err());
    }

    #[test]
    fn the_way_out_is_a_size_that_is_enough() {
        for bytes in [1, 1 << 20, (1 << 20) + 1, 5 << 30, 77 << 30, (77 << 30) + 1] {
            assert!(size(&allowance(bytes)).is_ok_and(|allowed| allowed >= bytes), "{bytes}");
        }
        let refused = Memory::new(Some(1 << 20)).check("a.csv: the fit takes", 1 << 30, "take fewer rows");
        let Err(Failure::Data { message, hint }) = refused else { panic!("1 GiB of 1 MiB") };
        assert_eq!(message, "a.csv: the fit takes about 1.0 GiB of memory, and 1.0 MiB may be taken");
        assert_eq!(hint.as_deref(), Some("take fewer rows, or allow more: --memory 1024MiB"));
    }
}
