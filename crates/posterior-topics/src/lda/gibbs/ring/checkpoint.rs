//! A fit in parts on its way to a folder and back: shards, and one record of them.
//!
//! Every process writes the shards of its groups to `sweep-N` in the folder; when all are there, the first
//! one replaces `commit.json`, which names each with its length and checksum, and removes the sweep before. A
//! run that is killed at any moment leaves the record of the last whole state. Shards are those of groups,
//! not of processes: any other number of processes goes on from them.

use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::chain::RingGibbs;
use super::collectives::Collectives;
use super::frames::{checksum, foreign, framed, payloads};
use super::parts::{block_part, group_part, words_as_bytes};
use super::progress::Progress;
use super::storage::{InFolder, Storage};
use crate::Error;
use crate::chain::SweepPoint;
use crate::lda::gibbs::kept::KeptConcentrations;
use crate::lda::gibbs::options::LdaGibbsOptions;

const FORMAT: &str = "posterior-lda-shards-1";
const RECORD: &str = "commit.json";

/// A part of a state in a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Shard {
    name: String,
    bytes: u64,
    crc: u32,
}

/// The record of a state.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Commit {
    format: String,
    corpus: u32,
    options: LdaGibbsOptions,
    groups: usize,
    iterations: usize,
    states: u64,
    alpha: Vec<f64>,
    beta: f64,
    concentrations: KeptConcentrations,
    trace: Vec<SweepPoint>,
    shards: Vec<Shard>,
    /// Of the file.
    #[serde(skip)]
    crc: u32,
}

/// Refuses processes that do not have the same version, corpus, options and state.
pub(super) fn agree<S: Storage, C: Collectives>(
    chain: &mut RingGibbs<'_, S, C>,
    options: &LdaGibbsOptions,
    state: &str,
) -> Result<(), Error> {
    let (version, corpus) = (env!("CARGO_PKG_VERSION"), chain.layout.fingerprint);
    let options = serde_json::to_string(options).unwrap_or_default();
    let own = format!("version {version}\ncorpus {corpus:08x}\noptions {options}\nstate {state}");
    let all = chain.collectives.gather(own.into_bytes())?;
    let text = |bytes: &Vec<u8>| String::from_utf8_lossy(bytes).into_owned();
    let first = all.first().map(text).unwrap_or_default();
    let mut verdict = String::new();
    for (rank, other) in all.iter().map(text).enumerate() {
        if let Some((a, b)) = first.lines().zip(other.lines()).find(|(a, b)| a != b) {
            verdict = format!("processes differ: process 0 has {a}, and process {rank} has {b}");
            break;
        }
    }
    let verdict = text(&chain.collectives.broadcast(verdict.into_bytes())?);
    if verdict.is_empty() { Ok(()) } else { Err(Error::Corpus(verdict)) }
}

impl Commit {
    /// Writes the shards of this process and, at the first one, the record.
    pub(super) fn write<S: Storage, C: Collectives>(
        folder: &Path,
        options: &LdaGibbsOptions,
        chain: &mut RingGibbs<'_, S, C>,
        progress: &Progress,
    ) -> Result<(), Error> {
        let name = format!("sweep-{}", progress.done);
        let shards = InFolder::create(folder.join(&name))?;
        let mut written = Vec::new();
        let mut put = |part: String, bytes: &[u8]| -> Result<(), Error> {
            shards.write(&part, bytes)?;
            written.push(Shard { name: part, bytes: bytes.len() as u64, crc: checksum(bytes) });
            Ok(())
        };
        for i in chain.own.clone() {
            let topics = (0..chain.layout.groups).map(|g| block_part("topics", i, g));
            for part in topics.chain([group_part("documents", i), group_part("pooled", i)]) {
                let bytes = chain.storage.read(&part)?;
                put(part, &bytes)?;
            }
        }
        for ((g, words), pooled) in chain.own.clone().zip(&chain.words).zip(&progress.pooled) {
            put(group_part("words", g), &framed(&words_as_bytes(g, words, chain.layout.topics)))?;
            let sums: Vec<u8> = pooled.iter().flat_map(|sum| sum.to_le_bytes()).collect();
            put(group_part("sums", g), &framed(&sums))?;
        }
        let own = serde_json::to_vec(&written).map_err(|error| Error::Corpus(error.to_string()))?;
        let all = chain.collectives.gather(own)?;
        if chain.collectives.place().rank == 0 {
            let mut shards = Vec::new();
            for bytes in &all {
                let own: Vec<Shard> =
                    serde_json::from_slice(bytes).map_err(|error| Error::Corpus(error.to_string()))?;
                shards.extend(own);
            }
            let record = Self {
                format: FORMAT.to_owned(),
                corpus: chain.layout.fingerprint,
                options: options.clone(),
                groups: chain.layout.groups,
                iterations: progress.done,
                states: progress.states,
                alpha: chain.alpha.clone(),
                beta: chain.beta(),
                concentrations: progress.kept.clone(),
                trace: progress.trace.clone(),
                shards,
                crc: 0,
            };
            record.replace(folder)?;
            remove_others(folder, &name)?;
        }
        // No one goes on before the record is there.
        chain.collectives.broadcast(Vec::new()).map(|_| ())
    }

