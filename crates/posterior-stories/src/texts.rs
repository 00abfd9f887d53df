//! Texts with their letters and marks, which are not embedded.

use crate::{Outcome, Sources};

/// Where the messages are from.
pub(crate) const LINCOLN: &str = "Abraham Lincoln's messages to Congress of 1861 to 1864: works of the United States government, in the public domain.";

const FILES: [&str; 4] = [
    "sotu/raw/1861_Abraham-Lincoln.txt",
    "sotu/raw/1862_Abraham-Lincoln.txt",
    "sotu/raw/1863_Abraham-Lincoln.txt",
    "sotu/raw/1864_Abraham-Lincoln.txt",
];

/// The four messages in their order, with one space for each run of white space; or why the story that needs
/// them is skipped.
pub(crate) fn messages(sources: &Sources) -> Outcome<Result<Vec<String>, String>> {
    let Some(paths) = FILES.iter().map(|name| sources.file(name)).collect::<Option<Vec<_>>>() else {
        return Ok(Err(format!("it needs {} and the three after it: texts are not embedded", FILES[0])));
    };
    let read = |path: &std::path::PathBuf| -> Outcome<String> {
        let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(text.split_whitespace().collect::<Vec<_>>().join(" "))
    };
    Ok(Ok(paths.iter().map(read).collect::<Outcome<_>>()?))
}
