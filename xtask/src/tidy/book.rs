//! Pages: every chapter is listed and runs as a test, links lead somewhere, and quoted code is the code.

use std::fs;
use std::path::Path;

use super::Finding;

/// The folder of the chapters.
const BOOK: &str = "docs/book";

/// The list of contents of the book, inside of its folder.
const CONTENTS: &str = "SUMMARY.md";

/// Where chapters become doctests.
const DOCTESTS: &str = "crates/posterior/src/lib.rs";

/// Announces that the next block of code stands in a file of the repository.
const QUOTE: &str = "<!-- from ";

/// The findings in all pages.
pub(super) fn check(root: &Path) -> Result<Vec<Finding>, String> {
    let read = |path: &str| fs::read_to_string(root.join(path)).map_err(|error| format!("{path}: {error}"));
    let contents = read(&format!("{BOOK}/{CONTENTS}"))?;
    let doctests = read(DOCTESTS)?;
    let mut findings = Vec::new();
    for path in pages(root)? {
        let text = read(&path)?;
        let mut add = |(line, message): (usize, String)| {
            findings.push(Finding { path: path.clone(), line, message });
        };
        if let Some(chapter) = chapter(&path) {
            unlisted(chapter, &contents, &doctests).into_iter().for_each(&mut add);
        }
        for (line, target) in links(&text) {
            broken(root, &path, target).map(|message| (line, message)).into_iter().for_each(&mut add);
        }
        for quote in quotes(&text) {
            let source = read(quote.path).unwrap_or_default();
            if !source.contains(&quote.code) {
                add((quote.line, format!("this code does not stand in {}", quote.path)));
            }
        }
    }
    Ok(findings)
}

/// The name of a chapter, if the page is one.
fn chapter(path: &str) -> Option<&str> {
    let name = path.strip_prefix(BOOK)?.strip_prefix('/')?;
    (name != CONTENTS).then_some(name)
}

/// What does not know of a chapter.
fn unlisted(chapter: &str, contents: &str, doctests: &str) -> Vec<(usize, String)> {
    let mut findings = Vec::new();
    if !contents.contains(&format!("]({chapter})")) {
        findings.push((1, format!("{BOOK}/{CONTENTS} does not list this chapter")));
    }
    if !doctests.contains(&format!("{BOOK}/{chapter}\")")) {
        findings.push((1, format!("the code of this chapter is not tested: {DOCTESTS} does not include it")));
    }
    findings
}

/// Every Markdown page that a reader may come to, from the root, in order.
pub(super) fn pages(root: &Path) -> Result<Vec<String>, String> {
    let mut folders = vec![String::new(), "docs/".to_owned(), format!("{BOOK}/")];
    for entry in fs::read_dir(root.join("crates")).map_err(|error| format!("crates: {error}"))? {
        let name = entry.map_err(|error| format!("crates: {error}"))?.file_name();
        folders.push(format!("crates/{}/", name.to_string_lossy()));
    }
    let mut pages = Vec::new();
    for folder in folders {
        let context = |error: std::io::Error| format!("{folder}: {error}");
        for entry in fs::read_dir(root.join(&folder)).map_err(context)? {
            let name = entry.map_err(context)?.file_name();
            let name = name.to_string_lossy();
            if name.ends_with(".md") {
                pages.push(format!("{folder}{name}"));
            }
        }
    }
    pages.sort();
    Ok(pages)
}

/// Why the target of a link in a page leads nowhere.
fn broken(root: &Path, page: &str, target: &str) -> Option<String> {
    let file = target.split('#').next().unwrap_or_default();
    if file.is_empty() || target.contains("://") || target.starts_with("mailto:") {
        return None;
    }
    if page.starts_with(BOOK) && file.contains('/') {
        return Some(format!(
            "{target} is no chapter; the built book has no other files, so give its path as code"
        ));
    }
    let folder = Path::new(page).parent().unwrap_or(Path::new(""));
    let exists = root.join(folder).join(file).exists();
    (!exists).then(|| format!("the link to {target} leads to no file"))
}

