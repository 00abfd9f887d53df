//! Files made to fill memory: every reader refuses them, or reads them within a multiple of their size and
//! [`BASE`]. The limit is one on the address space (`ulimit -v`), so that a reader which takes more is ended
//! by the system and not by an error of its own.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::Command;

use flate2::{Compression, write::GzEncoder};

use crate::Outcome;

const GIBIBYTE: usize = 1 << 30;

/// What a reader may take: this many times the size of a file ...
const MULTIPLE: usize = 6;

/// ... and so much more, for the addresses that threads and libraries reserve.
const BASE: usize = 4 * GIBIBYTE;

/// The readers: a verb for each, with `{}` for the file.
const READERS: [&str; 16] = [
    "topics fit {} --input jsonl --iterations 1",
    "topics fit {} --input csv --iterations 1",
    "topics fit {} --input lda-c --iterations 1",
    "topics fit {} --input uci --vocab words.csv --iterations 1",
    "topics infer {} words.csv",
    "net info {}",
    "net learn student.bif {}",
    "cluster fit {} --k 2",
    "regress fit {} --y y",
    "series smooth {} --y y --model local-level",
    "hmm fit {} --states 2",
    "crf fit {}",
    "mcmc diagnose {}",
    "bandit advise {} --policy ucb1",
    "classify fit {} --text text --label y",
    "sequence ngram {}",
];

/// Announcements of more than there is: name, contents, and the verb that reads them.
const ANNOUNCED: [(&str, &str, &str); 4] = [
    (
        "rows.docword",
        "1000000000000000000\n3\n1000000000000000000\n1 1 1\n",
        "topics fit {} --input uci --vocab words.csv",
    ),
    ("wide.lda-c", "1000000000000000000 0:1\n", "topics fit {} --input lda-c"),
    ("wide.uai", "MARKOV 1000000000000000000 2 2 1\n", "net info {}"),
    (
        "states.bif",
        "network n { }\nvariable A { type discrete [ 1000000000000000000 ] { a }; }\n",
        "net info {}",
    ),
];

/// Runs every reader on every file; one that fails does not keep the others from their turn.
pub(super) fn run(binary: &Path, folder: &Path) -> Outcome {
    make(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut runs = Vec::new();
    for file in ["garbage", "line", "zeros.gz"] {
        let size = if file == "zeros.gz" { 0 } else { GIBIBYTE };
        runs.extend(
            READERS
                .map(|reader| reader.replace("{}", file))
                .map(|verb| ends_well(binary, folder, &verb, size)),
        );
    }
    for (name, contents, verb) in ANNOUNCED {
        fs::write(folder.join(name), contents).map_err(|error| format!("{name}: {error}"))?;
        runs.push(ends_well(binary, folder, &verb.replace("{}", name), 0));
    }
    let failures: Vec<&String> = runs.iter().filter_map(|run| run.as_ref().err()).collect();
    if !failures.is_empty() {
        return Err(failures.into_iter().cloned().collect::<Vec<_>>().join("\n"));
    }
    println!(
        "soak: {} readings of files made to fill memory ended within {MULTIPLE} times their size and {} GiB",
        runs.len(),
        BASE / GIBIBYTE
    );
    Ok(())
}

/// A gibibyte of noise, one of a single line, and ten gigabytes of zeros in ten megabytes.
fn make(folder: &Path) -> std::io::Result<()> {
    fs::create_dir_all(folder)?;
    let mut noise = BufWriter::new(File::create(folder.join("garbage"))?);
    let mut state = 1_u64;
    for _ in 0..GIBIBYTE / 8 {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        noise.write_all(&(state ^ (state >> 29)).to_le_bytes())?;
    }
    noise.flush()?;
    let mut line = File::create(folder.join("line"))?;
    let mut zeros = BufWriter::new(File::create(folder.join("zeros.gz"))?);
    let mut packer = GzEncoder::new(Vec::new(), Compression::best());
    packer.write_all(&vec![0; 10_000_000])?;
    let member = packer.finish()?;
    for _ in 0..1024 {
        line.write_all(&vec![b'a'; GIBIBYTE / 1024])?;
        zeros.write_all(&member)?;
    }
    fs::write(folder.join("words.csv"), "text\nriver\nwater\n")?;
    let student = "network n { }\nvariable a { type discrete [ 2 ] { t, f }; }\nprobability ( a ) { table 0.5, 0.5; }\n";
    fs::write(folder.join("student.bif"), student)?;
    zeros.flush()
}

/// The verb ends by itself: done, or with a line that says what is wrong.
fn ends_well(binary: &Path, folder: &Path, verb: &str, size: usize) -> Outcome {
    let kibibytes = (MULTIPLE * size + BASE) / 1024;
    let script = format!("ulimit -v {kibibytes}; exec {} {verb} --threads 2 --quiet", binary.display());
    let output = Command::new("sh").arg("-c").arg(script).current_dir(folder).output();
    let output = output.map_err(|error| format!("sh did not start: {error}"))?;
    let errors = String::from_utf8_lossy(&output.stderr);
    let first = errors.lines().find(|line| line.starts_with("error: ")).unwrap_or("done");
    println!("  {verb}: {}", first.chars().take(120).collect::<String>());
    match output.status.code() {
        Some(0) => Ok(()),
        Some(1) if first != "done" => Ok(()),
        _ => Err(format!("posterior {verb}: {}\n{errors}", output.status)),
    }
}
