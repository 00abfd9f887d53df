//! Fits that are killed and resumed until they end: the files are those of a fit that nobody killed, and no
//! half-written one is ever there under its final name.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::Moments;
use crate::Outcome;

/// What the lives of a fit take in turn. Every checkpoint and every thread's proportion of the work is in one
/// of them.
const SETTINGS: [&[&str]; 5] = [
    &["--sampler=dense", "--optimize-hyper"],
    &["--sampler=sparse"],
    &["--sampler=warp"],
    &["--sampler=auto", "--optimize-hyper"],
    &["--model=hdp", "--optimize-hyper"],
];
const FIT: [&str; 7] =
    ["topics", "fit", "--topics=16", "--iterations=60", "--min-df=20", "--quiet", "--format=json"];
const CHECKPOINT: [&str; 3] = ["--checkpoint=fit.ckpt", "--checkpoint-every=0", "--out=parts"];

/// Kills fits of the embedded corpus until `rounds` were killed.
pub(super) fn run(binary: &Path, folder: &Path, rounds: u32, moments: Moments) -> Outcome {
    fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut soak = Soak { binary, folder, moments, killed: 0, while_writing: 0 };
    let wholes: Vec<Whole> = SETTINGS.iter().map(|setting| soak.whole(setting)).collect::<Result<_, _>>()?;
    let mut lives = 0;
    while soak.killed < rounds {
        let which = lives % SETTINGS.len();
        soak.life(SETTINGS[which], &wholes[which], rounds)?;
        lives += 1;
        println!("  fit {lives}, {}: {} kills so far", SETTINGS[which].join(" "), soak.killed);
    }
    let (killed, writing) = (soak.killed, soak.while_writing);
    println!(
        "soak: {killed} kills, {writing} of them while results were written, in {lives} fits: all resumed to the same files"
    );
    Ok(())
}

/// A fit that nobody killed: its files, and how long it took.
struct Whole {
    files: BTreeMap<String, Vec<u8>>,
    time: Duration,
}

struct Soak<'a> {
    binary: &'a Path,
    folder: &'a Path,
    moments: Moments,
    killed: u32,
    while_writing: u32,
}

impl Soak<'_> {
    fn start(&self, setting: &[&str], more: &[&str]) -> Result<Child, String> {
        let mut command = Command::new(self.binary);
        command.args(FIT).args(setting).args(more).current_dir(self.folder);
        let child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn();
        child.map_err(|error| format!("{} did not start: {error}", self.binary.display()))
    }

    fn whole(&self, setting: &[&str]) -> Result<Whole, String> {
        let start = Instant::now();
        let child = self.start(setting, &["--out=whole", "--threads=2"])?;
        let output = child.wait_with_output().map_err(|error| format!("no exit code: {error}"))?;
        if !output.status.success() {
            return Err(format!("{setting:?}: {}", String::from_utf8_lossy(&output.stderr)));
        }
        Ok(Whole { files: files(&self.folder.join("whole"))?, time: start.elapsed() })
    }

    /// A fit that is killed and resumed until it ends, or all kills are done.
    fn life(&mut self, setting: &[&str], whole: &Whole, rounds: u32) -> Outcome {
        let (checkpoint, out) = (self.folder.join("fit.ckpt"), self.folder.join("parts"));
        let _ = fs::remove_file(&checkpoint);
        loop {
            let _ = fs::remove_dir_all(&out);
            let mut more = CHECKPOINT.to_vec();
            more.push(if self.moments.next() < 0.5 { "--threads=1" } else { "--threads=2" });
            if checkpoint.exists() {
                more.push("--resume=fit.ckpt");
            }
            let mut child = self.start(setting, &more)?;
            if self.killed < rounds {
                self.wait(&mut child, &out, whole.time)?;
            }
            let ended = if self.killed < rounds { ended(&mut child)? } else { true };
            if !ended {
                child.kill().map_err(|error| format!("not killed: {error}"))?;
                self.killed += 1;
            }
            let output = child.wait_with_output().map_err(|error| format!("no exit code: {error}"))?;
            let seen = files(&out).unwrap_or_default();
            self.while_writing += u32::from(!ended && !seen.is_empty());
            half_written(&seen, whole)?;
            if ended {
                if !output.status.success() {
                    return Err(format!("{more:?}: {}", String::from_utf8_lossy(&output.stderr)));
                }
                return same(&seen, whole);
            }
        }
    }

    /// Until a random moment of the fit or, one time in three, of the writing of its results.
    fn wait(&mut self, child: &mut Child, out: &Path, time: Duration) -> Outcome {
        let writing = self.moments.next() < 0.34;
        let start = Instant::now();
        let mut moment = time.mul_f64(self.moments.next());
        if writing {
            while !ended(child)? && !has_entries(out) {
                std::thread::sleep(Duration::from_micros(200));
            }
            moment = start.elapsed() + Duration::from_micros((self.moments.next() * 60_000.0) as u64);
        }
        while !ended(child)? && start.elapsed() < moment {
            std::thread::sleep(Duration::from_micros(200));
        }
        Ok(())
    }
}

fn ended(child: &mut Child) -> Result<bool, String> {
    child.try_wait().map(|status| status.is_some()).map_err(|error| format!("no exit code: {error}"))
}

fn has_entries(folder: &Path) -> bool {
    fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some())
}

/// The files under their final names: temporary ones begin with a dot.
fn files(folder: &Path) -> Result<BTreeMap<String, Vec<u8>>, String> {
    let context = |error: std::io::Error| format!("{}: {error}", folder.display());
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(folder).map_err(context)? {
        let path: PathBuf = entry.map_err(context)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !name.starts_with('.') {
            files.insert(name, fs::read(&path).map_err(context)?);
        }
    }
    Ok(files)
}

/// Every file is whole: that of the fit that nobody killed, or, as the report tells how long it took, one
/// with an end.
fn half_written(seen: &BTreeMap<String, Vec<u8>>, whole: &Whole) -> Outcome {
    for (name, bytes) in seen {
        let expected = whole.files.get(name).ok_or_else(|| format!("{name} is no file of a fit"))?;
        let is_whole = if name == "report.html" {
            bytes.trim_ascii_end().ends_with(b"</html>")
        } else {
            bytes == expected
        };
        if !is_whole {
            return Err(format!(
                "{name} has {} bytes, of a fit that nobody killed {}",
                bytes.len(),
                expected.len()
            ));
        }
    }
    Ok(())
}

fn same(seen: &BTreeMap<String, Vec<u8>>, whole: &Whole) -> Outcome {
    match whole.files.keys().find(|&name| !seen.contains_key(name)) {
        Some(name) => Err(format!("{name} is missing from a resumed fit")),
        None => half_written(seen, whole),
    }
}
