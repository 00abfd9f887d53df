//! Words of a file by what they are part of.

use std::collections::BTreeSet;

/// The identifiers of a file.
#[derive(Debug, Default)]
pub(super) struct Words {
    /// In code that every build has, but for `use` lines.
    pub(super) code: BTreeSet<String>,
    /// Those of them that stand on another line than that of a definition or `impl`.
    pub(super) shown: BTreeSet<String>,
    /// In `use` lines.
    pub(super) imported: BTreeSet<String>,
    /// In unit tests and in examples of the documentation.
    pub(super) tested: BTreeSet<String>,
}

/// What the lines of a file are part of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Code,
    Import,
    Tests,
}

impl Words {
    /// Of Rust, line by line: the tests of a file stand at its end.
    pub(super) fn of_code(text: &str) -> Self {
        let mut words = Self::default();
        let (mut part, mut example) = (Part::Code, false);
        let mut lines = text.lines().peekable();
        while let Some(line) = lines.next() {
            let line = line.trim();
            if let Some(docs) = line.strip_prefix("///").or_else(|| line.strip_prefix("//!")) {
                let fence = docs.trim_start().starts_with("```");
                example ^= fence;
                if example && !fence {
                    words.tested.extend(identifiers(docs));
                }
                continue;
            }
            if line.starts_with("//") {
                continue;
            }
            if line == "#[cfg(test)]" && lines.peek().is_some_and(|next| next.trim().ends_with('{')) {
                part = Part::Tests;
            }
            if part == Part::Code && is_import(line) {
                part = Part::Import;
            }
            let code = line.split(" // ").next().unwrap_or(line);
            match part {
                Part::Tests => words.tested.extend(identifiers(code)),
                Part::Import => words.imported.extend(identifiers(code)),
                Part::Code => {
                    words.code.extend(identifiers(code));
                    if !is_definition(line) {
                        words.shown.extend(identifiers(code));
                    }
                }
            }
            if part == Part::Import && line.ends_with(';') {
                part = Part::Code;
            }
        }
        words
    }

    /// Of a page: its blocks of code.
    pub(super) fn of_page(text: &str) -> Self {
        let mut words = Self::default();
        let mut example = false;
        for line in text.lines() {
            let fence = line.trim_start().starts_with("```");
            example ^= fence;
            if example && !fence {
                words.tested.extend(identifiers(line));
            }
        }
        words
    }
}

fn identifiers(line: &str) -> impl Iterator<Item = String> + '_ {
    line.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty()).map(str::to_owned)
}

fn is_import(line: &str) -> bool {
    let line = line.strip_prefix("pub").unwrap_or(line);
    let line = line.strip_prefix("(crate)").or_else(|| line.strip_prefix("(super)")).unwrap_or(line);
    line.trim_start().starts_with("use ")
}

fn is_definition(line: &str) -> bool {
    let line = line.strip_prefix("pub ").unwrap_or(line);
    let words = ["struct ", "enum ", "trait ", "type ", "impl", "union ", "unsafe "];
    words.iter().any(|word| line.starts_with(word))
}
