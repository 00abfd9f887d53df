//! The page of all comparisons.

use std::fmt::Write as _;
use std::time::Duration;

/// A machine with a greater load has other work than ours.
pub(super) const CALM: f64 = 0.5;

/// What a comparison printed, and what to know about it.
#[derive(Debug)]
pub(super) struct Outcome {
    pub(super) tables: Option<String>,
    pub(super) note: Option<String>,
}

/// A subject of the page.
#[derive(Debug)]
pub(super) struct Section {
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    /// The load average when it began.
    pub(super) load: Option<f64>,
    pub(super) took: Duration,
    pub(super) found: Outcome,
}

const INTRODUCTION: &str = "# Speed

Ours beside what people use today, on the same files and in one run. This page is written by `cargo xtask compare all --install --out
docs/speed.md`, which makes an environment with all peers first; `cargo xtask compare SUBJECT --install` prints one of its sections.

Ratios are ours / peer. Of times, below 1 ours takes less; of effective draws and gradients a second, above 1 ours gets more. A dash is a
figure that a peer does not have.
";

/// The page: what it was measured on, and the tables of each subject.
pub(super) fn page(facts: &[(&str, String)], notes: &[String], sections: &[Section], quick: bool) -> String {
    let mut text = INTRODUCTION.to_owned();
    if quick {
        text.push_str(
            "\n**A smoke test at the smallest sizes: no figure of this page says anything about speed.**\n",
        );
    }
    let busy: Vec<&str> = sections.iter().filter(|own| is_busy(own.load)).map(|own| own.name).collect();
    if !busy.is_empty() {
        let _ = writeln!(
            text,
            "\n**Not valid: the machine had other work (a load average above {CALM}) when these began: {}.**",
            busy.join(", ")
        );
    }
    text.push_str("\n| measured on | |\n|---|---|\n");
    for (name, fact) in facts {
        let _ = writeln!(text, "| {name} | {fact} |");
    }
    for note in notes {
        let _ = writeln!(text, "\nNote: {note}.");
    }
    for section in sections {
        text.push_str(&of_section(section));
    }
    text
}

fn is_busy(load: Option<f64>) -> bool {
    load.is_some_and(|load| load > CALM)
}

fn of_section(section: &Section) -> String {
    let Section { name, title, load, took, found } = section;
    let load = load.map_or("unknown".to_owned(), |load| format!("{load:.2}"));
    let mut text = format!(
        "\n## {title}\n\n`cargo xtask compare {name}`; load average at the start {load}, {:.0} s in all.\n",
        took.as_secs_f64()
    );
    if is_busy(section.load) {
        text.push_str("\n**Warning: the machine had other work; these figures are not valid.**\n");
    }
    if let Some(note) = &found.note {
        let _ = writeln!(text, "\nNote: {note}.");
    }
    if let Some(tables) = &found.tables {
        let _ = write!(text, "\n{}\n", tables.trim());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn section(load: Option<f64>, note: Option<&str>) -> Section {
        let found = Outcome { tables: Some("| a |\n".to_owned()), note: note.map(str::to_owned) };
        Section { name: "net", title: "Networks", load, took: Duration::from_secs(3), found }
    }

    #[test]
    fn a_busy_machine_is_reported_at_the_top_and_at_the_subject() {
        let text = page(&[("date", "today".to_owned())], &[], &[section(Some(0.7), None)], false);
        assert!(text.contains("when these began: net.**"), "{text}");
        assert!(text.contains("load average at the start 0.70, 3 s in all.\n\n**Warning"), "{text}");
        let text = page(&[], &[], &[section(Some(0.5), None), section(None, None)], false);
        assert!(!text.contains("Warning") && !text.contains("Not valid"), "{text}");
    }

    #[test]
    fn a_subject_without_peers_says_so() {
        let text =
            page(&[], &["no Python".to_owned()], &[section(None, Some("its peers could not be run"))], true);
        assert!(text.contains("Note: no Python.\n") && text.contains("A smoke test"), "{text}");
        assert!(text.ends_with("Note: its peers could not be run.\n\n| a |\n"), "{text}");
    }
}
