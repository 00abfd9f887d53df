//! The inner loop of collapsed Gibbs sampling: one pass over the tokens of a block.
//!
//! Given the masses `psi_kg` of the word groups, a token of word `w` in group `g` and document `d` has topic
//! `k` with probability proportional to
//!
//! ```text
//! (n_dk + alpha_k) (n_kw + beta) psi_kg / (n_kg + V_g beta)
//! ```
//!
//! where all counts leave the token out. With a single group `psi = 1`, and this is the conditional of
//! Griffiths and Steyvers (2004).
//!
//! Weights are added up in lanes of eight in a fixed order, so that every machine draws the same topics.

use rand::{Rng, RngExt};

use super::blocks::{Block, DocumentGroup, LANES, WordGroup};

/// The priors in the form that the kernel reads: `alpha` padded with zeros.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct PaddedPrior {
    pub(super) alpha: Vec<f64>,
    pub(super) beta: f64,
}

/// What the kernel keeps up to date while topics change, one entry a topic.
struct Factors {
    /// `n_dk + alpha_k` of the current document.
    document: Vec<f64>,
    /// `psi_kg / (n_kg + V_g beta)`.
    scale: Vec<f64>,
    /// The product of the three factors for the current token.
    weights: Vec<f64>,
    /// Sums of `weights` over each run of `LANES`.
    sums: Vec<f64>,
}

/// Draws a new topic for each token of `block` in turn.
pub(super) fn sweep_block<R: Rng + ?Sized>(
    block: &mut Block,
    documents: &mut DocumentGroup,
    words: &mut WordGroup,
    prior: &PaddedPrior,
    rng: &mut R,
) {
    let stride = prior.alpha.len();
    let mut factors = Factors {
        document: vec![0.0; stride],
        scale: vec![0.0; stride],
        weights: vec![0.0; stride],
        sums: vec![0.0; stride / LANES],
    };
    let smoothing = words.words as f64 * prior.beta;
    for k in 0..stride {
        factors.scale[k] = words.mass[k] / (f64::from(words.totals[k]) + smoothing);
    }
    for span in &block.spans {
        let document = &mut documents.counts[span.document as usize * stride..][..stride];
        for ((factor, &count), alpha) in factors.document.iter_mut().zip(&*document).zip(&prior.alpha) {
            *factor = f64::from(count) + alpha;
        }
        let tokens = span.start as usize..span.end as usize;
        for (&word, topic) in block.words[tokens.clone()].iter().zip(&mut block.topics[tokens]) {
            let row = &mut words.counts[word as usize * stride..][..stride];
            let mut update = |k: usize, by: i32, factors: &mut Factors, row: &mut [u32]| {
                row[k] = row[k].wrapping_add_signed(by);
                document[k] = document[k].wrapping_add_signed(by);
                words.totals[k] = words.totals[k].wrapping_add_signed(by);
                factors.document[k] = f64::from(document[k]) + prior.alpha[k];
                factors.scale[k] = words.mass[k] / (f64::from(words.totals[k]) + smoothing);
            };
            update(usize::from(*topic), -1, &mut factors, row);
            let total = weigh(&mut factors, row, prior.beta);
            let drawn = pick(&factors.weights, &factors.sums, rng.random::<f64>() * total);
            update(drawn, 1, &mut factors, row);
            *topic = drawn as u16;
        }
    }
}

/// Fills in the weight of each topic for a token with the topic counts `row` of its word; returns their sum.
fn weigh(factors: &mut Factors, row: &[u32], beta: f64) -> f64 {
    let (weights, _) = factors.weights.as_chunks_mut::<LANES>();
    let (document, _) = factors.document.as_chunks::<LANES>();
    let (scale, _) = factors.scale.as_chunks::<LANES>();
    let (row, _) = row.as_chunks::<LANES>();
    let mut total = 0.0;
    for ((((weights, document), scale), row), sum) in
        weights.iter_mut().zip(document).zip(scale).zip(row).zip(&mut factors.sums)
    {
        for lane in 0..LANES {
            // By way of i32, which machines convert in vectors; a count never reaches 2^31.
            let count = f64::from(row[lane].cast_signed());
            weights[lane] = document[lane] * scale[lane] * (count + beta);
        }
        *sum = lane_sum(weights);
        total += *sum;
    }
    total
}

fn lane_sum(x: &[f64; LANES]) -> f64 {
    ((x[0] + x[4]) + (x[2] + x[6])) + ((x[1] + x[5]) + (x[3] + x[7]))
}

/// The topic in whose share of the cumulated weights `target` falls.
fn pick(weights: &[f64], sums: &[f64], mut target: f64) -> usize {
    let mut run = 0;
    while run + 1 < sums.len() && target >= sums[run] {
        target -= sums[run];
        run += 1;
    }
    let mut cumulated = 0.0;
    let mut below = 0;
    for weight in &weights[run * LANES..][..LANES] {
        cumulated += weight;
        below += usize::from(cumulated <= target);
    }
    let topic = run * LANES + below.min(LANES - 1);
    // Rounding can carry the target past the last weight, onto the padding: step back to a real topic.
    (0..=topic).rev().find(|&k| weights[k] > 0.0).unwrap_or(0)
}

#[cfg(test)]
mod tests;
