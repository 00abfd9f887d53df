//! Learning the Dirichlet concentrations from the counts of a state.
//!
//! Given the topics of all tokens, documents are draws of a Dirichlet-multinomial with concentrations
//! `alpha`, and topics are draws of one with `beta` for each word. Minka's (2000) fixed point never lowers
//! the likelihood of either, and with it never the joint likelihood. A few steps from the concentrations of
//! before are enough, as the counts move with every sweep; they also keep early states, whose topics are
//! still all alike, from driving the concentrations off to infinity.

use posterior_dist::{
    ConcentrationMethod, ConcentrationOptions, CountHistograms, DirichletMultinomial, Symmetry,
};
use posterior_math::ParamError;
use posterior_math::iteration::Silent;
use serde::{Deserialize, Serialize};

use super::tally::Histogram;

/// Whether the concentrations of the priors are fitted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Hyperparameters {
    /// They stay as given.
    #[default]
    Fixed,
    /// They climb by fixed points between the steps of the fit: `alpha` a topic, `beta` the same for all
    /// words (Minka 2000; Wallach, Mimno and McCallum 2009).
    Optimized,
}

const STEPS: usize = 20;

/// The bounds that concentrations are kept in: a topic without tokens may come back.
const BOUNDS: (f64, f64) = (1e-4, 1e4);

/// Concentrations of the topics, improved for rows of topic counts, one a document.
///
/// A topic without tokens has its likeliest concentration at zero and gets the lower bound.
pub(crate) fn improve_alpha<'a>(documents: impl Iterator<Item = &'a [u32]>, alpha: &[f64]) -> Vec<f64> {
    improve(documents.map(|row| row.iter().copied().enumerate().collect()), alpha, BOUNDS)
}

/// The topics of documents that come one by one, for the concentrations of the topics.
#[derive(Debug)]
pub(super) struct DocumentHistograms {
    /// Topics with tokens.
    used: Vec<usize>,
    /// Their places among these.
    place: Vec<usize>,
    histograms: CountHistograms,
}

impl DocumentHistograms {
    /// Without a document, where topics have so many tokens in all.
    pub(super) fn new(totals: &[u64]) -> Self {
        let used: Vec<usize> = (0..totals.len()).filter(|&topic| totals[topic] > 0).collect();
        let mut place = vec![0; totals.len()];
        used.iter().enumerate().for_each(|(at, &topic)| place[topic] = at);
        let histograms = CountHistograms::new(used.len());
        Self { used, place, histograms }
    }

    /// A document with these topics and their counts, none of which is zero.
    pub(super) fn push(&mut self, entries: &[(u16, u32)]) {
        let counts = entries.iter().map(|&(topic, n)| (self.place[usize::from(topic)], u64::from(n)));
        self.histograms
            .push_sparse(counts)
            .expect("categories are numbered, and sums of 32-bit counts fit in 64 bits");
    }

    /// Concentrations of the topics, improved.
    pub(super) fn improve(&self, alpha: &[f64]) -> Vec<f64> {
        improve_used(&self.histograms, &self.used, alpha, BOUNDS)
    }
}

/// Concentrations of categories, a few steps uphill from `start` for rows of counts by category.
///
/// Categories without a count get the lower bound; where counts say nothing, all stay.
pub(crate) fn improve(
    rows: impl Iterator<Item = Vec<(usize, u32)>>,
    start: &[f64],
    bounds: (f64, f64),
) -> Vec<f64> {
    let rows: Vec<Vec<(usize, u32)>> = rows.collect();
    let mut counted = vec![false; start.len()];
    rows.iter().flatten().for_each(|&(category, n)| counted[category] |= n > 0);
    let used: Vec<usize> = (0..start.len()).filter(|&category| counted[category]).collect();
    let mut place = vec![0; start.len()];
    used.iter().enumerate().for_each(|(i, &category)| place[category] = i);
    let mut histograms = CountHistograms::new(used.len());
    for row in rows {
        let counts = row.into_iter().filter(|&(_, n)| n > 0).map(|(c, n)| (place[c], u64::from(n)));
        histograms
            .push_sparse(counts)
            .expect("categories are numbered, and sums of 32-bit counts fit in 64 bits");
    }
    improve_used(&histograms, &used, start, bounds)
}

/// Concentrations of all categories, where the histograms are those of the categories in use.
fn improve_used(histograms: &CountHistograms, used: &[usize], start: &[f64], bounds: (f64, f64)) -> Vec<f64> {
    let from = used.iter().map(|&category| start[category]).collect();
    let Ok(fitted) = fixed_point(histograms, from, Symmetry::Asymmetric) else {
        return start.to_vec();
    };
    let mut improved = vec![bounds.0; start.len()];
    for (&category, a) in used.iter().zip(fitted) {
        improved[category] = a.clamp(bounds.0, bounds.1);
    }
    improved
}

/// The common concentration of all words, improved for rows of topic counts, one a word.
pub(crate) fn improve_beta<'a>(
    words: impl ExactSizeIterator<Item = &'a [u32]>,
    topics: usize,
    beta: f64,
) -> f64 {
    let mut counts = vec![Histogram::default(); topics];
    let vocabulary = words.len();
    for row in words {
        counts.iter_mut().zip(row).for_each(|(counts, &count)| counts.push(u64::from(count)));
    }
    improve_beta_of(&counts, vocabulary, beta)
}

/// The same for so many words, of whose counts each topic has these.
pub(super) fn improve_beta_of(topics: &[Histogram], vocabulary: usize, beta: f64) -> f64 {
    let mut histograms = CountHistograms::new(vocabulary);
    for counts in topics {
        // Words that have the same concentration may change places.
        let counts = counts.entries().flat_map(|(count, times)| std::iter::repeat_n(count, times as usize));
        histograms
            .push_sparse(counts.enumerate())
            .expect("a topic has each word once, and sums of 32-bit counts fit in 64 bits");
    }
    let fitted = fixed_point(&histograms, vec![beta], Symmetry::Symmetric);
    fitted.map_or(beta, |fitted| fitted[0].clamp(BOUNDS.0, BOUNDS.1))
}

/// A few steps uphill. An error means that the counts say nothing: no row has two tokens.
fn fixed_point(
    histograms: &CountHistograms,
    start: Vec<f64>,
    symmetry: Symmetry,
) -> Result<Vec<f64>, ParamError> {
    let options = ConcentrationOptions {
        method: ConcentrationMethod::FixedPoint,
        symmetry,
        start: Some(start),
        max_iterations: STEPS,
        ..ConcentrationOptions::default()
    };
    let fitted = DirichletMultinomial::fit(histograms, &options, &mut Silent)?;
    Ok(fitted.model.concentration().to_vec())
}
