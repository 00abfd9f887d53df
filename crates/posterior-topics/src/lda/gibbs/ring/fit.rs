//! The fit of a corpus in parts, by one process or by all of a ring.

use std::path::Path;
use std::time::{Duration, Instant};

use posterior_math::iteration::{Step, Stop};

use super::chain::RingGibbs;
use super::checkpoint::{Commit, agree};
use super::collectives::Collectives;
use super::fitted::RingFitted;
use super::frames::framed;
use super::parts::group_part;
use super::progress::Progress;
use super::storage::Storage;
use crate::Error;
use crate::chain::SweepPoint;
use crate::corpus::StoredCorpus;
use crate::lda::gibbs::options::LdaGibbsOptions;

/// What becomes of a fit after a sweep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Next {
    /// It goes on.
    Continue,
    /// It goes on when its state is in the folder of checkpoints.
    Save,
    /// It stops when its state is in the folder of checkpoints.
    SaveAndStop,
    /// It stops.
    Stop,
}

/// A fit of latent Dirichlet allocation by collapsed Gibbs sampling to a corpus in parts.
///
/// ```
/// use posterior_topics::corpus::Writer;
/// use posterior_topics::lda::gibbs::LdaGibbsOptions;
/// use posterior_topics::lda::gibbs::ring::{InFolder, Next, OneProcess, RingFit};
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("notes.corpus");
///
/// let mut writer = Writer::create(&path, ["river", "bank", "money"].map(str::to_owned).to_vec())?;
/// for d in 0..40 {
///     let row = if d % 2 == 0 { vec![(0, 5), (1, 2)] } else { vec![(1, 2), (2, 5)] };
///     writer.push(&d.to_string(), row)?;
/// }
/// let corpus = writer.finish()?;
/// let options = LdaGibbsOptions { topics: 2, iterations: 50, groups: Some(2), ..LdaGibbsOptions::default() };
/// let storage = InFolder::create(folder.path().join("parts"))?;
/// let fit = RingFit { corpus: &corpus, options: &options, storage: &storage, checkpoints: None };
/// let mut process = OneProcess;
/// let fitted = fit.run(&mut process, &mut |_| Next::Continue)?;
/// let mut rows = 0;
/// fitted.for_each_document(|_, proportions| {
///     assert!((proportions.iter().sum::<f64>() - 1.0).abs() < 1e-12);
///     rows += 1;
///     Ok(())
/// })?;
/// assert_eq!((rows, fitted.model.unwrap().alpha().len()), (40, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct RingFit<'a, S> {
    /// The corpus, which every process can read.
    pub corpus: &'a StoredCorpus,
    /// The options. The chain starts uniformly, and its sampler is dense or sparse; of `threads` each process
    /// has as many.
    pub options: &'a LdaGibbsOptions,
    /// Where this process keeps its parts.
    pub storage: &'a S,
    /// The folder of checkpoints, which every process can read and write.
    pub checkpoints: Option<&'a Path>,
}

