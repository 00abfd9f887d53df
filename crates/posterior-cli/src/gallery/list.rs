//! The stories there are, and those that were asked for.

use posterior_stories::{STORIES, Story, story};
use serde::Serialize;

use crate::args::Format;
use crate::failure::Failure;
use crate::{output, text_table};

#[derive(Serialize)]
struct Listed {
    name: &'static str,
    title: &'static str,
    sentence: &'static str,
    id: &'static str,
}

/// `posterior gallery --list`.
pub(super) fn list(stories: &[&'static Story], format: Format) -> Result<(), Failure> {
    if format == Format::Json {
        let listed = |story: &&'static Story| {
            let Story { name, title, sentence, id, .. } = **story;
            Listed { name, title, sentence, id }
        };
        return output::print_json(&stories.iter().map(listed).collect::<Vec<_>>());
    }
    let rows: Vec<(String, String)> =
        stories.iter().map(|story| (story.name.to_owned(), story.title.to_owned())).collect();
    output::print(&text_table::pairs(&rows))
}

/// All stories, or those with these names, in their own order.
pub(super) fn chosen(names: &[String]) -> Result<Vec<&'static Story>, Failure> {
    for name in names {
        if story(name).is_none() {
            let message = format!("no story is named {name:?}");
            return Err(Failure::data(message).with_hint(hint(name)));
        }
    }
    Ok(STORIES.iter().filter(|own| names.is_empty() || names.iter().any(|name| name == own.name)).collect())
}

fn hint(name: &str) -> String {
    let near = STORIES.iter().map(|own| (distance(name, own.name), own.name)).min();
    match near {
        Some((apart, near)) if apart <= 1 + name.chars().count() / 3 => format!("is it {near}?"),
        _ => {
            let names: Vec<_> = STORIES.iter().map(|own| own.name).collect();
            format!("there are: {}", names.join(", "))
        }
    }
}

/// Letters to change, insert or leave out, to make one word of the other (Levenshtein).
fn distance(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (i, a) in from.chars().enumerate() {
        let mut left = i + 1;
        let mut corner = std::mem::replace(&mut row[0], left);
        for (j, &b) in to.iter().enumerate() {
            let change = corner + usize::from(a != b);
            corner = row[j + 1];
            left = change.min(left + 1).min(corner + 1);
            row[j + 1] = left;
        }
    }
    row[to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_as_far_apart_as_their_edits() {
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("spam", "spam"), 0);
        assert_eq!(hint("trackng"), "is it tracking?");
        assert!(hint("weather").starts_with("there are: topics_of_history, "));
    }
}
