//! `posterior-mpi` under `mpirun`: the bits of the fit in memory on any number of processes, kills, errors.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use posterior_math::iteration::Silent;
use posterior_topics::corpus::StoredCorpus;
use posterior_topics::lda::gibbs::{self, LdaGibbsOptions};
use posterior_topics::{Corpus, TopicModel as _};

/// What a fit leaves.
const FILES: [&str; 4] = ["model.json", "topic_word.npy", "doc_topic.npy", "vocab.txt"];

/// A corpus of themes in 120 documents.
fn corpus() -> Corpus {
    let row = |d: u32| (0..12).map(|i| ((i * i + 11 * (d % 4)) % 60, 1 + (d + i) % 3)).collect();
    let vocabulary = (0..60).map(|word| format!("word{word}")).collect();
    let names = (0..120).map(|d| d.to_string()).collect();
    Corpus::from_rows(vocabulary, names, (0..120).map(row).collect()).unwrap()
}

fn mpirun(folder: &Path, ranks: usize, words: &str) -> Command {
    let mut command = Command::new("mpirun");
    command
        .args(["--oversubscribe", "-n", &ranks.to_string()])
        .arg(env!("CARGO_BIN_EXE_posterior-mpi"))
        .args(words.split(' '))
        .current_dir(folder)
        .stdin(Stdio::null())
        .envs([("OMPI_ALLOW_RUN_AS_ROOT", "1"), ("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")]);
    command
}

fn ran(folder: &Path, ranks: usize, words: &str) -> Output {
    mpirun(folder, ranks, words).output().unwrap()
}

fn succeed(folder: &Path, ranks: usize, words: &str) -> serde_json::Value {
    let output = ran(folder, ranks, words);
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{ranks} processes, {words}: {err}");
    serde_json::from_str(&out).unwrap()
}

fn files(folder: &Path) -> Vec<Vec<u8>> {
    FILES.iter().map(|name| fs::read(folder.join(name)).unwrap()).collect()
}

const FIT: &str =
    "topics fit c.corpus --topics 6 --groups 8 --iterations 40 --trace-every 7 --seed 5 --quiet";

#[test]
fn any_number_of_processes_has_the_bits_of_memory() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path();
    let corpus = corpus();
    StoredCorpus::write(&corpus, place.join("c.corpus")).unwrap();
    let options = LdaGibbsOptions {
        topics: 6,
        groups: Some(8),
        iterations: 40,
        trace_every: 7,
        seed: 5,
        ..LdaGibbsOptions::default()
    };
    let expected = gibbs::fit(&corpus, &options, &mut Silent).unwrap();
    let json = serde_json::to_vec(&expected.model).unwrap();
    let numbers = |matrix: &posterior_math::linalg::DMatrix<f64>| -> Vec<u8> {
        matrix
            .row_iter()
            .flat_map(|row| row.iter().copied().collect::<Vec<f64>>())
            .flat_map(f64::to_le_bytes)
            .collect()
    };
    let (topic_word, doc_topic) =
        (numbers(expected.model.topics().topic_word()), numbers(&expected.doc_topic));
    let ln_joint = expected.report.trace.last().unwrap().ln_joint / corpus.tokens() as f64;
    for ranks in [1, 2, 3, 4, 8] {
        for (threads, parts) in [(1, ""), (2, " --parts parts")] {
            let answer = succeed(place, ranks, &format!("{FIT} --threads {threads} --out out{parts}"));
            let found = files(&place.join("out"));
            assert_eq!(found[0], json, "{ranks} processes, {threads} threads{parts}");
            assert_eq!(found[1][128..], topic_word, "{ranks} processes");
            assert_eq!(found[2][128..], doc_topic, "{ranks} processes");
            assert_eq!(answer["ln_likelihood_per_token"].as_f64(), Some(ln_joint));
            assert_eq!(answer["shifted_in_a_sweep"], answer["shifted_by_the_plan"]);
            assert_eq!(answer["ranks"], ranks);
        }
    }
    for more in ["--optimize-hyper --draws 1", "--sample-hyper asymmetric", "--sampler sparse"] {
        let runs = [1, 3].map(|ranks| {
            succeed(place, ranks, &format!("{FIT} {more} --out out"));
            files(&place.join("out"))
        });
        assert!(runs[0] == runs[1] && runs[0][0] != json, "{more}");
    }
}

