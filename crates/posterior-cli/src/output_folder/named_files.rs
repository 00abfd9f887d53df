//! The files that the command line names: no run writes over what it reads.

use std::any::TypeId;
use std::fs;
use std::path::{Path, PathBuf};

use clap::CommandFactory as _;

use crate::args::Cli;
use crate::failure::Failure;

/// Files and folders, by their names on the disk.
#[derive(Debug, Default)]
pub(super) struct NamedFiles {
    files: Vec<PathBuf>,
    folders: Vec<PathBuf>,
}

impl NamedFiles {
    /// All that the command line names, but for the folder of the output.
    pub(super) fn read_by_this_run() -> Self {
        Self::without(&["out"])
    }

    /// All that the command line names, but for the values of these options.
    fn without(options: &[&str]) -> Self {
        let mut top = Cli::command();
        let Ok(top_matches) = top.try_get_matches_from_mut(std::env::args_os()) else {
            return Self::default();
        };
        let (mut command, mut matches) = (&top, &top_matches);
        while let Some((name, inner)) = matches.subcommand() {
            let Some(below) = command.find_subcommand(name) else { break };
            (command, matches) = (below, inner);
        }
        let mut named = Self::default();
        for own in command.get_arguments().filter(|own| !options.contains(&own.get_id().as_str())) {
            // Some options take a word or a file, and are texts.
            let is_path = own.get_value_parser().type_id() == TypeId::of::<PathBuf>();
            for value in matches.get_raw(own.get_id().as_str()).into_iter().flatten() {
                let Some(place) = on_disk(Path::new(value)) else { continue };
                if place.is_dir() {
                    named.folders.extend(is_path.then_some(place));
                } else if is_path || place.is_file() {
                    named.files.push(place);
                }
            }
        }
        named
    }

    pub(super) fn have(&self, path: &Path) -> bool {
        on_disk(path).is_some_and(|place| self.files.contains(&place))
    }

    pub(super) fn have_folder(&self, path: &Path) -> bool {
        on_disk(path).is_some_and(|place| self.folders.contains(&place))
    }
}

/// The name behind all links, also of a file that is to be made.
fn on_disk(path: &Path) -> Option<PathBuf> {
    fs::canonicalize(path).ok().or_else(|| {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Some(fs::canonicalize(folder).ok()?.join(path.file_name()?))
    })
}

/// Refuses a file that is to be written, and named by one of `options`, where the run reads it.
pub(crate) fn never_an_input(path: &Path, options: &[&str]) -> Result<(), Failure> {
    let named = NamedFiles::without(options);
    // A document of a folder of texts is an input, too.
    let inside = path.extension().is_some_and(|ending| ending == "txt")
        && on_disk(path)
            .is_some_and(|place| place.is_file() && place.parent().is_some_and(|own| named.have_folder(own)));
    if named.have(path) || inside {
        let message = format!("{}: is read by this run, and would be replaced", path.display());
        return Err(Failure::data(message).with_hint("choose another name"));
    }
    Ok(())
}
