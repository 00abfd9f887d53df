//! Size: a file is read in one sitting.

use std::collections::BTreeSet;

use super::Finding;
use super::source::{Role, Source, lines};

/// Lines of code per file. Blank lines, comments, documentation, and tests beside the code that they test are
/// not counted.
const LIMIT: usize = 450;

/// What half of the files, and nine files in ten, have at most.
const MEDIAN: usize = 110;
const NINTH_DECILE: usize = 260;

/// Files that may be longer, and why.
pub(super) const LONG_FILES: &[(&str, &str)] = &[];

/// The finding about the length of the file.
pub(super) fn check(path: &str, lines: usize, long_files: &[(&str, &str)]) -> Option<(usize, String)> {
    let listed = long_files.iter().any(|&(listed, _)| listed == path);
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

/// The lines of code of a file.
pub(super) fn code_lines(source: &Source<'_>) -> usize {
    let whole = source.is_test_file();
    let code = source.windows().filter(|&(_, role)| whole || role == Role::Code);
    code.flat_map(|(window, _)| lines(&window[0])).collect::<BTreeSet<usize>>().len()
}

/// What the lengths of all files are like, and whether they keep within the budget.
pub(super) fn spread(mut lengths: Vec<usize>) -> Result<String, String> {
    lengths.sort_unstable();
    let quantile = |tenths: usize| lengths.get(lengths.len() * tenths / 10).copied().unwrap_or(0);
    let (median, ninth) = (quantile(5), quantile(9));
    let spread = format!("lines of code of a file: median {median}, ninth decile {ninth}");
    if median > MEDIAN || ninth > NINTH_DECILE {
        return Err(format!("{spread}; the budget is {MEDIAN} and {NINTH_DECILE}"));
    }
    Ok(spread)
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
