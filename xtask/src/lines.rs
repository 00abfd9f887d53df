//! Lines of code of a crate.

use std::collections::BTreeSet;

use crate::modules;

/// Lines that are neither blank nor comments, in the files that are no tests.
pub(crate) fn of_crate(folder: &str) -> Result<usize, String> {
    let mut files = BTreeSet::new();
    for root in modules::roots(&modules::from_disk, folder) {
        files.extend(modules::modules(&modules::from_disk, &root)?.into_iter().map(|module| module.file));
    }
    Ok(files.iter().filter_map(|file| modules::from_disk(file)).map(|text| of_text(&text)).sum())
}

/// Tests stand at the end of a file.
fn of_text(text: &str) -> usize {
    let mut lines = text.lines().map(str::trim).peekable();
    let mut count = 0;
    while let Some(line) = lines.next() {
        let tests = |next: &&str| next.starts_with("mod ") && next.ends_with('{');
        if line == "#[cfg(test)]" && lines.peek().is_some_and(tests) {
            break;
        }
        count += usize::from(!line.is_empty() && !line.starts_with("//"));
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_blank_lines_and_tests_are_no_code() {
        assert_eq!(
            of_text("//! A.\n\nfn f() {\n    // B.\n}\n#[cfg(test)]\nmod tests {\n fn g() {}\n}\n"),
            2
        );
        assert_eq!(of_text("#[cfg(test)]\nmod tests;\nfn f() {}\n"), 3);
    }
}
