//! Fits in parts have the bits of the fit in memory: on any number of processes and threads, out of core, and
//! after a checkpoint.

#![expect(clippy::panic, reason = "a process of a test that fails fails the test")]

use std::path::Path;
use std::sync::{Arc, Barrier, Mutex};
use std::thread;

use posterior_topics::corpus::StoredCorpus;
use posterior_topics::lda::gibbs::ring::{
    Collectives, CountedCollectives, InFolder, InMemory, Next, OneProcess, Place, RingFit, RingFitted,
    RingLink, RingPlan, RingSizes, Storage, Traffic,
};
use posterior_topics::lda::gibbs::{LdaGibbsOptions, TopicSampler, TopicStart, fit};
use posterior_topics::lda::{ConcentrationPrior, Hyperparameters, Lda, Seed, WordWeights};
use posterior_topics::math::iteration::Silent;
use posterior_topics::{Corpus, Error, SweepReport};
use proptest::collection::vec;
use proptest::prelude::*;

/// What each thread shows the others, and where they wait for each other.
type Slots = (Mutex<Vec<Vec<u8>>>, Barrier);

/// A process that is a thread.
struct Thread {
    place: Place,
    slots: Arc<Slots>,
}

impl Thread {
    /// As many as there are ranks.
    fn ring(ranks: usize) -> Vec<Self> {
        let slots = Arc::new((Mutex::new(vec![Vec::new(); ranks]), Barrier::new(ranks)));
        (0..ranks).map(|rank| Self { place: Place { rank, ranks }, slots: Arc::clone(&slots) }).collect()
    }

    /// Shows bytes to all, and takes of those of all.
    fn exchange<T>(&self, bytes: Vec<u8>, take: impl FnOnce(&[Vec<u8>]) -> T) -> T {
        let (slots, barrier) = &*self.slots;
        slots.lock().unwrap()[self.place.rank] = bytes;
        barrier.wait();
        let taken = take(&slots.lock().unwrap());
        barrier.wait();
        taken
    }
}

impl Collectives for Thread {
    fn place(&self) -> Place {
        self.place
    }

    fn shift(&mut self, bytes: Vec<u8>) -> Result<Vec<u8>, Error> {
        let after = (self.place.rank + 1) % self.place.ranks;
        Ok(self.exchange(bytes, |all| all[after].clone()))
    }

    fn add(&mut self, counts: &mut [u64]) -> Result<(), Error> {
        let own = counts.iter().flat_map(|count| count.to_le_bytes()).collect();
        self.exchange(own, |all| {
            for (at, count) in counts.iter_mut().enumerate() {
                let of = |bytes: &Vec<u8>| u64::from_le_bytes(bytes[8 * at..8 * at + 8].try_into().unwrap());
                *count = all.iter().map(of).sum();
            }
        });
        Ok(())
    }

    fn gather(&mut self, bytes: Vec<u8>) -> Result<Vec<Vec<u8>>, Error> {
        let is_first = self.place.rank == 0;
        Ok(self.exchange(bytes, |all| if is_first { all.to_vec() } else { Vec::new() }))
    }

    fn broadcast(&mut self, bytes: Vec<u8>) -> Result<Vec<u8>, Error> {
        Ok(self.exchange(bytes, |all| all[0].clone()))
    }
}

/// What a fit leaves, whole.
#[derive(Debug, Clone, PartialEq)]
struct Whole {
    model: Lda,
    doc_topic: Vec<Vec<f64>>,
    trace: Vec<(usize, f64)>,
}

fn trace(report: &SweepReport) -> Vec<(usize, f64)> {
    report.trace.iter().map(|point| (point.iteration, point.ln_joint)).collect()
}

fn in_memory(corpus: &Corpus, options: &LdaGibbsOptions) -> Whole {
    let fitted = fit(corpus, options, &mut Silent).unwrap();
    let rows = fitted.doc_topic.row_iter().map(|row| row.iter().copied().collect());
    Whole { model: fitted.model, doc_topic: rows.collect(), trace: trace(&fitted.report) }
}

/// The rows of one process, with their numbers.
fn rows<S: Storage>(fitted: &RingFitted<'_, S>) -> Vec<(usize, Vec<f64>)> {
    let mut rows = Vec::new();
    let visited = fitted.for_each_document(|d, proportions| {
        rows.push((d, proportions.to_vec()));
        Ok(())
    });
    visited.unwrap();
    rows
}

