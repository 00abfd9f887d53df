//! The walkthroughs of the documentation, as their readers follow them: each block of commands is run, and
//! prints what stands under it.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::program::Place;

/// The pages, from the folder of the documentation.
fn pages() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/walkthroughs");
    let mut pages: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    pages.sort();
    pages
}

/// The blocks of a page that are of one of these languages, with the lines where they begin.
fn blocks(page: &str) -> Vec<(usize, String, String)> {
    let mut blocks = Vec::new();
    let mut lines = page.lines().enumerate();
    while let Some((place, line)) = lines.next() {
        let Some(language) = line.strip_prefix("```") else { continue };
        let text: Vec<&str> =
            lines.by_ref().map(|(_, line)| line).take_while(|line| *line != "```").collect();
        blocks.push((place + 1, language.to_owned(), text.join("\n") + "\n"));
    }
    blocks
}

/// Whether a text is what a page shows of it: a line `...` stands for any lines.
fn shows(shown: &str, text: &str) -> bool {
    let parts: Vec<&str> = shown.split("...\n").collect();
    let (Some(first), Some(last)) = (parts.first(), parts.last()) else { return false };
    if parts.len() == 1 {
        return shown == text;
    }
    let Some(mut rest) = text.strip_prefix(first) else { return false };
    for part in &parts[1..parts.len() - 1] {
        let Some(place) = rest.find(part) else { return false };
        rest = &rest[place + part.len()..];
    }
    rest.ends_with(last)
}

/// The page with what its commands print; the lines of blocks that print something else.
fn followed(page: &str) -> (Vec<usize>, String) {
    let place = Place::new();
    let binary = Path::new(env!("CARGO_BIN_EXE_posterior")).parent().unwrap().display().to_string();
    let (mut wrong, mut report) = (Vec::new(), String::new());
    let all = blocks(page);
    for pair in all.windows(2) {
        let [(line, language, commands), (_, next, shown)] = pair else { continue };
        if language != "sh" {
            continue;
        }
        let script = format!("PATH=\"{binary}:$PATH\"\nset -eu\n{commands}");
        let mut command = Command::new("sh");
        let ran = command.arg("-c").arg(script).current_dir(place.path("")).output().unwrap();
        let printed = String::from_utf8(ran.stdout).unwrap();
        let errors = String::from_utf8_lossy(&ran.stderr);
        assert!(ran.status.success(), "line {line}: {commands}{printed}{errors}");
        if next != "text" || !shows(shown, &printed) {
            wrong.push(*line);
            let _ = writeln!(report, "line {line} prints\n{printed}");
        }
    }
    (wrong, report)
}

/// Pages with commands of more than ten seconds: effects of groups, areas and years, and chains beside them.
const SLOW: [&str; 2] = ["schools-wards-and-years.md", "who-tires-fast.md"];

fn is_slow(page: &Path) -> bool {
    SLOW.iter().any(|name| page.ends_with(name))
}

/// Each command of these pages prints what they show.
fn are_as_shown(pages: impl Iterator<Item = PathBuf>) {
    let mut reports = String::new();
    for page in pages {
        let (wrong, report) = followed(&fs::read_to_string(&page).unwrap());
        if !wrong.is_empty() {
            let _ = writeln!(reports, "{}\n{report}", page.display());
        }
    }
    assert!(reports.is_empty(), "{reports}");
}

#[test]
#[cfg_attr(not(unix), ignore = "the commands are those of a POSIX shell")]
fn each_command_prints_what_the_page_shows() {
    let (slow, quick): (Vec<PathBuf>, Vec<PathBuf>) = pages().into_iter().partition(|page| is_slow(page));
    assert_eq!(slow.len(), SLOW.len());
    are_as_shown(quick.into_iter());
}

#[test]
#[ignore = "slow: 3 minutes"]
fn each_command_prints_what_the_slow_pages_show() {
    are_as_shown(pages().into_iter().filter(|page| is_slow(page)));
}

#[test]
fn dots_stand_for_any_lines() {
    for (shown, text, expected) in [
        ("a\nb\n", "a\nb\n", true),
        ("a\n...\n", "a\nb\nc\n", true),
        ("...\nc\n", "a\nb\nc\n", true),
        ("a\n...\nc\n...\n", "a\nb\nc\nd\n", true),
        ("a\n...\nx\n", "a\nb\nc\n", false),
        ("b\n...\n", "a\nb\n", false),
    ] {
        assert_eq!(shows(shown, text), expected, "{shown:?} {text:?}");
    }
}
