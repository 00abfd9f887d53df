//! The command as it was given, for the report.

/// The words of the command, quoted where a shell would need it.
pub(super) fn given() -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./=:,%+@".contains(c);
    let quoted = |word: String| {
        if word.chars().all(plain) && !word.is_empty() {
            word
        } else {
            format!("'{}'", word.replace('\'', "'\\''"))
        }
    };
    let words = std::env::args_os().skip(1).map(|word| quoted(word.to_string_lossy().into_owned()));
    std::iter::once("posterior".to_owned()).chain(words).collect::<Vec<_>>().join(" ")
}
