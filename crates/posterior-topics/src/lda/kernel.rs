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
struct Factors<'a> {
    prior: &'a PaddedPrior,
    /// `V_g beta`.
    smoothing: f64,
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
    let mut factors = Factors::new(words, prior);
    for span in &block.spans {
        let document = &mut documents.counts[span.document as usize * stride..][..stride];
        for ((factor, &count), alpha) in factors.document.iter_mut().zip(&*document).zip(&prior.alpha) {
            *factor = f64::from(count) + alpha;
        }
        let tokens = span.start as usize..span.end as usize;
        for (&word, topic) in block.words[tokens.clone()].iter().zip(&mut block.topics[tokens]) {
            let (row, old) = (word as usize * stride, usize::from(*topic));
            let kept = [factors.document[old], factors.scale[old]];
            factors.shift(words, document, row, old, -1);
            let total = factors.weigh(&words.counts[row..][..stride]);
            let drawn = pick(&factors.weights, &factors.sums, rng.random::<f64>() * total);
            // Most tokens of a chain that has found its topics stay where they are.
            if drawn == old {
                factors.put_back(words, document, row, old, kept);
            } else {
                factors.shift(words, document, row, drawn, 1);
                *topic = drawn as u16;
            }
        }
    }
}

impl<'a> Factors<'a> {
    fn new(words: &WordGroup, prior: &'a PaddedPrior) -> Self {
        let stride = prior.alpha.len();
        let smoothing = words.words as f64 * prior.beta;
        let scale = words.mass.iter().zip(&words.totals).map(|(m, &n)| m / (f64::from(n) + smoothing));
        Self {
            prior,
            smoothing,
            document: vec![0.0; stride],
            scale: scale.collect(),
            weights: vec![0.0; stride],
            sums: vec![0.0; stride / LANES],
        }
    }

    /// Takes a token of the word whose counts begin at `row` out of topic `k`, or puts it in.
    #[expect(clippy::inline_always, reason = "as a call, it took a quarter of the time of a sweep")]
    #[inline(always)]
    fn shift(&mut self, words: &mut WordGroup, document: &mut [u32], row: usize, k: usize, by: i32) {
        words.counts[row + k] = words.counts[row + k].wrapping_add_signed(by);
        words.totals[k] = words.totals[k].wrapping_add_signed(by);
        document[k] = document[k].wrapping_add_signed(by);
        self.document[k] = f64::from(document[k]) + self.prior.alpha[k];
        self.scale[k] = words.mass[k] / (f64::from(words.totals[k]) + self.smoothing);
    }

    /// Puts a token back into topic `k`, out of which it was taken when the factors were `kept`: without a division.
    fn put_back(
        &mut self,
        words: &mut WordGroup,
        document: &mut [u32],
        row: usize,
        k: usize,
        kept: [f64; 2],
    ) {
        words.counts[row + k] += 1;
        words.totals[k] += 1;
        document[k] += 1;
        [self.document[k], self.scale[k]] = kept;
    }

    /// Fills in the weights for a word with the topic counts `row`, of which the token is taken out; returns their
    /// sum.
    fn weigh(&mut self, row: &[u32]) -> f64 {
        let beta = self.prior.beta;
        let (weights, _) = self.weights.as_chunks_mut::<LANES>();
        let (document, _) = self.document.as_chunks::<LANES>();
        let (scale, _) = self.scale.as_chunks::<LANES>();
        let (row, _) = row.as_chunks::<LANES>();
        let mut total = 0.0;
        for ((((weights, document), scale), row), sum) in
            weights.iter_mut().zip(document).zip(scale).zip(row).zip(&mut self.sums)
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
    let (runs, _) = weights.as_chunks::<LANES>();
    let mut cumulated = 0.0;
    let mut below = 0;
    for weight in runs[run] {
        cumulated += weight;
        below += usize::from(cumulated <= target);
    }
    let topic = run * LANES + below.min(LANES - 1);
    if weights[topic] > 0.0 { topic } else { last_before(weights, topic) }
}

/// Rounding can carry the target past the last weight, onto the padding: the last topic with a weight.
#[cold]
fn last_before(weights: &[f64], topic: usize) -> usize {
    (0..topic).rev().find(|&k| weights[k] > 0.0).unwrap_or(0)
}

#[cfg(test)]
mod tests;
