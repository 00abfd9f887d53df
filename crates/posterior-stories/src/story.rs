//! What a story is, and how it ends.

use std::io::Write;

use posterior::report::{Page, PageTable};

use crate::Sources;

/// What the steps of a story return: any error of any crate.
pub type Outcome<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

/// A story that did not get to its end.
#[derive(Debug, thiserror::Error)]
#[error("story {story}: {cause}")]
pub struct Error {
    story: &'static str,
    #[source]
    cause: Box<dyn std::error::Error + Send + Sync>,
}

/// How a story ends.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "one value for each story")]
pub enum Ending {
    /// With a page: its leading picture stands for the story, its facts are what was found.
    Completed(Page),
    /// Not at all: data that it needs are not here. The reason is a sentence.
    Skipped(String),
}

/// A story.
#[derive(Debug, Clone, Copy)]
pub struct Story {
    /// Its name: that of its module, and of its example.
    pub name: &'static str,
    /// What it is about, in a few words.
    pub title: &'static str,
    /// What it shows, in a sentence.
    pub sentence: &'static str,
    /// The number of what it shows; several stories may share one.
    pub id: &'static str,
    pub(crate) tell: fn(&mut dyn Write, &Sources) -> Outcome<Ending>,
}

impl Story {
    /// Tells the story: prints its findings to `out` as it goes, and ends with its page.
    ///
    /// # Errors
    /// If `out` cannot be written, or data that are there cannot be read.
    pub fn tell(&self, out: &mut dyn Write, sources: &Sources) -> Result<Ending, Error> {
        let ending = (self.tell)(out, sources).map_err(|cause| Error { story: self.name, cause })?;
        Ok(match ending {
            Ending::Completed(mut page) => {
                page.command = format!("posterior gallery --only {} --out DIR", self.name);
                Ending::Completed(page)
            }
            skipped @ Ending::Skipped(_) => skipped,
        })
    }
}

/// Prints a table below its title, and shows it on the page.
pub(crate) fn tell_table(
    out: &mut dyn Write,
    page: &mut Page,
    title: &str,
    text: impl Into<String>,
    table: PageTable,
) -> Outcome<()> {
    writeln!(out, "\n{title}\n\n{}", table.text())?;
    page.section(title, text, table);
    Ok(())
}
