//! What every verb does around its work: it limits the threads, takes the time, claims the folder of `--out`,
//! writes the files, and prints the answer.

use std::fmt::Display;
use std::path::Path;
use std::time::Instant;

use posterior_report::Page;
use rayon::ThreadPoolBuilder;
use serde::Serialize;

use crate::args::{Common, Format};
use crate::failure::Failure;
use crate::long_work::LongWork;
use crate::output;
use crate::output_folder::OutputFolder;

/// Who made a page.
pub(crate) const MADE: &str = concat!("Made by posterior ", env!("CARGO_PKG_VERSION"), ".");

/// Where the data of a page are from, and who read them.
pub(crate) fn read_by_posterior(source: &str) -> String {
    format!("{source}, read by posterior {}.", env!("CARGO_PKG_VERSION"))
}

/// Holds everything that the run computes in parallel to the number of threads that was asked for; all cores
/// without one.
pub(crate) fn limit_threads(threads: Option<u16>) -> Result<(), Failure> {
    let Some(threads) = threads else { return Ok(()) };
    let pool = ThreadPoolBuilder::new().num_threads(usize::from(threads)).build_global();
    pool.map_err(|error| Failure::data(format!("cannot start {threads} threads: {error}")))
}

/// A run of a verb.
#[derive(Debug)]
pub(crate) struct Run<'a> {
    common: &'a Common,
    start: Instant,
    folder: Option<OutputFolder>,
}

/// An answer as JSON: its own fields, then the seed, and the time that it took.
#[derive(Serialize)]
pub(crate) struct Document<T> {
    #[serde(flatten)]
    answer: T,
    seed: u64,
    seconds: f64,
}

impl<'a> Run<'a> {
    /// Begins, with as many threads as the options say.
    pub(crate) fn start(common: &'a Common) -> Result<Self, Failure> {
        let start = Instant::now();
        limit_threads(common.threads)?;
        Ok(Self { common, start, folder: None })
    }

    /// Claims the folder of `--out`, if there is one, for files with these names and perhaps others: see
    /// [`OutputFolder::claim`].
    pub(crate) fn claim(&mut self, out: Option<&Path>, names: &[&str]) -> Result<(), Failure> {
        self.folder = OutputFolder::claim(out, names)?;
        Ok(())
    }

    /// Claims a folder that collects the files of many runs.
    pub(crate) fn collect(&mut self, out: Option<&Path>) -> Result<(), Failure> {
        self.folder = out.map(|path| OutputFolder::collecting(path, &[])).transpose()?;
        Ok(())
    }

    /// So many parts of work, each about as long, which a terminal shows until this is dropped.
    pub(crate) fn work(&self, parts: usize, what: &str) -> LongWork {
        LongWork::of(parts, what, self.common.quiet)
    }

    /// What work returns that a terminal shows if it is long.
    pub(crate) fn during<T>(&self, what: &str, work: impl FnOnce() -> T) -> T {
        let _shown = self.work(1, what);
        work()
    }

    /// Writes a note to stderr, unless `--quiet`.
    pub(crate) fn note(&self, text: &str) {
        output::note(self.common.quiet, text);
    }

    /// Writes a note for each of these.
    pub(crate) fn notes(&self, all: &[String]) {
        for own in all {
            self.note(&format!("note: {own}"));
        }
    }

    /// The answer as JSON.
    pub(crate) fn document<T: Serialize>(&self, answer: T) -> Document<T> {
        Document { answer, seed: self.common.seed, seconds: self.start.elapsed().as_secs_f64() }
    }

    /// If there is a folder: writes the files, and says that `shown` is there.
    pub(crate) fn write(
        &self,
        shown: &str,
        files: impl FnOnce(&OutputFolder) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let Some(folder) = &self.folder else { return Ok(()) };
        files(folder)?;
        folder.commit()?;
        self.note(&format!("wrote {}", folder.join(shown).display()));
        Ok(())
    }

    /// Prints the answer as JSON.
    pub(crate) fn print_json<T: Serialize>(&self, answer: T) -> Result<(), Failure> {
        output::print_json(&self.document(answer))
    }

    /// Prints the answer as `--format` says.
    pub(crate) fn print<T: Serialize>(
        &self,
        answer: impl FnOnce() -> T,
        text: impl FnOnce() -> String,
    ) -> Result<(), Failure> {
        match self.common.format {
            Format::Text => output::print(&text()),
            Format::Json => self.print_json(answer()),
        }
    }

    /// Says on a page how to make it again: the command, its settings and the seed, and where the data are
    /// from.
    pub(crate) fn sign(&self, page: &mut Page, source: impl Into<String>, settings: &[(&str, &dyn Display)]) {
        let seed: (&str, &dyn Display) = ("seed", &self.common.seed);
        let all = settings.iter().chain([&seed]);
        page.command = output::called();
        page.settings = all.map(|(name, value)| ((*name).to_owned(), value.to_string())).collect();
        page.source = source.into();
    }
}
