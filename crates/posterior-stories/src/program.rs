//! A story as a program: what all examples of this crate are.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use crate::{Ending, Outcome, Sources, story};

/// Tells the story of this name on standard output, and with `--out DIR` writes its page and its picture.
/// Looks for data that are not embedded in the folder `data` of the one that the environment variable
/// `POSTERIOR_SHARED` names.
///
/// # Errors
/// If there is no story of this name, the arguments are others, the story fails, or the folder cannot be
/// written.
pub fn run(name: &str) -> Outcome<()> {
    let story = story(name).ok_or_else(|| format!("no story is named {name:?}"))?;
    let folder = out_folder()?;
    let mut out = std::io::stdout().lock();
    match story.tell(&mut out, &sources())? {
        Ending::Skipped(why) => writeln!(out, "skipped: {why}")?,
        Ending::Completed(page) => {
            if let Some(folder) = folder {
                std::fs::create_dir_all(&folder)?;
                write(&mut out, &folder.join("report.html"), &page.html())?;
                if let Some(lead) = &page.lead {
                    write(&mut out, &folder.join("picture.svg"), &lead.picture.standalone())?;
                }
            }
        }
    }
    Ok(())
}

fn write(out: &mut impl std::io::Write, path: &Path, text: &str) -> Outcome<()> {
    std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(writeln!(out, "\nwrote {}", path.display())?)
}

fn out_folder() -> Outcome<Option<PathBuf>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => Ok(None),
        ["--out", folder] => Ok(Some(PathBuf::from(folder))),
        _ => Err("expected nothing, or --out DIR".into()),
    }
}

#[expect(clippy::disallowed_methods, reason = "where data lie is for the person who runs an example to say")]
fn sources() -> Sources {
    std::env::var_os("POSTERIOR_SHARED")
        .map_or_else(Sources::embedded, |folder| Sources::folder(Path::new(&folder).join("data")))
}
