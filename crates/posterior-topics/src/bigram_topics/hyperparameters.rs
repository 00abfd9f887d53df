//! Concentrations of topics and words from the counts of a state, by Minka's fixed points.

use posterior_dist::{ConcentrationMethod, ConcentrationOptions, CountHistograms, DirichletMultinomial};
use posterior_math::iteration::Silent;

use super::collapsed_gibbs::BigramGibbs;
use super::options::WordPrior;
use super::word_prior::Concentrations;

const STEPS: usize = 20;

/// The bounds that concentrations are kept in: what has no count may come back.
const BOUNDS: (f64, f64) = (1e-6, 1e4);

/// The concentration of each topic, improved for rows of topic counts.
pub(super) fn improve_alpha(document_topic: &[u32], alpha: &[f64]) -> Vec<f64> {
    let rows = document_topic.chunks_exact(alpha.len());
    improve(rows.map(|row| row.iter().enumerate().map(|(k, &n)| (k, n)).collect()), alpha)
}

/// The concentrations of the words, improved for the words of all contexts and topics, or of the contexts of
/// each topic.
pub(super) fn improve_beta(chain: &BigramGibbs<'_>) -> Concentrations {
    let topics = chain.alpha.len();
    let contexts = |k: usize| {
        let pairs = &chain.pairs;
        (0..pairs.contexts()).map(move |context| {
            let row = pairs
                .of_context(context)
                .map(|pair| (pairs.words[pair] as usize, chain.pair_topic[pair * topics + k]));
            row.filter(|&(_, n)| n > 0).collect::<Vec<(usize, u32)>>()
        })
    };
    let columns = chain.beta.columns();
    let improved: Vec<Vec<f64>> = match chain.beta.kind() {
        WordPrior::Shared => vec![improve((0..topics).flat_map(contexts), &columns[0])],
        WordPrior::PerTopic => {
            columns.iter().enumerate().map(|(k, column)| improve(contexts(k), column)).collect()
        }
    };
    chain.beta.with_columns(&improved)
}

/// A few steps uphill for rows of counts. Categories without a count get the lower bound; where counts say
/// nothing, all stay.
fn improve(rows: impl Iterator<Item = Vec<(usize, u32)>>, start: &[f64]) -> Vec<f64> {
    let rows: Vec<Vec<(usize, u32)>> = rows.filter(|row| !row.is_empty()).collect();
    let mut place = vec![usize::MAX; start.len()];
    let mut used = Vec::new();
    for &(category, n) in rows.iter().flatten() {
        if n > 0 && place[category] == usize::MAX {
            place[category] = used.len();
            used.push(category);
        }
    }
    let mut histograms = CountHistograms::new(used.len());
    for row in rows {
        let counts = row.into_iter().filter(|&(_, n)| n > 0).map(|(c, n)| (place[c], u64::from(n)));
        histograms
            .push_sparse(counts)
            .expect("invariant: categories are numbered, and sums of 32-bit counts fit in 64 bits");
    }
    let options = ConcentrationOptions {
        method: ConcentrationMethod::FixedPoint,
        start: Some(used.iter().map(|&category| start[category]).collect()),
        max_iterations: STEPS,
        ..ConcentrationOptions::default()
    };
    let Ok(fitted) = DirichletMultinomial::fit(&histograms, &options, &mut Silent) else {
        return start.to_vec();
    };
    let mut improved = vec![BOUNDS.0; start.len()];
    for (&category, a) in used.iter().zip(fitted.model.concentration()) {
        improved[category] = a.clamp(BOUNDS.0, BOUNDS.1);
    }
    improved
}
