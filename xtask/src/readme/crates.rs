//! The table of crates in the README of the workspace, from the manifests and the files.

use std::collections::BTreeSet;
use std::path::Path;

use cargo_metadata::{DependencyKind, Package};

use crate::{cargo, lines};

/// The table stands between these lines.
const BEGIN: &str = "<!-- The crates: made by `cargo xtask readme`. -->\n";
const END: &str = "<!-- The end of the crates. -->\n";

/// What the names of our crates begin with.
const FAMILY: &str = "posterior-";

/// Thousands of lines of code of the crate in a folder.
pub(crate) type CountLines = fn(&str) -> Result<f64, String>;

/// The page with the table as it should be.
pub(crate) fn with_table(page: &str, root: &Path, count_lines: CountLines) -> Result<String, String> {
    let (before, rest) = page.split_once(BEGIN).ok_or_else(|| format!("no line {BEGIN:?}"))?;
    let (_, after) = rest.split_once(END).ok_or_else(|| format!("no line {END:?}"))?;
    Ok(format!("{before}{BEGIN}{}{END}{after}", table(root, count_lines)?))
}

/// The same page, but for the lines of code: they change with every commit, and nobody wants to be reported.
pub(crate) fn same_but_for_lines(page: &str, other: &str) -> bool {
    let rows = |page: &str| -> Vec<String> { page.lines().map(without_lines).collect() };
    rows(page) == rows(other)
}

fn without_lines(row: &str) -> String {
    let cells: Vec<&str> = row.split('|').collect();
    match cells[..] {
        [start, name, layer, _, holds, needs, end] => [start, name, layer, holds, needs, end].join("|"),
        _ => row.to_owned(),
    }
}

fn table(root: &Path, count_lines: CountLines) -> Result<String, String> {
    let metadata = cargo::metadata()?;
    let mut rows = Vec::new();
    for (folder, name) in cargo::published()? {
        let package = metadata.workspace_packages().into_iter().find(|own| *own.name == name);
        let package = package.ok_or_else(|| format!("{name} is no package"))?;
        rows.push(row(
            package,
            folder.strip_prefix(root).unwrap_or(&folder),
            count_lines(&format!("crates/{name}"))?,
        ));
    }
    // The layer that a reader meets first is the upper one.
    rows.reverse();
    let head = "| crate | layer | lines | holds | needs |\n|---|--:|--:|---|---|\n";
    Ok(format!("{head}{}", rows.concat()))
}

fn row(package: &Package, folder: &Path, lines: f64) -> String {
    let layer = package.metadata.get("posterior").and_then(|table| table.get("layer"));
    let layer = layer.map_or_else(String::new, ToString::to_string);
    let shown = folder.display();
    let holds = package.description.as_deref().unwrap_or_default().trim_end_matches('.');
    let name = &package.name;
    format!("| [`{name}`]({shown}) | {layer} | {lines:.1} k | {holds} | {} |\n", needs(package))
}

/// What a package needs with its default features: our crates by their last names, then those of others.
fn needs(package: &Package) -> String {
    let brought = brought_by(package, "default");
    let normal = package.dependencies.iter().filter(|own| own.kind == DependencyKind::Normal);
    let needed: Vec<_> = normal.filter(|own| !own.optional || brought.contains(&own.name)).collect();
    let ours = needed.iter().filter_map(|own| own.path.as_ref().map(|_| own.name.as_str()));
    let theirs = needed.iter().filter(|own| own.path.is_none()).map(|own| own.name.as_str());
    let ours: Vec<&str> = ours.map(|name| name.strip_prefix(FAMILY).unwrap_or(name)).collect();
    let theirs: Vec<&str> = theirs.collect();
    let groups = [ours.join(", "), theirs.join(", ")];
    let output: Vec<&str> = groups.iter().map(String::as_str).filter(|group| !group.is_empty()).collect();
    match output[..] {
        [] if package.features.is_empty() => "nothing".to_owned(),
        [] => "what its features bring".to_owned(),
        _ => output.join("; "),
    }
}

/// The optional dependencies that a feature turns on, itself or by other features of the package.
fn brought_by(package: &Package, feature: &str) -> BTreeSet<String> {
    let parts = package.features.get(feature).into_iter().flatten();
    parts
        .flat_map(|part| match part.strip_prefix("dep:") {
            Some(name) => BTreeSet::from([name.to_owned()]),
            None => brought_by(package, part),
        })
        .collect()
}

/// Thousands of lines of code of the crate in a folder, from the root of the workspace.
pub(crate) fn thousands(folder: &str) -> Result<f64, String> {
    lines::of_crate(folder).map(|lines| lines as f64 / 1e3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_may_differ_and_nothing_else() {
        let row = "| [`a`](b) | 1 | 2.0 k | holds | needs |";
        assert!(same_but_for_lines(row, "| [`a`](b) | 1 | 2.1 k | holds | needs |"));
        assert!(!same_but_for_lines(row, "| [`a`](b) | 2 | 2.0 k | holds | needs |"));
        assert!(!same_but_for_lines(row, "| [`a`](b) | 1 | 2.0 k | holds | more |"));
    }

    #[test]
    fn the_table_has_every_published_crate_once_the_binary_first() {
        let table = table(&cargo::root(), |_| Ok(0.0)).expect("the workspace is described");
        let names: Vec<&str> =
            table.lines().skip(2).map(|row| row.split('`').nth(1).unwrap_or_default()).collect();
        assert_eq!(names.len(), cargo::published().expect("the workspace is described").len());
        assert_eq!((names[0], names[names.len() - 1]), ("posterior-cli", "posterior-math"));
        assert!(!table.contains("testkit"), "{table}");
    }

    #[test]
    fn a_page_without_its_marks_is_refused() {
        assert!(with_table("# A page\n", &cargo::root(), |_| Ok(0.0)).is_err());
    }
}
