//! What came of the changes that were tried.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The lists that cargo-mutants writes, in the order of [`Outcomes::counts`].
const LISTS: [&str; 4] = ["caught", "timeout", "missed", "unviable"];

/// The list of what no test notices.
const MISSED: usize = 2;

/// The file of former runs.
const FORMER: &str = "outcomes.txt";

/// Each change that was tried, and the number of its list.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Outcomes {
    of: BTreeMap<String, usize>,
}

impl Outcomes {
    /// Those of former runs and of the last one, which may have been stopped; writes what they are together.
    pub(super) fn read(results: &Path) -> Result<Self, String> {
        let mut found = Self::default();
        let path = results.join(FORMER);
        for line in fs::read_to_string(&path).unwrap_or_default().lines() {
            let known = line
                .split_once(' ')
                .and_then(|(list, name)| Some((LISTS.iter().position(|own| *own == list)?, name)));
            let (list, name) = known.ok_or_else(|| format!("{}: {line:?} is no outcome", path.display()))?;
            found.of.insert(name.to_owned(), list);
        }
        for (list, name) in LISTS.iter().enumerate() {
            let lines =
                fs::read_to_string(results.join(format!("mutants.out/{name}.txt"))).unwrap_or_default();
            found.of.extend(lines.lines().map(|line| (line.to_owned(), list)));
        }
        let text: String =
            found.of.iter().map(|(name, &list)| [LISTS[list], " ", name, "\n"].concat()).collect();
        fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(found)
    }

    /// Whether this one was tried.
    pub(super) fn has(&self, name: &str) -> bool {
        self.of.contains_key(name)
    }

    /// What no test notices.
    pub(super) fn missed(&self) -> impl Iterator<Item = &str> {
        self.of.iter().filter(|(_, list)| **list == MISSED).map(|(name, _)| name.as_str())
    }

    /// How many failed a test, never ended, were not noticed, and did not compile.
    pub(super) fn counts(&self) -> [usize; 4] {
        std::array::from_fn(|list| self.of.values().filter(|own| **own == list).count())
    }

    /// The same in words.
    pub(super) fn summary(&self) -> String {
        let [caught, timeout, missed, unviable] = self.counts();
        let viable = caught + timeout + missed;
        let percent = 100.0 * (caught + timeout) as f64 / viable.max(1) as f64;
        format!("{} of {viable} noticed ({percent:.0} %), {unviable} do not compile", caught + timeout)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_add_up() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("mutants.out");
        fs::create_dir(&out).unwrap();
        assert_eq!(Outcomes::read(folder.path()).unwrap(), Outcomes::default());
        fs::write(out.join("caught.txt"), "a: b -> c\nd\n").unwrap();
        fs::write(out.join("missed.txt"), "e\n").unwrap();
        assert_eq!(Outcomes::read(folder.path()).unwrap().counts(), [2, 0, 1, 0]);
        fs::write(out.join("caught.txt"), "").unwrap();
        fs::write(out.join("missed.txt"), "").unwrap();
        fs::write(out.join("timeout.txt"), "f\n").unwrap();
        fs::write(out.join("unviable.txt"), "g\n").unwrap();
        let found = Outcomes::read(folder.path()).unwrap();
        assert_eq!((found.counts(), found.has("a: b -> c"), found.has("h")), ([2, 1, 1, 1], true, false));
        assert_eq!(found.missed().collect::<Vec<_>>(), ["e"]);
        assert_eq!(found.summary(), "3 of 4 noticed (75 %), 1 do not compile");
        fs::write(folder.path().join(FORMER), "nonsense\n").unwrap();
        assert!(Outcomes::read(folder.path()).is_err());
    }
}
