//! Topics in lanes: rows of numbers, one a topic, padded with zeros to whole vectors.

/// Numbers that are worked on together. Sums over topics are taken lane by lane, so that every machine has
/// the same bits.
pub(crate) const LANES: usize = 8;

/// Eight topics.
pub(crate) type Lane = [f64; LANES];

/// Eight zeros.
pub(crate) const ZERO: Lane = [0.0; LANES];

/// The lanes of a row of so many topics.
pub(crate) const fn width(topics: usize) -> usize {
    topics.div_ceil(LANES)
}

/// The sum of eight numbers.
#[expect(clippy::inline_always, reason = "only what is inlined is compiled for the vectors of the machine")]
#[inline(always)]
pub(crate) fn lane_sum(x: &Lane) -> f64 {
    ((x[0] + x[4]) + (x[2] + x[6])) + ((x[1] + x[5]) + (x[3] + x[7]))
}

/// Rows of topics without their padding, one after the other.
pub(crate) fn without_padding(rows: &[Lane], topics: usize) -> Vec<f64> {
    rows.chunks_exact(width(topics)).flat_map(|row| &row.as_flattened()[..topics]).copied().collect()
}

/// Puts rows without padding into lanes.
pub(crate) fn with_padding(rows: &[f64], topics: usize) -> Vec<Lane> {
    let width = width(topics);
    let mut padded = vec![ZERO; rows.len() / topics * width];
    for (row, padded) in rows.chunks_exact(topics).zip(padded.chunks_exact_mut(width)) {
        padded.as_flattened_mut()[..topics].copy_from_slice(row);
    }
    padded
}

/// Sums of the rows, with the error of a sum of sums: rows are added up in blocks.
pub(crate) fn lane_sums(rows: &[Lane], width: usize) -> Vec<Lane> {
    let mut sums = vec![ZERO; width];
    for block in rows.chunks(width * 256) {
        let mut part = vec![ZERO; width];
        for row in block.chunks_exact(width) {
            for (sum, row) in part.iter_mut().zip(row) {
                for (sum, n) in sum.iter_mut().zip(row) {
                    *sum += n;
                }
            }
        }
        for (sum, part) in sums.iter_mut().zip(&part) {
            for (sum, part) in sum.iter_mut().zip(part) {
                *sum += part;
            }
        }
    }
    sums
}