/// How a fit is run.
#[derive(Clone, Copy)]
struct Run<'a> {
    corpus: &'a StoredCorpus,
    options: &'a LdaGibbsOptions,
    ranks: usize,
    /// The folder of parts; in memory without one.
    parts: Option<&'a Path>,
    checkpoints: Option<&'a Path>,
    is_resumed: bool,
    /// The sweep after which the state is saved and the run stops.
    until: Option<usize>,
}

/// The fit by so many processes, and the traffic of each.
fn in_parts(run: Run<'_>) -> (Whole, Vec<Traffic>) {
    let work = |thread: Thread| {
        let mut process = CountedCollectives::new(thread);
        let storage: Box<dyn Storage> = match run.parts {
            Some(folder) => Box::new(InFolder::create(folder).unwrap()),
            None => Box::new(InMemory::new()),
        };
        let Run { corpus, options, checkpoints, .. } = run;
        let fit = RingFit { corpus, options, storage: &storage, checkpoints };
        let mut observer = |step: &posterior_topics::math::iteration::Step| match run.until {
            Some(last) if step.iteration == last => Next::SaveAndStop,
            _ => Next::Continue,
        };
        let fitted = if run.is_resumed {
            fit.resume(checkpoints.unwrap(), &mut process, &mut observer)
        } else {
            fit.run(&mut process, &mut observer)
        };
        let fitted = fitted.unwrap();
        (fitted.model.clone(), trace(&fitted.report), rows(&fitted), process.traffic())
    };
    let threads = Thread::ring(run.ranks);
    let found: Vec<_> = thread::scope(|scope| {
        let all: Vec<_> = threads.into_iter().map(|own| scope.spawn(|| work(own))).collect();
        all.into_iter().map(|own| own.join().unwrap_or_else(|_| panic!("a process has failed"))).collect()
    });
    let mut doc_topic = vec![Vec::new(); run.corpus.documents()];
    for (d, row) in found.iter().flat_map(|(_, _, rows, _)| rows) {
        assert!(doc_topic[*d].is_empty(), "document {d} has two processes");
        doc_topic[*d].clone_from(row);
    }
    let (model, trace) = (found[0].0.clone().unwrap(), found[0].1.clone());
    assert!(found.iter().all(|own| own.1 == trace));
    assert!(found[1..].iter().all(|own| own.0.is_none()));
    (Whole { model, doc_topic, trace }, found.iter().map(|own| own.3).collect())
}

/// Corpora with at least 8 documents and 8 words, so that there are 8 groups.
fn corpora() -> impl Strategy<Value = Corpus> {
    vec(vec((0..12_u32, 1..4_u32), 0..9), 8..24).prop_filter_map("no token", |rows| {
        let vocabulary = (0..12).map(|word| format!("word{word}")).collect();
        let names = (1..=rows.len()).map(|number| number.to_string()).collect();
        Corpus::from_rows(vocabulary, names, rows).ok()
    })
}

fn options(sampler: TopicSampler, groups: usize, seed: u64) -> LdaGibbsOptions {
    LdaGibbsOptions {
        topics: 5,
        iterations: 14,
        draws: 3,
        thin: 4,
        trace_every: 5,
        sampler,
        groups: Some(groups),
        seed,
        threads: 1,
        ..LdaGibbsOptions::default()
    }
}

fn stored(corpus: &Corpus, folder: &Path) -> StoredCorpus {
    StoredCorpus::write(corpus, folder.join("c.corpus")).unwrap()
}

