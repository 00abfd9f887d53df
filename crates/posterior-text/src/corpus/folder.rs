//! A folder of texts: each `.txt` file is a document.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use super::metered::Allowance;
use super::open::Source;
use super::text_visitor::VisitText;
use super::texts::{Text, Texts};
use crate::Error;

/// Reads the `.txt` and `.txt.gz` files of a folder, in order of their names; sub-folders and hidden files
/// are left alone. A document is named by its file, without the ending.
///
/// # Errors
/// The folder or a file cannot be read, there is no such file, or one is not UTF-8.
pub fn read_folder(folder: impl AsRef<Path>) -> Result<Texts, Error> {
    read_folder_within(folder.as_ref(), None)
}

/// The same, refused when it takes more than so many bytes of memory.
pub(super) fn read_folder_within(folder: &Path, memory: Option<u64>) -> Result<Texts, Error> {
    let files = files_of(folder)?;
    let mut allowance = memory.map(Allowance::of_texts);
    let texts = files.into_iter().map(|(name, path)| {
        let text = Source::open(&path)?.metered(allowance).read_to_string()?;
        if let Some(allowance) = &mut allowance {
            allowance.bytes = allowance.bytes.saturating_sub(allowance.taken(text.len() as u64, 1));
        }
        Ok(Text { name, text })
    });
    Ok(Texts::new(texts.collect::<Result<_, Error>>()?))
}

/// Visits the texts of a folder one by one.
pub(super) fn for_each_file(folder: &Path, visit: &mut VisitText<'_>) -> Result<(), Error> {
    for (name, path) in files_of(folder)? {
        visit(&name, &Source::open(&path)?.read_to_string()?)?;
    }
    Ok(())
}

/// The names of the documents of a folder and their files, in order.
fn files_of(folder: &Path) -> Result<Vec<(String, PathBuf)>, Error> {
    let mut files = Vec::new();
    let mut others = Vec::new();
    for entry in fs::read_dir(folder).map_err(|source| Error::io(folder, source))? {
        let path = entry.map_err(|source| Error::io(folder, source))?.path();
        match document_name(&path) {
            Some(name) => files.push((name, path)),
            None => others.push(path),
        }
    }
    if files.is_empty() {
        return Err(no_texts(folder, others));
    }
    files.sort();
    Ok(files)
}

/// The name of the document in this file, or `None` when it holds none.
fn document_name(path: &Path) -> Option<String> {
    let file = path.file_name()?.to_string_lossy();
    let name = file.strip_suffix(".gz").unwrap_or(&file).strip_suffix(".txt")?;
    (!file.starts_with('.') && path.is_file()).then(|| name.to_owned())
}

fn no_texts(folder: &Path, mut others: Vec<PathBuf>) -> Error {
    others.sort();
    let Some(first) = others.first().and_then(|path| path.file_name()).map(OsStr::to_string_lossy) else {
        return Error::contents(folder, "empty folder: expected .txt files, one for each document");
    };
    let message = format!("no .txt files in the folder; it holds {} others, first {first:?}", others.len());
    let hint = if others.iter().any(|path| path.is_dir()) {
        "sub-folders are not searched: give the folder that holds the files"
    } else {
        "rename the files, or give the one file that holds all documents"
    };
    Error::contents(folder, message).with_hint(hint)
}
