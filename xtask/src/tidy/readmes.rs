//! READMEs: each published crate has one, and that of a library is made from the first page of its
//! documentation; that of the workspace has a table of them.

use std::fs;
use std::path::Path;

use super::Finding;
use crate::{cargo, readme};

/// The READMEs that are missing, or not what `cargo xtask readme` would write.
pub(super) fn check(root: &Path) -> Result<Vec<Finding>, String> {
    let mut findings = Vec::new();
    for (folder, name) in cargo::published()? {
        let path = folder.join("README.md");
        let shown = path.strip_prefix(root).unwrap_or(&path).display().to_string();
        let found = fs::read_to_string(&path).ok();
        let message = match (readme::expected(&folder, &name), found) {
            (Err(message), _) => message,
            (_, None) => "a published crate has a README".to_owned(),
            (Ok(Some(expected)), Some(found)) if expected != found => {
                "differs from the first page of src/lib.rs; run `cargo xtask readme`".to_owned()
            }
            _ => continue,
        };
        findings.push(Finding { path: shown, line: 1, message });
    }
    let page = fs::read_to_string(root.join(readme::WORKSPACE)).unwrap_or_default();
    let message = match readme::crates::with_table(&page, root, |_| Ok(0.0)) {
        Ok(expected) if readme::crates::same_but_for_lines(&page, &expected) => return Ok(findings),
        Ok(_) => "the table of crates is not that of the manifests; run `cargo xtask readme`".to_owned(),
        Err(message) => message,
    };
    findings.push(Finding { path: readme::WORKSPACE.to_owned(), line: 1, message });
    Ok(findings)
}
