//! The dense sampler: the weights of all topics, for each token, by vectors of the machine.

#![expect(clippy::inline_always, reason = "only what is inlined is compiled for the vectors of the machine")]

use rand::Rng;
use rand_pcg::Pcg64;

use super::blocks::{CHAINS, Sweep};
use super::columns::{Columns, Draw, is_sound, upper};
use super::vectors::{Lanes, Vectors};
use super::word_factors::WordFactors;
use crate::lanes::LANES;

/// Draws a new topic for each token of a block in turn. Cost: topics, for each token.
#[inline(always)]
pub(super) fn dense_sweep<X: Vectors>(x: X, sweep: Sweep<'_>) {
    // Long rows are added up in parts side by side, since each addition waits for the one before.
    if sweep.prior.alpha.len() > CHAINS * LANES { run::<X, CHAINS>(x, sweep) } else { run::<X, 1>(x, sweep) }
}

#[inline(always)]
fn run<X: Vectors, const N: usize>(x: X, sweep: Sweep<'_>) {
    let Sweep { block, documents, words, prior, rng } = sweep;
    let stride = prior.alpha.len();
    let mut factors = WordFactors::new(words, prior.topics, stride);
    let mut sums = vec![[0.0; LANES]; stride / LANES];
    for span in &block.spans {
        factors.start(words, span.word as usize, prior.topics);
        let tokens = span.start as usize..span.end as usize;
        for (&document, topic) in block.documents[tokens.clone()].iter().zip(&mut block.topics[tokens]) {
            let document = &mut documents.counts[document as usize * stride..][..stride];
            let own = usize::from(*topic);
            let drawn = match draw::<X, N>(x, document, &prior.rounded, &factors.factors, &mut sums, rng) {
                Some(first) if first.entry != own => first.entry,
                Some(first) => {
                    let count = document[own].cast_signed() as f32 + prior.rounded[own];
                    let kept = (count - 1.0) * factors.less(words, own);
                    if first.rest < kept {
                        continue;
                    }
                    // The part of the topic's weight that is the token itself: another draw, without that
                    // part.
                    let raised = std::mem::replace(&mut factors.factors[own], kept / count);
                    let other = draw::<X, N>(x, document, &prior.rounded, &factors.factors, &mut sums, rng);
                    factors.factors[own] = raised;
                    other.map_or_else(
                        || factors.draw_exactly(words, document, prior, own, rng),
                        |draw| draw.entry,
                    )
                }
                None => factors.draw_exactly(words, document, prior, own, rng),
            };
            if drawn != own {
                document[own] -= 1;
                document[drawn] += 1;
                factors.shift(words, own, drawn);
                *topic = drawn as u16;
            }
        }
    }
}

/// A topic by the weights of all, where single precision suffices.
#[inline(always)]
fn draw<X: Vectors, const N: usize>(
    x: X,
    document: &[u32],
    alpha: &[f32],
    factors: &[f32],
    sums: &mut [Lanes],
    rng: &mut Pcg64,
) -> Option<Draw> {
    let rows = document.as_chunks().0.as_chunks::<N>().0.iter();
    let alpha = alpha.as_chunks().0.as_chunks::<N>().0;
    let factors = factors.as_chunks().0.as_chunks::<N>().0;
    let weights = rows.zip(alpha).zip(factors).map(|((counts, alpha), factors)| {
        std::array::from_fn(|j| x.mul(x.add(x.count(&counts[j]), x.load(&alpha[j])), x.load(&factors[j])))
    });
    let columns = Columns::<X, N>::cumulate(x, sums, weights);
    if !is_sound(columns.total) {
        return None;
    }
    let bits = rng.next_u64();
    columns.draw(x, sums, upper(bits) * columns.total, bits)
}