fn whole<'a>(corpus: &'a StoredCorpus, options: &'a LdaGibbsOptions) -> Run<'a> {
    Run { corpus, options, ranks: 1, parts: None, checkpoints: None, is_resumed: false, until: None }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4))]

    #[test]
    fn any_number_of_processes_and_threads_has_the_bits_of_memory(
        corpus in corpora(),
        seed in any::<u64>(),
        is_sparse in any::<bool>(),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let stored = stored(&corpus, folder.path());
        let sampler = if is_sparse { TopicSampler::Sparse } else { TopicSampler::Dense };
        let parts = folder.path().join("parts");
        for groups in [1, 8] {
            let given = options(sampler, groups, seed);
            let expected = in_memory(&corpus, &given);
            for ranks in [1, 2, 3, 4, 8].into_iter().filter(|&ranks| ranks <= groups) {
                for threads in [1, 2] {
                    let given = LdaGibbsOptions { threads, ..given.clone() };
                    let run = Run { ranks, ..whole(&stored, &given) };
                    prop_assert_eq!(&in_parts(run).0, &expected, "{} processes, {} threads", ranks, threads);
                    let run = Run { parts: Some(&parts), ..run };
                    prop_assert_eq!(&in_parts(run).0, &expected, "out of core, {} processes", ranks);
                }
            }
        }
    }

    /// Stopped after any sweep, and continued by any other number of processes.
    #[test]
    fn checkpoints_continue_to_the_same_bits(
        corpus in corpora(),
        until in 1..13_usize,
        (before, after) in (1..9_usize, 1..9_usize),
        is_sparse in any::<bool>(),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let stored = stored(&corpus, folder.path());
        let sampler = if is_sparse { TopicSampler::Sparse } else { TopicSampler::Dense };
        let given = options(sampler, 8, 3);
        let saved = folder.path().join("saved");
        let run = Run { ranks: before, checkpoints: Some(&saved), until: Some(until), ..whole(&stored, &given) };
        in_parts(run);
        let run = Run { ranks: after, until: None, is_resumed: true, ..run };
        prop_assert_eq!(in_parts(run).0, in_memory(&corpus, &given));
        // The folder has the last state and nothing else.
        prop_assert_eq!(std::fs::read_dir(&saved).unwrap().count(), 2);
    }
}

/// A corpus with a long tail, of themes.
fn themes() -> Corpus {
    let row = |d: u32| (0..10).map(|i| ((i * i + 7 * (d % 3)) % 40, 1 + (d + i) % 3)).collect();
    let vocabulary = (0..40).map(|word| format!("word{word}")).collect();
    Corpus::from_rows(vocabulary, (0..60).map(|d| d.to_string()).collect(), (0..60).map(row).collect())
        .unwrap()
}

#[test]
fn concentrations_are_learned_to_the_same_bits() {
    let (corpus, folder) = (themes(), tempfile::tempdir().unwrap());
    let stored = stored(&corpus, folder.path());
    let base = LdaGibbsOptions { iterations: 60, ..options(TopicSampler::Dense, 8, 1) };
    let seed = Seed { topic: 2, word: 3, weight: 20.0 };
    let cases = [
        LdaGibbsOptions { hyperparameters: Hyperparameters::Optimized, ..base.clone() },
        LdaGibbsOptions { concentration_prior: Some(ConcentrationPrior::default()), ..base.clone() },
        LdaGibbsOptions {
            concentration_prior: Some(ConcentrationPrior {
                asymmetric: false,
                ..ConcentrationPrior::default()
            }),
            ..base.clone()
        },
        LdaGibbsOptions { word_weights: WordWeights::Seeded(vec![seed]), ..base },
    ];
    for given in cases {
        let expected = in_memory(&corpus, &given);
        for ranks in [1, 3, 8] {
            assert_eq!(in_parts(Run { ranks, ..whole(&stored, &given) }).0, expected, "{given:?}");
        }
    }
}

#[test]
fn the_plan_knows_the_bytes() {
    let (corpus, folder) = (themes(), tempfile::tempdir().unwrap());
    let stored = stored(&corpus, folder.path());
    let given = LdaGibbsOptions { trace_every: 1000, ..options(TopicSampler::Dense, 8, 1) };
    let sizes = RingSizes { documents: 60, words: 40, tokens: corpus.tokens() };
    for ranks in [1, 2, 3, 8] {
        let plan = RingPlan::new(sizes, &given, ranks).unwrap();
        let (_, traffic) = in_parts(Run { ranks, ..whole(&stored, &given) });
        // The last sweep is traced, whatever the options say: another sum of the tokens of topics; and at the
        // end one of the pooled tokens.
        let sweeps = given.iterations as u64;
        let sums = sweeps + 1;
        for own in traffic {
            assert_eq!((own.shifts, own.shifted), (sweeps * plan.shifts, sweeps * plan.shifted));
            assert_eq!((own.sums, own.added), (sums + 1, sums * plan.added + 8 * 5));
        }
    }
    let plan = RingPlan::new(sizes, &given, 4).unwrap();
    let slow = plan.seconds(1e-7, RingLink { bandwidth: 1e6, latency: 1e-2 });
    let fast = plan.seconds(1e-7, RingLink { bandwidth: 1e9, latency: 1e-6 });
    assert!(slow > fast + 0.1 && fast > 0.0, "{slow} {fast}");
    assert!(RingPlan::new(sizes, &given, 9).is_err() && RingPlan::new(sizes, &given, 0).is_err());
    let none = RingSizes { documents: 0, words: 0, tokens: 0 };
    assert!(RingPlan::new(none, &given, 1).is_err());
}

