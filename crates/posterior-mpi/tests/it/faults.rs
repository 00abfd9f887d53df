//! What fails in one process ends all of them in seconds, with its message.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use posterior_topics::corpus::StoredCorpus;

use super::{FIT, PROGRAM, corpus, fail, fail_with, mpirun, place, succeed};

/// A disk that is full where this file is to be written.
fn fill(path: &Path) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    symlink("/dev/full", path).unwrap();
}

#[test]
fn a_full_disk_is_named_with_the_process_that_met_it() {
    // A part, a shard, the record and the model.
    for (name, rank) in [
        ("parts/process-1/topics-4-0", 1),
        ("saved/sweep-1/words-5", 1),
        ("saved/commit.json.partial", 0),
        ("out/model.json.partial", 0),
    ] {
        let folder = place();
        fill(&folder.path().join(name));
        let fit = FIT.replace("--iterations 40", "--iterations 2");
        let fit = format!("{fit} --parts parts --checkpoint saved --checkpoint-every 0 --out out");
        let error = fail(folder.path(), 2, &fit);
        let name = name.rsplit('/').next().unwrap();
        for part in [&format!("error: process {rank} of 2: "), name, "No space left"] {
            assert!(error.contains(part), "{name}: {error}");
        }
        assert!(!folder.path().join("out/model.json").exists(), "{name}");
    }
}

#[test]
fn what_cannot_be_done_ends_all_processes() {
    let folder = place();
    let place = folder.path();
    StoredCorpus::write(&corpus(2), place.join("two.corpus")).unwrap();
    for (words, expected) in [
        ("topics fit none.corpus --out out", "none.corpus"),
        ("topics fit two.corpus --groups 8 --out out", "3 processes share out 2 groups"),
        ("topics fit c.corpus --groups 2 --out out", "3 processes share out 2 groups"),
        ("topics fit c.corpus --groups 8 --memory 1kB --out out", "may be taken"),
        ("topics fit c.corpus --groups 8 --resume none --out out", "commit.json"),
    ] {
        let error = fail(place, 3, words);
        assert!(error.contains(expected), "{words}: {error}");
    }
}

#[test]
fn shards_that_are_damaged_or_of_another_run_are_named() {
    let folder = place();
    let place = folder.path();
    let save = |seed: u32, saved: &str| {
        let fit = FIT.replace("--seed 5", &format!("--seed {seed}"));
        succeed(place, 2, &format!("{fit} --checkpoint {saved} --checkpoint-every 0 --out out"));
    };
    save(5, "saved");
    save(6, "others");
    let resume = format!("{FIT} --resume saved --out resumed");
    // A shard of each kind, of the last process.
    for name in ["topics-7-0", "documents-7", "pooled-6", "words-7", "sums-7"] {
        let path = place.join("saved/sweep-40").join(name);
        let bytes = fs::read(&path).unwrap();
        let mut flipped = bytes.clone();
        flipped[bytes.len() / 2] ^= 1;
        let other = fs::read(place.join("others/sweep-40").join(name)).unwrap();
        let cut = bytes[..bytes.len() - 1].to_vec();
        for (damaged, how) in [(flipped, "flipped"), (cut, "cut off"), (other, "of another run")] {
            // What has the same bytes is no other shard.
            if damaged == bytes {
                continue;
            }
            fs::write(&path, damaged).unwrap();
            let error = fail(place, 3, &resume);
            for part in ["error: process 2 of 3: ", name, "is damaged, or of another run"] {
                assert!(error.contains(part), "{name} {how}: {error}");
            }
        }
        fs::remove_file(&path).unwrap();
        let error = fail(place, 3, &resume);
        assert!(error.contains("error: process 2 of 3: ") && error.contains(name), "{name}: {error}");
        fs::write(&path, bytes).unwrap();
    }
    assert!(!place.join("resumed/model.json").exists());
    let error = fail(place, 2, &resume.replace("--seed 5", "--seed 6"));
    assert!(error.contains("other options"), "{error}");
    succeed(place, 3, &resume);
}

/// Two programs under one starter that differ in options, in corpora, or in where they begin.
#[test]
fn processes_that_differ_are_refused_with_the_difference() {
    let folder = place();
    let place = folder.path();
    StoredCorpus::write(&corpus(119), place.join("d.corpus")).unwrap();
    let saved = format!("{FIT} --checkpoint saved --checkpoint-every 0 --out out");
    succeed(place, 2, &saved);
    let fit = format!("{FIT} --out out");
    for (other, expected) in [
        (fit.replace("--seed 5", "--seed 6"), "process 1 has options"),
        (fit.replace("c.corpus", "d.corpus"), "process 1 has corpus"),
        (format!("{fit} --resume saved"), "process 1 has state after 40 sweeps"),
    ] {
        let mut both = mpirun(place, 1, &fit);
        let error = fail_with(both.args([":", "-n", "1", PROGRAM]).args(other.split(' ')), place);
        assert!(error.contains("processes differ") && error.contains(expected), "{other}: {error}");
    }
}
