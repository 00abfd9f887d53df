//! Folders that are claimed, filled, and left by runs that were killed.

use std::collections::BTreeMap;

use super::*;

fn files(folder: &Path) -> BTreeMap<String, String> {
    let entries = fs::read_dir(folder).expect("the folder is ours").flatten();
    let files = entries.filter(|entry| entry.path().is_file());
    let read = |path: PathBuf| fs::read_to_string(path).expect("the folder is ours");
    files.map(|entry| (entry.file_name().to_string_lossy().into_owned(), read(entry.path()))).collect()
}

fn write(folder: &Path, run: &[(&str, &str)]) {
    let out = OutputFolder::at(folder, &[]).expect("nothing is in the way");
    for (name, text) in run {
        out.put_text(name, text).expect("there is room");
    }
    out.commit().expect("nothing is in the way");
}

const FIRST: &[(&str, &str)] = &[("model.json", "one"), ("old.svg", "one"), ("report.html", "one")];
const SECOND: &[(&str, &str)] = &[("model.json", "two"), ("new.svg", "two"), ("report.html", "two")];

/// What a run leaves that is killed after so many steps of putting its files into their places.
fn killed_after(steps: usize) -> (tempfile::TempDir, BTreeMap<String, String>) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let whole = tempfile::tempdir().expect("a temporary folder");
    write(folder.path(), FIRST);
    write(whole.path(), SECOND);
    fs::write(folder.path().join("notes.txt"), "mine").expect("the folder is ours");
    let staging = folder.path().join(HIDDEN).join(STAGED);
    fs::create_dir_all(&staging).expect("the folder is ours");
    fs::write(folder.path().join(HIDDEN).join(LOCK), "").expect("the folder is ours");
    let mut names: Vec<&str> = SECOND.iter().map(|(name, _)| *name).collect();
    names.push(MANIFEST);
    for name in &names {
        fs::copy(whole.path().join(name), staging.join(name)).expect("the folder is ours");
    }
    // In the order of the run itself: its files, then those of the former run that it does not have, then the
    // list.
    for step in 0..steps.min(5) {
        let moved = match names.get(step).filter(|name| **name != MANIFEST) {
            Some(name) => fs::rename(staging.join(name), folder.path().join(name)),
            None if step == 3 => fs::remove_file(folder.path().join("old.svg")),
            _ => fs::rename(staging.join(MANIFEST), folder.path().join(MANIFEST)),
        };
        moved.expect("the folder is ours");
    }
    let mut expected = files(whole.path());
    expected.insert("notes.txt".to_owned(), "mine".to_owned());
    (folder, expected)
}

#[test]
fn what_a_run_had_begun_to_put_into_its_place_is_finished() {
    for steps in 0..=5 {
        let (folder, expected) = killed_after(steps);
        drop(OutputFolder::at(folder.path(), &[]).expect("it can be mended"));
        assert_eq!(files(folder.path()), expected, "after {steps} steps");
        assert!(!folder.path().join(HIDDEN).exists());
        // And is whole: another run may replace it.
        write(folder.path(), FIRST);
        assert_eq!(files(folder.path()).len(), 5);
    }
}

#[test]
fn what_somebody_has_put_there_since_stays() {
    let (folder, _) = killed_after(1);
    fs::write(folder.path().join("new.svg"), "mine").expect("the folder is ours");
    let before = files(folder.path());
    let refused = OutputFolder::at(folder.path(), &[]).expect_err("a file is in the way");
    assert!(format!("{refused:?}").contains("new.svg"), "{refused:?}");
    assert_eq!(files(folder.path()), before);
    fs::remove_file(folder.path().join("new.svg")).expect("the folder is ours");
    drop(OutputFolder::at(folder.path(), &[]).expect("nothing is in the way now"));
    assert_eq!(files(folder.path())["new.svg"], "two");
}

#[test]
fn a_run_that_fails_or_is_killed_while_it_writes_leaves_the_old_files() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    write(folder.path(), FIRST);
    let before = files(folder.path());
    let out = OutputFolder::at(folder.path(), &["model.json"]).expect("the files are ours");
    out.put_text("model.json", "two").expect("there is room");
    let full = out.put("report.html", |out| {
        out.write_all(b"half of")?;
        Err(io::Error::from(ErrorKind::StorageFull))
    });
    assert!(full.is_err());
    drop(out);
    assert_eq!(files(folder.path()), before);
    assert!(!folder.path().join(HIDDEN).exists());

    let staging = folder.path().join(HIDDEN).join(STAGED);
    fs::create_dir_all(&staging).expect("the folder is ours");
    fs::write(staging.join("report.html"), "half of").expect("the folder is ours");
    drop(OutputFolder::at(folder.path(), &[]).expect("it can be mended"));
    assert_eq!(files(folder.path()), before);
    assert!(!folder.path().join(HIDDEN).exists());
}

#[test]
fn a_file_that_comes_while_a_run_works_is_not_replaced() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    write(folder.path(), FIRST);
    let out = OutputFolder::at(folder.path(), &[]).expect("the files are ours");
    fs::write(folder.path().join("new.svg"), "mine").expect("the folder is ours");
    let before = files(folder.path());
    for (name, text) in SECOND {
        out.put_text(name, text).expect("there is room");
    }
    assert!(out.commit().is_err());
    drop(out);
    assert_eq!(files(folder.path()), before);
}

#[test]
fn a_folder_is_of_one_run_at_a_time() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let first = OutputFolder::at(folder.path(), &[]).expect("nobody else has it");
    let refused = OutputFolder::at(folder.path(), &[]).expect_err("the first one has it");
    assert!(format!("{refused:?}").contains("in use by another run"), "{refused:?}");
    drop(first);
    OutputFolder::at(folder.path(), &[]).expect("nobody has it now");
}

#[test]
fn a_list_of_files_elsewhere_is_none() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    write(folder.path(), FIRST);
    let list = fs::read_to_string(folder.path().join(MANIFEST)).expect("it was written");
    fs::write(folder.path().join(MANIFEST), list.replace("old.svg", "../old.svg"))
        .expect("the folder is ours");
    assert!(OutputFolder::at(folder.path(), &[]).is_err());
}