    fn replace(&self, folder: &Path) -> Result<(), Error> {
        let (path, partial) = (folder.join(RECORD), folder.join("commit.json.partial"));
        let json = serde_json::to_vec(self).map_err(|error| Error::Corpus(error.to_string()))?;
        fs::write(&partial, json).map_err(|source| Error::io(&partial, source))?;
        fs::rename(&partial, &path).map_err(|source| Error::io(&path, source))
    }

    /// The last whole state of a folder.
    pub(super) fn read(folder: &Path) -> Result<Self, Error> {
        let path = folder.join(RECORD);
        let bytes = fs::read(&path).map_err(|source| Error::io(&path, source))?;
        let record: Self = serde_json::from_slice(&bytes)
            .map_err(|error| Error::contents(&path, format!("not the record of a checkpoint: {error}")))?;
        if record.format == FORMAT {
            Ok(Self { crc: checksum(&bytes), ..record })
        } else {
            Err(Error::contents(&path, format!("format {:?}, expected {FORMAT:?}", record.format)))
        }
    }

    /// The state in a few words, which differ where states do.
    pub(super) fn state(&self) -> String {
        format!("after {} sweeps, record {:08x}", self.iterations, self.crc)
    }

    /// Puts the shards of the groups of this process in their place.
    pub(super) fn restore<S: Storage, C: Collectives>(
        self,
        folder: &Path,
        options: &LdaGibbsOptions,
        chain: &mut RingGibbs<'_, S, C>,
    ) -> Result<Progress, Error> {
        let path = folder.join(RECORD);
        let differs = |what: &str| {
            let error = Error::contents(&path, format!("the checkpoint was made with {what}"));
            error.with_hint("give the same corpus and the same options as the run that wrote it")
        };
        if self.corpus != chain.layout.fingerprint {
            return Err(differs("another corpus"));
        }
        // Threads are not among the options that a file has.
        let given = LdaGibbsOptions { threads: self.options.threads, ..options.clone() };
        if self.options != given || self.groups != chain.layout.groups {
            return Err(differs("other options"));
        }
        let numbers = options.topics + usize::from(chain.concentrations().is_equal());
        let positive = |numbers: &[f64]| numbers.iter().all(|own| *own > 0.0 && own.is_finite());
        let fits = self.alpha.len() == options.topics && positive(&self.alpha) && positive(&[self.beta]);
        if !fits || !self.concentrations.fits(numbers) {
            return Err(Error::contents(&path, "its concentrations contradict its options"));
        }
        let shards = InFolder::create(folder.join(format!("sweep-{}", self.iterations)))?;
        let shard = |part: &str| -> Result<Vec<u8>, Error> {
            let known = self.shards.iter().find(|own| own.name == part);
            let known = known.ok_or_else(|| Error::contents(&path, format!("it names no shard {part}")))?;
            let bytes = shards.read(part)?;
            if (bytes.len() as u64, checksum(&bytes)) == (known.bytes, known.crc) {
                Ok(bytes)
            } else {
                Err(Error::contents(&shards.path(part), "the shard is damaged, or of another run"))
            }
        };
        let mut pooled = Vec::new();
        for i in chain.own.clone() {
            let topics = (0..self.groups).map(|g| block_part("topics", i, g));
            for part in topics.chain([group_part("documents", i), group_part("pooled", i)]) {
                chain.storage.write(&part, &shard(&part)?)?;
            }
            let part = group_part("words", i);
            let place = i - chain.own.start;
            chain.words[place] = chain.group_of_words(&part, &shard(&part)?, i)?;
            let (part, topics) = (group_part("sums", i), chain.layout.topics);
            let (bytes, path) = (shard(&part)?, shards.path(&part));
            let payload = payloads(&path, &bytes)?.concat();
            if payload.len() != 8 * topics * chain.layout.words.members[i].len() {
                return Err(foreign(&path));
            }
            pooled.push(payload.as_chunks::<8>().0.iter().map(|&own| u64::from_le_bytes(own)).collect());
        }
        chain.alpha.clone_from(&self.alpha);
        chain.set_beta(self.beta);
        chain.sweeps = self.iterations;
        Ok(Progress {
            done: self.iterations,
            states: self.states,
            pooled,
            kept: self.concentrations,
            trace: self.trace,
        })
    }
}

/// Removes the sweeps of a folder but one.
fn remove_others(folder: &Path, kept: &str) -> Result<(), Error> {
    let io_error = |source| Error::io(folder, source);
    for entry in fs::read_dir(folder).map_err(io_error)? {
        let entry = entry.map_err(io_error)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with("sweep-") && name != kept {
            fs::remove_dir_all(entry.path()).map_err(|source| Error::io(&entry.path(), source))?;
        }
    }
    Ok(())
}
