//! The public items and the tests that there are.

use std::collections::BTreeSet;
use std::fs;

use crate::{cargo, tidy};

/// What the page may name.
#[derive(Debug, Default)]
pub(super) struct Known {
    /// `math::special::ln_gamma`, `dist::Beta::new`.
    pub(super) items: BTreeSet<String>,
    pub(super) tests: Vec<Test>,
}

/// A test function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Test {
    /// The folder below `crates`, without `posterior-`.
    pub(super) home: String,
    /// Its file from the root of its program, and its name: `linalg::cholesky::rows_come_and_go`.
    pub(super) path: String,
    /// Ignored, and not for being slow.
    pub(super) ignored: bool,
}

impl Test {
    /// Whether a name, with some of its modules or none, is that of the test; modules `tests` do not count.
    pub(super) fn is(&self, name: &str) -> bool {
        let plain =
            |path: &str| path.split("::").filter(|&part| part != "tests").collect::<Vec<_>>().join("::");
        format!("::{}", plain(&self.path)).ends_with(&format!("::{}", plain(name)))
    }
}

/// Reads `docs/api` and every test below `crates`.
pub(super) fn read() -> Result<Known, String> {
    let mut known = Known::default();
    let folder = cargo::root().join("docs/api");
    let context = |error: std::io::Error| format!("docs/api: {error}");
    for entry in fs::read_dir(&folder).map_err(context)? {
        let path = entry.map_err(context)?.path();
        let name = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        let text = fs::read_to_string(&path).map_err(context)?;
        known.items.extend(items(short(name), &text));
    }
    for path in tidy::rust_files_and_pages()? {
        if let Some((home, modules)) = place(&path) {
            let file = cargo::root().join(&path);
            let text = fs::read_to_string(file).map_err(|error| format!("{path}: {error}"))?;
            known.tests.extend(tests(&text).map(|(name, ignored)| {
                let path = if modules.is_empty() { name } else { format!("{modules}::{name}") };
                Test { home: home.to_owned(), path, ignored }
            }));
        }
    }
    Ok(known)
}

/// The name of a crate as pages say it.
fn short(name: &str) -> &str {
    name.strip_prefix("posterior-").unwrap_or(name)
}

/// The paths of the items in the listing of a crate.
fn items(home: &str, listing: &str) -> Vec<String> {
    let (mut module, mut owner, mut found) = (home.to_owned(), String::new(), Vec::new());
    for line in listing.lines() {
        if let Some(head) = line.strip_prefix("# ") {
            module = if head == "crate" { home.to_owned() } else { format!("{home}::{head}") };
        } else if let Some(member) = line.strip_prefix("    ") {
            found.push(format!("{owner}::{}", declared(member)));
        } else if !line.is_empty() {
            owner = format!("{module}::{}", declared(line));
            found.push(owner.clone());
        }
    }
    found
}

/// The name that a line of a listing declares.
fn declared(line: &str) -> &str {
    let mut rest = line;
    for word in ["const ", "async ", "fn ", "type ", "trait ", "macro "] {
        rest = rest.strip_prefix(word).unwrap_or(rest);
    }
    rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default()
}

/// The crate of a source file, and its path as modules.
fn place(path: &str) -> Option<(&str, String)> {
    let (package, rest) = path.strip_prefix("crates/")?.split_once('/')?;
    let file = rest.strip_suffix(".rs")?;
    let modules = match file.strip_prefix("src/") {
        Some(file) => file,
        None => {
            file.strip_prefix("tests/").map(|file| file.split_once('/').map_or(file, |(_, file)| file))?
        }
    };
    Some((short(package), modules.replace('/', "::")))
}

/// The tests of a file by name, and whether they are ignored otherwise than as slow.
fn tests(text: &str) -> impl Iterator<Item = (String, bool)> {
    text.split("#[test]\n").skip(1).filter_map(|rest| {
        let (before, after) = rest.split_once("fn ")?;
        let end = after.find(|c: char| !c.is_alphanumeric() && c != '_')?;
        let ignored = before.contains("#[ignore") && !before.contains(tidy::SLOW);
        (end > 0).then(|| (after[..end].to_owned(), ignored))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_have_the_paths_of_their_modules() {
        let listing = "# crate\nconst A: u8\ntype B<T>: Clone\n    const fn new(t: T) -> Self\n    x: f64\n    V(u8)\n\n\
                       # c::d\ntrait E: Copy\n    type F\n    fn g<T>(self)\nfn h(x: f64) -> f64\n";
        let expected = [
            "m::A",
            "m::B",
            "m::B::new",
            "m::B::x",
            "m::B::V",
            "m::c::d::E",
            "m::c::d::E::F",
            "m::c::d::E::g",
            "m::c::d::h",
        ];
        assert_eq!(items("m", listing), expected);
    }

    #[test]
    fn tests_are_found_with_what_is_said_of_them() {
        let marked = "#[test]\nfn a() {}\n#[test]\n#[ignore = \"slow\"]\nfn b() {}\n    #[test]\n\
                      #[ignore = \"prints\"]\n    fn c(x in 0..1) {}\nfn d() {}";
        let found: Vec<(String, bool)> = tests(marked).collect();
        assert_eq!(found, [("a".to_owned(), false), ("b".to_owned(), false), ("c".to_owned(), true)]);
        assert_eq!(place("crates/posterior-math/tests/it/a/b.rs"), Some(("math", "a::b".to_owned())));
        assert_eq!(place("crates/posterior/tests/alone.rs"), Some(("posterior", "alone".to_owned())));
        assert_eq!(place("crates/posterior-math/src/a/tests.rs"), Some(("math", "a::tests".to_owned())));
        assert_eq!(place("docs/toolbox.md"), None);
    }

    #[test]
    fn names_may_have_their_modules() {
        let test = Test { home: "m".to_owned(), path: "a::b::tests::name".to_owned(), ignored: false };
        assert!(test.is("name") && test.is("b::name") && test.is("a::b::tests::name"));
        assert!(!test.is("ame") && !test.is("c::name") && !test.is("z::a::b::name"));
    }
}
