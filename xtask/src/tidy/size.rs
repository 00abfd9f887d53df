//! Size: a file is read in one sitting.

use std::collections::BTreeSet;

use super::Finding;
use super::source::{Role, Source, lines};

/// Lines of code per file. Blank lines, comments, documentation and tests are not counted.
const LIMIT: usize = 450;

/// Files that may be longer, and why.
pub(super) const LONG_FILES: &[(&str, &str)] = &[];

/// The finding about the length of the file.
pub(super) fn check(source: &Source<'_>, long_files: &[(&str, &str)]) -> Option<(usize, String)> {
    if source.is_test_file() {
        return None;
    }
    let lines = code_lines(source);
    let listed = long_files.iter().any(|&(path, _)| path == source.path);
    match (lines > LIMIT, listed) {
        (true, false) => {
            Some((1, format!("{lines} lines of code, and the limit is {LIMIT}; look for the second idea")))
        }
        (false, true) => {
            Some((1, format!("{lines} lines of code are within the limit; take the file off LONG_FILES")))
        }
        _ => None,
    }
}

fn code_lines(source: &Source<'_>) -> usize {
    let code = source.windows().filter(|&(_, role)| role == Role::Code);
    code.flat_map(|(window, _)| lines(&window[0])).collect::<BTreeSet<usize>>().len()
}

/// Findings for listed files that are no more.
pub(super) fn stale_exceptions(long_files: &[(&str, &str)], files: &[String]) -> Vec<Finding> {
    let gone = long_files.iter().filter(|(path, _)| !files.iter().any(|file| file == path));
    gone.map(|&(path, _)| Finding {
        path: path.to_owned(),
        line: 1,
        message: "is listed in LONG_FILES and does not exist".to_owned(),
    })
    .collect()
}