/// Killed at some moments, and resumed on another number of processes each time, to the same bits.
#[test]
fn a_run_that_is_killed_goes_on_with_any_number_of_processes() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path();
    StoredCorpus::write(&corpus(), place.join("c.corpus")).unwrap();
    let fit = FIT.replace("--iterations 40", "--iterations 300");
    succeed(place, 2, &format!("{fit} --out whole"));
    let fit = format!("{fit} --checkpoint saved --checkpoint-every 0 --out out");
    let mut kills = 0;
    for (round, ranks) in [3, 1, 4, 2, 8].into_iter().cycle().enumerate().take(60) {
        let resumed = if place.join("saved/commit.json").exists() { " --resume saved" } else { "" };
        let mut run = mpirun(place, ranks, &format!("{fit}{resumed}"));
        let mut run = run.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let until = Instant::now() + Duration::from_millis(700 + 130 * (round as u64 % 7));
        let mut ended = None;
        while ended.is_none() && Instant::now() < until {
            thread::sleep(Duration::from_millis(10));
            ended = run.try_wait().unwrap();
        }
        match ended {
            Some(status) => {
                assert!(status.success(), "{status}");
                break;
            }
            None => {
                run.kill().unwrap();
                run.wait().unwrap();
                kills += 1;
                // The processes of a starter that was killed end by themselves.
                thread::sleep(Duration::from_millis(300));
            }
        }
    }
    succeed(place, 3, &format!("{fit} --resume saved"));
    assert!(kills > 0, "nothing was killed");
    assert!(files(&place.join("out")) == files(&place.join("whole")));
}

#[test]
fn an_error_of_one_process_ends_all_with_its_message() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path();
    StoredCorpus::write(&corpus(), place.join("c.corpus")).unwrap();
    // The parts of the second half of the groups cannot be written: their names are those of folders.
    for group in 4..8 {
        fs::create_dir_all(place.join(format!("parts/structure-{group}-0"))).unwrap();
    }
    let begun = Instant::now();
    let output = ran(place, 2, &format!("{FIT} --parts parts --out out"));
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && begun.elapsed() < Duration::from_secs(10), "{error}");
    assert!(error.contains("error: process 1 of 2: ") && error.contains("structure-4-0"), "{error}");
    for (words, expected) in [
        ("topics fit none.corpus --out out", "none.corpus"),
        ("topics fit c.corpus --groups 2 --out out", "3 processes share out 2 groups"),
        ("topics fit c.corpus --groups 8 --memory 1kB --out out", "may be taken"),
        ("topics fit c.corpus --groups 8 --resume none --out out", "commit.json"),
    ] {
        let output = ran(place, 3, words);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && error.contains(expected), "{words}: {error}");
    }
}

#[test]
fn processes_that_differ_are_refused_with_the_difference() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path();
    StoredCorpus::write(&corpus(), place.join("c.corpus")).unwrap();
    // Two programs under one starter: other seeds.
    let program = env!("CARGO_BIN_EXE_posterior-mpi");
    let own = |seed: &str| format!("topics fit c.corpus --groups 2 --iterations 5 --out out --seed {seed}");
    let mut command = mpirun(place, 1, &own("1"));
    let output = command.arg(":").args(["-n", "1", program]).args(own("2").split(' ')).output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success(), "{error}");
    assert!(error.contains("processes differ") && error.contains("process 1 has options"), "{error}");
}

#[test]
fn plans_and_corpora_need_no_processes() {
    let folder = tempfile::tempdir().unwrap();
    let program = |words: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_posterior-mpi"));
        let output = command.args(words.split(' ')).current_dir(folder.path()).output().unwrap();
        assert!(output.status.success(), "{words}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let text = program(
        "plan --tokens 1e10 --vocabulary 1e6 --topics 1000 --groups 256 --ranks 256 --bandwidth 10Gbit --latency 20us",
    );
    // 4 bytes for each word and topic, and 16 + 4 x 1000 for each group.
    assert!(text.contains(&(4_000_000_000_u64 + 256 * 4016).to_string()), "{text}");
    let text = program("generate c.corpus --documents 300 --length 50 --vocabulary 500");
    assert!(text.contains("300 documents, 15000 words in all"), "{text}");
    let bytes = fs::read(folder.path().join("c.corpus")).unwrap();
    program("generate again.corpus --documents 300 --length 50 --vocabulary 500");
    assert!(fs::read(folder.path().join("again.corpus")).unwrap() == bytes);
    // The first word is the most frequent.
    let totals = StoredCorpus::open(folder.path().join("c.corpus")).unwrap().load().unwrap().word_totals();
    assert_eq!((0..500).max_by_key(|&word| totals[word]), Some(0));
}
