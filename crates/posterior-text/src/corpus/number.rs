//! Whole numbers of text files, with messages that say what else was found.

/// Parses a whole number from 0 to the largest `u32`; the error names `what` it should have been.
pub(super) fn whole(what: &str, text: &str) -> Result<u32, String> {
    let digits = text.as_bytes();
    // Nine digits always fit: the common case costs a multiplication a digit.
    if !digits.is_empty() && digits.len() <= 9 && digits.iter().all(u8::is_ascii_digit) {
        return Ok(digits.iter().fold(0, |value, digit| 10 * value + u32::from(digit - b'0')));
    }
    text.parse().map_err(|_| complaint(what, text))
}

fn complaint(what: &str, text: &str) -> String {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if digits(text) {
        format!("the {what} {text} is above {}, the largest that is read", u32::MAX)
    } else if text.strip_prefix('-').is_some_and(digits) {
        format!("the {what} {text} is negative: expected a whole number from 0 up")
    } else {
        format!("expected the {what}, a whole number, found {}", excerpt(text))
    }
}

/// The fields of an entry `document word count`.
pub(super) fn entry_fields(line: &str) -> Result<[&str; 3], String> {
    let mut fields = line.split_ascii_whitespace();
    match (fields.next(), fields.next(), fields.next(), fields.next()) {
        (Some(document), Some(word), Some(count), None) => Ok([document, word, count]),
        _ => Err(format!("expected three numbers `document word count`, found {}", excerpt(line))),
    }
}

/// Whether so many documents or words may be taken at their word by a file with so many entries: a few bytes
/// must not ask for memory without end.
pub(super) fn is_plausible(size: usize, entries: usize) -> bool {
    const EMPTY_FOR_EACH_ENTRY: usize = 16;
    const ALWAYS_ALLOWED: usize = 1 << 20;
    size <= ALWAYS_ALLOWED.max(EMPTY_FOR_EACH_ENTRY * entries)
}

/// `text` in quotes, cut after a few dozen characters.
pub(super) fn excerpt(text: &str) -> String {
    const LONGEST: usize = 40;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{:?}...", &text[..end]),
        None => format!("{text:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_u32_is_read() {
        for value in [0, 7, 999_999_999, 1_000_000_000, u32::MAX] {
            assert_eq!(whole("count", &value.to_string()), Ok(value));
        }
        assert_eq!(whole("count", "007"), Ok(7));
    }

    #[test]
    fn what_is_not_a_count_is_named() {
        let error = |text| whole("count", text).unwrap_err();
        assert_eq!(error("4294967296"), "the count 4294967296 is above 4294967295, the largest that is read");
        assert_eq!(error("-3"), "the count -3 is negative: expected a whole number from 0 up");
        for text in ["", "2.5", "1e3", "x", "-", "1 2"] {
            assert_eq!(error(text), format!("expected the count, a whole number, found {text:?}"));
        }
    }

    #[test]
    fn long_texts_are_cut_between_characters() {
        assert_eq!(excerpt(&"é".repeat(50)), format!("\"{}\"...", "é".repeat(40)));
    }
}
