//! The documentation page of functions.

use std::fmt::Write as _;

use super::table;

/// The longest line of names.
const WIDTH: usize = 110;

/// A page in Markdown of all functions of the library with their forms, as the table has them.
pub fn functions_page() -> String {
    let mut page = String::from("# Functions\n\n");
    page.push_str(
        "The functions of Stan's library with their forms, as the checker of `posterior-stan` has them.\n",
    );
    page.push_str("`cargo run -p posterior-stan --example functions_page` writes this page.\n\n");
    let notation = include_str!("table.txt").lines().take_while(|line| line.starts_with('#'));
    page.push_str("```text\n");
    for line in notation.skip(2) {
        let _ = writeln!(page, "{}", line.trim_start_matches('#').trim_start_matches(' '));
    }
    page.push_str("```\n");
    for group in &table().groups {
        page.push('\n');
        let mut column = 0;
        for (at, name) in group.names.iter().enumerate() {
            let comma = if at + 1 < group.names.len() { "," } else { "" };
            let word = format!("`{name}`{comma}");
            if column > 0 && column + 1 + word.len() > WIDTH {
                page.push('\n');
                column = 0;
            } else if column > 0 {
                page.push(' ');
                column += 1;
            }
            column += word.len();
            page.push_str(&word);
        }
        page.push_str("\n\n```text\n");
        for pattern in &group.patterns {
            let _ = writeln!(page, "{pattern}");
        }
        page.push_str("```\n");
    }
    page
}
