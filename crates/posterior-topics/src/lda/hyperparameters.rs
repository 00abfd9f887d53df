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
    let documents: Vec<&[u32]> = documents.collect();
    let used: Vec<usize> =
        (0..alpha.len()).filter(|&k| documents.iter().any(|document| document[k] > 0)).collect();
    let mut histograms = CountHistograms::new(used.len());
    for document in &documents {
        let counts = used.iter().enumerate().map(|(i, &k)| (i, u64::from(document[k])));
        histograms
            .push_sparse(counts)
            .expect("categories are numbered, and sums of 32-bit counts fit in 64 bits");
    }
    let start = used.iter().map(|&k| alpha[k]).collect();
    let Ok(fitted) = fixed_point(&histograms, start, Symmetry::Asymmetric) else {
        return alpha.to_vec();
    };
    let mut improved = vec![BOUNDS.0; alpha.len()];
    for (&k, a) in used.iter().zip(fitted) {
        improved[k] = a.clamp(BOUNDS.0, BOUNDS.1);
    }
    improved
}

/// The common concentration of all words, improved for rows of topic counts, one a word.
pub(crate) fn improve_beta<'a>(
    words: impl ExactSizeIterator<Item = &'a [u32]>,
    topics: usize,
    beta: f64,
) -> f64 {
    let mut histograms = CountHistograms::new(words.len());
    let mut counts = vec![Vec::new(); topics];
    for (v, row) in words.enumerate() {
        for (counts, &count) in counts.iter_mut().zip(row).filter(|&(_, &count)| count > 0) {
            counts.push((v, u64::from(count)));
        }
    }
    for topic in counts {
        histograms.push_sparse(topic).expect("words are numbered, and sums of 32-bit counts fit in 64 bits");
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
