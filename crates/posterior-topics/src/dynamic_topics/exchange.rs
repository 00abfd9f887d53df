//! Exchanges of topics for a part of the time.
//!
//! Topics of one period know of those of the next by their paths alone. A chain that has taken two topics for
//! each other from some time on has paths that leap there, and no step of a word or of a token leads back:
//! two topics are to exchange all their words and tokens of some periods at once.

use std::ops::Range;

use posterior_math::special::ln_rising_factorial;
use rand::seq::SliceRandom;
use rand::{Rng, RngExt};

use super::chain::DynamicChain;

impl DynamicChain<'_> {
    /// Proposes, for each time and each pair of topics of a random pairing, to exchange the two from then on
    /// up to another time, and accepts by the ratio of Metropolis: paths and, of topics whose concentrations
    /// differ, documents tell. A whole exchange of topics of the same concentration is none, and is left out.
    ///
    /// Cost: topics x words x periods; documents x topics too if concentrations differ.
    pub(super) fn exchange_topics<R: Rng + ?Sized>(&mut self, rng: &mut R) {
        let periods = self.periods.times.len();
        // Of each period the topic whose tokens each topic has now.
        let mut from: Vec<Vec<usize>> = vec![(0..self.topics.len()).collect(); periods];
        let mut order: Vec<usize> = (0..self.topics.len()).collect();
        let mut exchanged = false;
        for first in 0..periods {
            order.shuffle(rng);
            for pair in order.chunks_exact(2) {
                let (a, b) = (pair[0], pair[1]);
                let range = first..rng.random_range(first + 1..=periods);
                let alike = self.alpha[a].total_cmp(&self.alpha[b]).is_eq();
                if first == 0 && alike {
                    continue;
                }
                let mut ratio = self.ln_ratio_of_paths(a, b, &range);
                if !alike {
                    ratio += self.ln_ratio_of_documents(a, b, &range, &from);
                }
                if ratio >= 0.0 || rng.random::<f64>() < ratio.exp() {
                    let (own, others) = self.topics.split_at_mut(a.max(b));
                    own[a.min(b)].exchange(&mut others[0], range.clone());
                    from[range].iter_mut().for_each(|from| from.swap(a, b));
                    exchanged = true;
                }
            }
        }
        if exchanged {
            self.rename(&from);
        }
    }

    /// Steps into the range and out of it, as they would be to as they are.
    fn ln_ratio_of_paths(&self, a: usize, b: usize, range: &Range<usize>) -> f64 {
        let ends = [range.start, range.end].into_iter().filter(|&t| t > 0 && t < self.periods.times.len());
        let step = |t: usize| {
            let products = self.topics[a].difference_products(&self.topics[b], t - 1);
            products / (self.drift * self.walk.gaps[t - 1])
        };
        -ends.map(step).sum::<f64>()
    }

    /// Topics of the documents of the range.
    fn ln_ratio_of_documents(&self, a: usize, b: usize, range: &Range<usize>, from: &[Vec<usize>]) -> f64 {
        let count = self.topics.len();
        let [of_a, of_b] = [self.alpha[a], self.alpha[b]];
        let rise = |alpha: f64, n: u32| ln_rising_factorial(alpha, u64::from(n));
        let documents = self.document_topic.chunks_exact(count).zip(&self.periods.of_documents);
        let inside = documents.filter(|(_, period)| range.contains(period));
        inside
            .map(|(counts, &period)| {
                let (n, m) = (counts[from[period][a]], counts[from[period][b]]);
                rise(of_a, m) - rise(of_a, n) + rise(of_b, n) - rise(of_b, m)
            })
            .sum()
    }

    /// Gives tokens their new topics: in each period those whose topic was `from[k]` to `k`.
    fn rename(&mut self, from: &[Vec<usize>]) {
        let count = self.topics.len();
        let rows = self.tokens.iter_mut().zip(self.document_topic.chunks_exact_mut(count));
        let mut to = vec![0; count];
        for ((tokens, counts), &period) in rows.zip(&self.periods.of_documents) {
            let old = counts.to_vec();
            for (k, &source) in from[period].iter().enumerate() {
                counts[k] = old[source];
                to[source] = k as u16;
            }
            tokens.iter_mut().for_each(|(_, topic)| *topic = to[usize::from(*topic)]);
        }
    }
}