impl<'a, S: Storage> RingFit<'a, S> {
    /// Fits from the first state on. The observer sees each sweep with the latest value of
    /// ln p(W, Z | alpha, beta), NaN before the first one; that of the first process decides.
    ///
    /// # Errors
    /// Options out of range, more processes than groups, processes that differ in version, corpus, options or
    /// state, or parts that cannot be read, written or sent.
    pub fn run<C: Collectives>(
        &self,
        collectives: &mut C,
        observer: &mut dyn FnMut(&Step) -> Next,
    ) -> Result<RingFitted<'a, S>, Error> {
        let chain = RingGibbs::new(self.corpus, self.options, (self.storage, collectives), false)?;
        self.go_on(chain, (Progress::default(), "at its start"), observer)
    }

    /// Goes on from a folder of checkpoints, on any number of processes, to the same bits as if the fit had
    /// never stopped.
    ///
    /// # Errors
    /// As [`run`](Self::run); a folder without a checkpoint, or of another fit, or with a part that is
    /// missing or damaged.
    pub fn resume<C: Collectives>(
        &self,
        folder: &Path,
        collectives: &mut C,
        observer: &mut dyn FnMut(&Step) -> Next,
    ) -> Result<RingFitted<'a, S>, Error> {
        let mut chain = RingGibbs::new(self.corpus, self.options, (self.storage, collectives), true)?;
        let record = Commit::read(folder)?;
        let state = record.state();
        let progress = record.restore(folder, self.options, &mut chain)?;
        self.go_on(chain, (progress, &state), observer)
    }

    fn go_on<C: Collectives>(
        &self,
        mut chain: RingGibbs<'_, S, C>,
        (mut progress, state): (Progress, &str),
        observer: &mut dyn FnMut(&Step) -> Next,
    ) -> Result<RingFitted<'a, S>, Error> {
        let options = self.options;
        agree(&mut chain, options, state)?;
        let (start, before) = (Instant::now(), progress.done);
        let (mut sampling, mut stop) = (Duration::ZERO, Stop::MaxIterations);
        if progress.pooled.is_empty() {
            begin_pool(&chain, &mut progress)?;
        }
        while progress.done < options.iterations {
            let began = Instant::now();
            chain.sweep()?;
            sampling += began.elapsed();
            progress.done += 1;
            after_sweep(&mut chain, &mut progress, options)?;
            let latest = progress.trace.last().map_or(f64::NAN, |point| point.ln_joint);
            let wanted = observer(&Step::new(progress.done, latest, start.elapsed()));
            let next = decide(&mut chain, wanted)?;
            if matches!(next, Next::Save | Next::SaveAndStop) {
                let folder = self.checkpoints.ok_or_else(no_folder)?;
                Commit::write(folder, options, &mut chain, &progress)?;
            }
            if matches!(next, Next::Stop | Next::SaveAndStop) && progress.done < options.iterations {
                stop = Stop::Observer;
                break;
            }
        }
        if progress.states == 0 {
            pool(&mut chain, &mut progress)?;
        }
        let sweeps = progress.done - before;
        RingFitted::of((self.corpus, self.options, self.storage), chain, progress, (stop, sampling, sweeps))
    }
}

fn no_folder() -> Error {
    Error::Corpus("there is no folder of checkpoints: none was given".to_owned())
}

/// All that follows a sweep, in the order of the chain in memory.
fn after_sweep<S: Storage, C: Collectives>(
    chain: &mut RingGibbs<'_, S, C>,
    progress: &mut Progress,
    options: &LdaGibbsOptions,
) -> Result<(), Error> {
    let (iteration, schedule) = (progress.done, options.schedule());
    if schedule.is_fitted(iteration) {
        chain.optimize_hyperparameters()?;
    }
    if let Some(prior) = options.draws_after(iteration) {
        chain.draw_hyperparameters(prior)?;
    }
    if options.keeps_after(iteration) {
        let beta = chain.concentrations().is_equal().then(|| chain.beta());
        progress.kept.push(&chain.alpha, beta);
    }
    if schedule.is_traced(iteration) {
        progress.trace.push(SweepPoint { iteration, ln_joint: chain.ln_joint()?, state: () });
    }
    if schedule.is_pooled(iteration) {
        pool(chain, progress)?;
    }
    Ok(())
}

fn begin_pool<S: Storage, C: Collectives>(
    chain: &RingGibbs<'_, S, C>,
    progress: &mut Progress,
) -> Result<(), Error> {
    let topics = chain.layout.topics;
    let members = &chain.layout.words.members;
    progress.pooled = chain.own.clone().map(|g| vec![0; members[g].len() * topics]).collect();
    chain.own.clone().try_for_each(|i| chain.storage.write(&group_part("pooled", i), &framed(&[])))
}

/// Adds the state to the sums.
fn pool<S: Storage, C: Collectives>(
    chain: &mut RingGibbs<'_, S, C>,
    progress: &mut Progress,
) -> Result<(), Error> {
    let (topics, stride) = (chain.layout.topics, chain.layout.stride);
    for (sums, words) in progress.pooled.iter_mut().zip(&chain.words) {
        let rows = words.counts.chunks_exact(stride);
        for (sums, row) in sums.chunks_exact_mut(topics).zip(rows) {
            sums.iter_mut().zip(row).for_each(|(sum, &count)| *sum += u64::from(count));
        }
    }
    for i in chain.own.clone() {
        chain.pool_documents(i)?;
    }
    progress.states += 1;
    Ok(())
}

/// What the first process wants.
fn decide<S: Storage, C: Collectives>(chain: &mut RingGibbs<'_, S, C>, wanted: Next) -> Result<Next, Error> {
    const ALL: [Next; 4] = [Next::Continue, Next::Save, Next::SaveAndStop, Next::Stop];
    let code = ALL.iter().position(|&next| next == wanted).unwrap_or(0) as u8;
    let code = chain.collectives.broadcast(vec![code])?;
    Ok(code.first().and_then(|&code| ALL.get(usize::from(code))).copied().unwrap_or(Next::Stop))
}
