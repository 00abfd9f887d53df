//! The documentation page of functions.

use std::fmt::Write as _;

use super::table;

/// A page in Markdown of all functions of the library with their forms, as the table has them.
pub fn functions_page() -> String {
    let mut page = String::from("# Functions\n\n");
    page.push_str("Each function with its forms: the checker reads the same table.\n\n");
    let notation = include_str!("table.txt").lines().take_while(|line| line.starts_with('#'));
    page.push_str("```text\n");
    for line in notation.skip(2) {
        let _ = writeln!(page, "{}", line.trim_start_matches('#').trim_start_matches(' '));
    }
    page.push_str("```\n");
    for group in &table().groups {
        let names = group.names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        let _ = writeln!(page, "\n{names}\n\n```text");
        for pattern in &group.patterns {
            let _ = writeln!(page, "{pattern}");
        }
        page.push_str("```\n");
    }
    page
}
