//! The sparse sampler: the weight of a topic in two parts.
//!
//! `(n_dk + alpha_k) f_k = n_dk f_k + alpha_k f_k`. The first part is zero but for the topics of the
//! document, which a list holds; the second does not know the document, and is kept in sums that change with
//! two topics at a time. This is the idea of Yao, Mimno and McCallum (2009), with the sums of Yu et al.
//! (2015).

#![expect(clippy::inline_always, reason = "only what is inlined is compiled for the vectors of the machine")]

use rand::Rng;
use rand_pcg::Pcg64;

use super::blocks::Sweep;
use super::columns::{Columns, Draw, is_sound, upper};
use super::smoothing::Smoothing;
use super::topic_lists::TopicList;
use super::vectors::{Lanes, Vectors};
use super::word_factors::WordFactors;
use crate::lanes::LANES;

/// Factors have room for all topics that there can be, so that no access needs a check.
const ALL_TOPICS: usize = 1 << 16;

/// Draws a new topic for each token of a block in turn. Cost: topics of the document, for each token, and all
/// topics for each word of each chunk.
#[inline(always)]
pub(super) fn sparse_sweep<X: Vectors>(x: X, sweep: Sweep<'_>) {
    let Sweep { block, documents, words, prior, rng } = sweep;
    let stride = prior.alpha.len();
    let lists = &mut documents.lists;
    let mut factors = WordFactors::new(words, prior.topics, ALL_TOPICS);
    let mut smoothing = Smoothing::new(&prior.rounded);
    let mut sums = vec![[0.0; LANES]; lists.longest()];
    for span in &block.spans {
        factors.start(words, span.word as usize, prior.topics);
        smoothing.start(x, &factors.factors);
        let tokens = span.start as usize..span.end as usize;
        for (&document, topic) in block.documents[tokens.clone()].iter().zip(&mut block.topics[tokens]) {
            let (row, own) = (document as usize, usize::from(*topic));
            let first = draw(x, &lists.list(row), &smoothing, &factors.factors, &mut sums, rng);
            let (drawn, place) = match first {
                Some(Drawn { topic, listed, .. }) if topic != own => (topic, listed.map(|(at, _)| at)),
                Some(Drawn { rest, listed, .. }) => {
                    let less = factors.less(words, own);
                    let proportion = listed.map_or(prior.rounded[own], |(_, count)| count - 1.0);
                    if rest < less * proportion {
                        continue;
                    }
                    // The part of the topic's weight that is the token itself: another draw, without that
                    // part.
                    let raised = std::mem::replace(&mut factors.factors[own], less);
                    smoothing.update(x, &factors.factors, own);
                    let entry = lists.find(row, own);
                    lists.add_at(entry, -1.0);
                    let other = draw(x, &lists.list(row), &smoothing, &factors.factors, &mut sums, rng);
                    lists.add_at(entry, 1.0);
                    factors.factors[own] = raised;
                    smoothing.update(x, &factors.factors, own);
                    match other {
                        Some(drawn) => (drawn.topic, drawn.listed.map(|(at, _)| at)),
                        None => (factors.draw_exactly(words, &lists.row(row, stride), prior, own, rng), None),
                    }
                }
                None => (factors.draw_exactly(words, &lists.row(row, stride), prior, own, rng), None),
            };
            if drawn != own {
                lists.shift(row, own, drawn, place);
                factors.shift(words, own, drawn);
                smoothing.update(x, &factors.factors, own);
                smoothing.update(x, &factors.factors, drawn);
                *topic = drawn as u16;
            }
        }
    }
}

/// A topic, and how far into its weight in its part the draw fell.
struct Drawn {
    topic: usize,
    rest: f32,
    /// In the part of the document's topics: the place in the list, and the count.
    listed: Option<(usize, f32)>,
}

/// A topic by the weights of both parts, where single precision suffices.
#[inline(always)]
fn draw<X: Vectors>(
    x: X,
    list: &TopicList<'_>,
    smoothing: &Smoothing,
    factors: &[f32],
    sums: &mut [Lanes],
    rng: &mut Pcg64,
) -> Option<Drawn> {
    let sums = &mut sums[..list.topics.len()];
    let factors_of: &[f32; ALL_TOPICS] = factors.first_chunk()?;
    let weights = list.topics.iter().zip(list.counts).map(|(topics, counts)| {
        let factors: Lanes = std::array::from_fn(|lane| factors_of[usize::from(topics[lane])]);
        [x.mul(x.load(counts), x.load(&factors))]
    });
    let columns = Columns::<X, 1>::cumulate(x, sums, weights);
    let total = columns.total + smoothing.total();
    if !is_sound(total) {
        return None;
    }
    let bits = rng.next_u64();
    let target = upper(bits) * total;
    if target < columns.total {
        let Draw { entry, rest } = columns.draw(x, sums, target, bits)?;
        let (row, lane) = (entry / LANES, entry % LANES);
        let listed = Some((entry, list.counts[row][lane]));
        return Some(Drawn { topic: usize::from(list.topics[row][lane]), rest, listed });
    }
    let Draw { entry, rest } = smoothing.draw(x, factors, target - columns.total, bits)?;
    Some(Drawn { topic: entry, rest, listed: None })
}