/// The lines outside of blocks of code, with their numbers.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut fenced = false;
    text.lines().enumerate().filter_map(move |(i, line)| {
        let fence = line.trim_start().starts_with("```");
        fenced ^= fence;
        (!fenced && !fence).then_some((i + 1, line))
    })
}

/// The targets of the links and pictures of a page, with their lines.
fn links(text: &str) -> Vec<(usize, &str)> {
    let mut links = Vec::new();
    for (number, line) in prose(text) {
        // Every second part is code.
        for part in line.split('`').step_by(2) {
            // A link whose text is code begins in the part before.
            let rest = part.strip_prefix("](").map(|rest| rest.split(')').next().unwrap_or_default());
            let others = part.match_indices("](").filter(|(at, _)| *at > 0);
            let others = others.filter_map(|(at, _)| part[at + 2..].split(')').next());
            links.extend(rest.into_iter().chain(others).map(|target| (number, target)));
        }
    }
    links
}

/// A block of code that says where it is from.
struct Quote<'a> {
    line: usize,
    path: &'a str,
    /// Without the lines that the documentation hides.
    code: String,
}

/// The quoted blocks of a page.
fn quotes(text: &str) -> Vec<Quote<'_>> {
    let lines: Vec<&str> = text.lines().collect();
    let mut quotes = Vec::new();
    for (i, &line) in lines.iter().enumerate() {
        let Some(path) = line.strip_prefix(QUOTE).and_then(|rest| rest.strip_suffix(" -->")) else {
            continue;
        };
        let block = lines[i + 1..].iter().copied().skip_while(|line| line.is_empty()).skip(1);
        let shown =
            block.take_while(|&line| line != "```").filter(|line| !line.starts_with("# ") && *line != "#");
        let code = shown.collect::<Vec<_>>().join("\n").trim_matches('\n').to_owned();
        quotes.push(Quote { line: i + 1, path, code });
    }
    quotes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_found_outside_of_code() {
        let page = "[a](b.md) and `[c](d.md)`, [`e`](f.md#g)\n```\n[h](i.md)\n```\n![j](k.svg)";
        assert_eq!(links(page), [(1, "b.md"), (1, "f.md#g"), (5, "k.svg")]);
    }

    #[test]
    fn a_link_leads_to_a_file_and_in_the_book_to_a_chapter() {
        let root = crate::cargo::root();
        let broken = |page, target| broken(&root, page, target).is_some();
        assert!(!broken("README.md", "docs/architecture.md#layers"));
        assert!(!broken("README.md", "#here"));
        assert!(!broken("docs/book/graphs.md", "conjugacy.md"));
        assert!(broken("README.md", "docs/nowhere.md"));
        assert!(broken("docs/book/graphs.md", "../architecture.md"));
        assert!(!broken("crates/posterior-gp/README.md", "../../README.md"));
    }

    #[test]
    fn a_quote_is_compared_without_what_the_documentation_hides() {
        let page = "<!-- from a.rs -->\n```rust\n# use b;\n#[derive(Debug)]\nstruct C;\n# Ok(())\n```\nText";
        let found = quotes(page);
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].line, found[0].path), (1, "a.rs"));
        assert_eq!(found[0].code, "#[derive(Debug)]\nstruct C;");
    }

    #[test]
    fn a_chapter_is_listed_and_tested() {
        assert_eq!(chapter("docs/book/graphs.md"), Some("graphs.md"));
        assert_eq!(chapter("docs/book/SUMMARY.md"), None);
        assert_eq!(chapter("docs/accuracy.md"), None);
        assert_eq!(unlisted("a.md", "[A](a.md)", "include_str!(\"../docs/book/a.md\")").len(), 0);
        assert_eq!(unlisted("a.md", "[B](b.md)", "").len(), 2);
    }
}
