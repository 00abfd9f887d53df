//! What a fit in parts leaves.

use std::ops::Range;
use std::time::Duration;

use posterior_math::iteration::Stop;

use super::chain::RingGibbs;
use super::collectives::Collectives;
use super::frames::{foreign, payloads};
use super::layout::Layout;
use super::parts::{self, group_part};
use super::progress::Progress;
use super::storage::Storage;
use crate::Error;
use crate::chain::SweepReport;
use crate::corpus::StoredCorpus;
use crate::distributions::column_sums;
use crate::lda::Lda;
use crate::lda::gibbs::options::LdaGibbsOptions;
use crate::lda::gibbs::pooled::{PooledPrior, order};

/// A fit in parts: the model and the report; the proportions of the documents stay where they are until they
/// are asked for.
#[derive(Debug)]
#[non_exhaustive]
pub struct RingFitted<'a, S> {
    /// The model, at the first process.
    pub model: Option<Lda>,
    /// The report, the same at every process but for the time.
    pub report: SweepReport,
    storage: &'a S,
    layout: Layout,
    own: Range<usize>,
    states: u64,
    /// By the order of the topics in the model.
    alpha: Vec<f64>,
    order: Vec<usize>,
}

impl<'a, S: Storage> RingFitted<'a, S> {
    pub(super) fn of<C: Collectives>(
        (corpus, options, storage): (&StoredCorpus, &LdaGibbsOptions, &'a S),
        chain: RingGibbs<'_, S, C>,
        progress: Progress,
        (stop, sampling, sweeps): (Stop, Duration, usize),
    ) -> Result<Self, Error> {
        let Progress { done, states, pooled, kept, trace, .. } = progress;
        let topics = chain.layout.topics;
        let mut totals = vec![0; topics];
        for sums in &pooled {
            let own = column_sums(sums, topics);
            totals.iter_mut().zip(own).for_each(|(total, sum)| *total += sum);
        }
        chain.collectives.add(&mut totals)?;
        let mut prior = chain.concentrations().clone();
        let order = order(&totals, &prior);
        let draws = kept.draws(&order, options.draws_asymmetric());
        let alpha = kept.concentrations(&chain.alpha, &mut prior);
        let alpha: Vec<f64> = order.iter().map(|&k| alpha[k]).collect();
        let bytes = pooled.into_iter().flatten().flat_map(u64::to_le_bytes).collect();
        let gathered = chain.collectives.gather(bytes)?;
        let mut model = None;
        if chain.collectives.place().rank == 0 {
            let mut counts = word_topic(&chain.layout, &gathered, &order, states)?;
            prior.add_excess(&mut counts);
            let vocabulary = corpus.vocabulary().to_vec();
            let made = Lda::from_counts(vocabulary, alpha.clone(), prior.least(), counts);
            model = Some(made.with_concentration_draws(draws));
        }
        let tokens = chain.layout.sizes.tokens;
        let report = SweepReport {
            iterations: done,
            trace,
            stop,
            sampling,
            tokens_drawn: sweeps as u64 * tokens,
            tokens_in_sweep: tokens,
        };
        let RingGibbs { layout, own, .. } = chain;
        Ok(Self { model, report, storage, layout, own, states, alpha, order })
    }

    /// Visits the documents of this process, group by group: the number of each, and its proportions of
    /// topics, which sum to one.
    ///
    /// # Errors
    /// A part cannot be read, or what the visitor returns.
    pub fn for_each_document(
        &self,
        mut visit: impl FnMut(usize, &[f64]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let topics = self.layout.topics;
        let prior = PooledPrior::new(self.states, &self.alpha);
        let mut place = vec![0; topics];
        self.order.iter().enumerate().for_each(|(k, &own)| place[own] = k);
        let mut sums = vec![0_u64; topics];
        for i in self.own.clone() {
            let part = group_part("pooled", i);
            let (path, bytes) = (self.storage.path(&part), self.storage.read(&part)?);
            let members = &self.layout.documents.members[i];
            let mut outcome = Ok(());
            parts::for_each_document(&path, &payloads(&path, &bytes)?, topics, |local, entries| {
                if outcome.is_err() {
                    return;
                }
                let Some(&d) = members.get(local) else {
                    outcome = Err(foreign(&path));
                    return;
                };
                sums.fill(0);
                for &(k, n) in entries {
                    sums[place[usize::from(k)]] = u64::from(n);
                }
                let length = sums.iter().sum::<u64>() as f64;
                let row: Vec<f64> = (0..topics).map(|k| prior.proportion(k, sums[k], length)).collect();
                outcome = visit(d as usize, &row);
            })?;
            outcome?;
        }
        Ok(())
    }
}

/// Words x topics, in the order of the vocabulary: the mean over the states, from the sums of all groups.
fn word_topic(
    layout: &Layout,
    gathered: &[Vec<u8>],
    order: &[usize],
    states: u64,
) -> Result<Vec<f64>, Error> {
    let topics = layout.topics;
    let mut counts = vec![0.0; layout.sizes.words * topics];
    let mut rows = gathered.iter().flat_map(|bytes| bytes.chunks_exact(8 * topics));
    for &v in layout.words.members.iter().flatten() {
        let row = rows.next().ok_or_else(|| {
            Error::Corpus("a process has sent something else than the counts of its words".to_owned())
        })?;
        let sums: Vec<u64> = row.as_chunks::<8>().0.iter().map(|&own| u64::from_le_bytes(own)).collect();
        let own = &mut counts[v as usize * topics..][..topics];
        own.iter_mut().zip(order).for_each(|(mean, &k)| *mean = sums[k] as f64 / states as f64);
    }
    Ok(counts)
}
