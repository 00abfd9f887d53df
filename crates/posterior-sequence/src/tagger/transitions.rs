//! Which tag follows which.

use super::suffixes::updated;

/// p(tag | the two before), with one number more than there are tags for the mark before and after a
/// sentence.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct TagDistributions {
    /// Tags, the mark included.
    symbols: usize,
    /// ln p(k | i, j) at (i K + j) K + k.
    ln: Vec<f64>,
}

impl TagDistributions {
    /// Counts sentences of tags below `tags`. Contexts are two tags, or one if `pairs` is false.
    pub(super) fn count<'a>(
        sentences: impl Iterator<Item = &'a [usize]>,
        tags: usize,
        pairs: bool,
        concentration: f64,
    ) -> Self {
        let (k, mark) = (tags + 1, tags);
        let mut one = vec![0.0; k];
        let mut two = vec![0.0; k * k];
        let mut three = vec![0.0; k * k * k];
        for sentence in sentences {
            let (mut before, mut last) = (mark, mark);
            for &tag in sentence.iter().chain([&mark]) {
                one[tag] += 1.0;
                two[last * k + tag] += 1.0;
                three[(before * k + last) * k + tag] += 1.0;
                (before, last) = (last, tag);
            }
        }
        let one = updated(&one, &vec![1.0 / k as f64; k], concentration);
        let smooth = |counts: &[f64], below: &[f64]| -> Vec<f64> {
            let rows = counts.chunks_exact(k).enumerate();
            let distribution = |(row, counts): (usize, &[f64])| {
                updated(counts, &below[(row * k) % below.len()..][..k], concentration)
            };
            rows.flat_map(distribution).collect()
        };
        let two = smooth(&two, &one);
        let distributions = if pairs { smooth(&three, &two) } else { two.repeat(k) };
        Self { symbols: k, ln: distributions.iter().map(|p| p.ln()).collect() }
    }

    /// The mark before and after a sentence.
    pub(super) const fn mark(&self) -> usize {
        self.symbols - 1
    }

    /// ln p(· | before, last).
    pub(super) fn ln_row(&self, before: usize, last: usize) -> &[f64] {
        &self.ln[(before * self.symbols + last) * self.symbols..][..self.symbols]
    }
}
