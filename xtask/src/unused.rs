//! `cargo xtask unused [--strict]`: public items of the libraries that nobody names.
//!
//! A use is the name of the item as a word: in the code of another file of its crate, in a unit test or an
//! example of the documentation anywhere, in a test, example, story, benchmark, fuzz target, command or page,
//! or in another crate. Names are not resolved, so that `len` of one type is a use of `len` of all; lines of
//! `use` within the crate only pass a name on, and do not count. An item that is listed has no use but in its
//! own file; one that is not listed may have none either.
//!
//! With `--strict` the code of the own crate is no use: what is listed is named by no test, example, page or
//! other crate, so that it is reached through another item at best.

mod words;

use self::words::Words;
use crate::items::{self, Item, Kind};
use crate::table::{self, Side};
use crate::{Outcome, cargo, modules, tidy};

/// Kinds that have a use of their own: a field and a variant come with their types.
const KINDS: [Kind; 6] = [Kind::Constant, Kind::Function, Kind::Macro, Kind::Method, Kind::Trait, Kind::Type];

/// The end of the names of pages.
const PAGE: &str = ".md";

/// A file that may name items.
struct User {
    path: String,
    words: Words,
}

/// Prints the items and where they stand.
pub(crate) fn run(arguments: &[String]) -> Outcome {
    let strict = match arguments {
        [] => false,
        [flag] if flag == "--strict" => true,
        _ => return Err("usage: cargo xtask unused [--strict]".to_owned()),
    };
    let users = users()?;
    let mut rows = Vec::new();
    for (folder, name) in cargo::published()? {
        if !folder.join("src/lib.rs").is_file() {
            continue;
        }
        for (file, item) in items::of_library(&format!("crates/{name}"))? {
            if KINDS.contains(&item.kind) && !users.iter().any(|user| names(&item, &file, user, strict)) {
                let kind = format!("{:?}", item.kind).to_lowercase();
                rows.push(vec![name.clone(), kind, item.shown(), format!("{file}:{}", item.line)]);
            }
        }
    }
    print!("{}", table::aligned(&rows, &[Side::Left; 4]));
    println!("unused: {} public items that nobody names", rows.len());
    Ok(())
}

/// All Rust files and pages.
fn users() -> Result<Vec<User>, String> {
    let read = |path: String| {
        let text = modules::from_disk(&path).ok_or_else(|| format!("{path}: cannot be read"))?;
        let words = if path.ends_with(PAGE) { Words::of_page(&text) } else { Words::of_code(&text) };
        Ok(User { path, words })
    };
    tidy::rust_files_and_pages()?.into_iter().map(read).collect()
}

/// Whether a file uses an item that stands in `file`.
fn names(item: &Item, file: &str, user: &User, strict: bool) -> bool {
    let name = item.name.as_str();
    let words = &user.words;
    if words.tested.contains(name) {
        return true;
    }
    if user.path == file {
        // A type that a signature beside it shows is reached by who calls that.
        return matches!(item.kind, Kind::Trait | Kind::Type) && words.shown.contains(name);
    }
    let beside = is_source_beside(file, &user.path);
    words.code.contains(name) && !(strict && beside) || words.imported.contains(name) && !beside
}

/// Whether both are sources of the same crate, and neither is a test.
fn is_source_beside(file: &str, other: &str) -> bool {
    let source = |path: &str| path.match_indices('/').nth(2).map(|(at, _)| path[..at].to_owned());
    let test = other.ends_with("/tests.rs") || other.contains("/tests/");
    source(file) == source(other) && !test
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(kind: Kind, name: &str) -> Item {
        Item { kind, name: name.to_owned(), owner: None, line: 1, signature: String::new(), docs: Vec::new() }
    }

    fn used(item: &Item, path: &str, text: &str) -> bool {
        let user = User { path: path.to_owned(), words: Words::of_code(text) };
        names(item, "crates/a/src/b.rs", &user, false)
    }

    #[test]
    fn strictly_the_code_of_the_own_crate_is_no_use() {
        let f = item(Kind::Function, "f");
        let strictly = |path: &str| {
            let user = User { path: path.to_owned(), words: Words::of_code("fn g() { f() }") };
            names(&f, "crates/a/src/b.rs", &user, true)
        };
        assert!(!strictly("crates/a/src/c.rs"));
        assert!(strictly("crates/z/src/c.rs") && strictly("crates/a/tests/it/c.rs"));
    }

    #[test]
    fn uses_are_elsewhere_or_in_tests_and_examples() {
        let f = item(Kind::Function, "f");
        assert!(!used(&f, "crates/a/src/b.rs", "pub fn f() {}\nfn g() { f() }"));
        assert!(used(&f, "crates/a/src/b.rs", "pub fn f() {}\n#[cfg(test)]\nmod tests {\n f() }"));
        assert!(used(&f, "crates/a/src/b.rs", "/// ```\n/// f();\n/// ```\npub fn f() {}"));
        assert!(!used(&f, "crates/a/src/b.rs", "/// Like f.\npub fn f() {}"));
        assert!(used(&f, "crates/a/src/c.rs", "fn g() { f() }"));
        assert!(!used(&f, "crates/a/src/c.rs", "fn g() {} // f"));
    }

    #[test]
    fn to_pass_a_name_on_is_no_use_within_the_crate() {
        let f = item(Kind::Function, "f");
        let lines = "pub use self::b::{\n    f,\n};\n";
        assert!(!used(&f, "crates/a/src/lib.rs", lines));
        assert!(used(&f, "crates/a/src/c/tests.rs", lines));
        assert!(used(&f, "crates/a/tests/it/b.rs", lines));
        assert!(used(&f, "crates/z/src/lib.rs", lines));
    }

    #[test]
    fn a_type_in_a_signature_of_its_file_is_reached() {
        let own = item(Kind::Type, "Step");
        assert!(used(&own, "crates/a/src/b.rs", "pub struct Step;\npub fn f() -> Step {}"));
        assert!(!used(&own, "crates/a/src/b.rs", "pub struct Step;\nimpl Clone for Step {}"));
    }
}