/// The message of a fit by one process.
fn message(run: Run<'_>, storage: &InFolder) -> String {
    let fit = RingFit { corpus: run.corpus, options: run.options, storage, checkpoints: run.checkpoints };
    let mut observer = |_: &_| Next::Save;
    let outcome = match run.checkpoints.filter(|_| run.is_resumed) {
        Some(folder) => fit.resume(folder, &mut OneProcess, &mut observer),
        None => fit.run(&mut OneProcess, &mut observer),
    };
    outcome.map(|_| ()).unwrap_err().to_string()
}

#[test]
fn what_cannot_be_done_is_refused_with_its_reason() {
    let (corpus, folder) = (themes(), tempfile::tempdir().unwrap());
    let stored = stored(&corpus, folder.path());
    let storage = InFolder::create(folder.path().join("parts")).unwrap();
    let dense = options(TopicSampler::Dense, 8, 1);
    let given = options(TopicSampler::MetropolisHastings, 8, 1);
    let refused = message(whole(&stored, &given), &storage);
    assert!(refused.contains("sampler") && refused.contains("not in memory"), "{refused}");
    let given = LdaGibbsOptions { start: TopicStart::Progressive, ..dense.clone() };
    assert!(message(whole(&stored, &given), &storage).contains("start"));
    let refused = message(whole(&stored, &dense), &storage);
    assert!(refused.contains("no folder of checkpoints"), "{refused}");
    let mut ring = Thread::ring(9);
    let fit = RingFit { corpus: &stored, options: &dense, storage: &storage, checkpoints: None };
    let error = fit.run(&mut ring[0], &mut |_| Next::Continue).map(|_| ()).unwrap_err();
    assert!(
        error.to_string().contains("9 processes share out 8 groups") && error.hint().is_some(),
        "{error}"
    );
}

#[test]
fn shards_that_are_missing_damaged_or_foreign_are_named() {
    let (corpus, folder) = (themes(), tempfile::tempdir().unwrap());
    let stored = stored(&corpus, folder.path());
    let storage = InFolder::create(folder.path().join("parts")).unwrap();
    let given = options(TopicSampler::Dense, 2, 1);
    let saved = folder.path().join("saved");
    let run = Run { checkpoints: Some(&saved), until: Some(9), ..whole(&stored, &given) };
    in_parts(run);
    let run = Run { is_resumed: true, until: None, ..run };
    let shards = saved.join("sweep-9");
    for name in ["topics-1-0", "documents-0", "pooled-1", "words-0", "sums-1"] {
        let path = shards.join(name);
        let bytes = std::fs::read(&path).unwrap();
        let mut flipped = bytes.clone();
        flipped[bytes.len() / 2] ^= 1;
        std::fs::write(&path, flipped).unwrap();
        let refused = message(run, &storage);
        assert!(refused.contains(name) && refused.contains("damaged"), "{refused}");
        std::fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
        assert!(message(run, &storage).contains(name));
        std::fs::remove_file(&path).unwrap();
        assert!(message(run, &storage).contains(name));
        std::fs::write(&path, bytes).unwrap();
    }
    let other = LdaGibbsOptions { seed: 2, ..given.clone() };
    assert!(message(Run { options: &other, ..run }, &storage).contains("other options"));
    let fewer = corpus.select(&(0..50).collect::<Vec<_>>()).unwrap();
    let fewer = StoredCorpus::write(&fewer, folder.path().join("fewer.corpus")).unwrap();
    assert!(message(Run { corpus: &fewer, ..run }, &storage).contains("another corpus"));
    let record = saved.join("commit.json");
    let json = std::fs::read_to_string(&record).unwrap();
    std::fs::write(&record, json.replace("shards-1", "shards-9")).unwrap();
    assert!(message(run, &storage).contains("shards-9"));
    std::fs::write(&record, &json[..json.len() / 2]).unwrap();
    assert!(message(run, &storage).contains("not the record of a checkpoint"));
    std::fs::remove_file(&record).unwrap();
    assert!(message(run, &storage).contains("commit.json"));
}
