//! Where in its row each box stands: near the middle of its neighbours, without overlaps.

use posterior::math::optimize::isotonic_regression;

use super::layers::Layers;

const SWEEPS: usize = 30;

/// The centres of all nodes and passages; the leftmost box begins at 0.
pub(super) fn centres(layers: &Layers, widths: &[f64], gap: f64) -> Vec<f64> {
    let mut centres = vec![0.0; layers.len()];
    for row in &layers.rows {
        for (&i, offset) in row.iter().zip(offsets(row, widths, gap)) {
            centres[i] = offset;
        }
        let middle = row.last().map_or(0.0, |&i| centres[i] / 2.0);
        for &i in row {
            centres[i] -= middle;
        }
    }
    for sweep in 0..SWEEPS {
        let depth = layers.rows.len();
        for step in 0..depth {
            let row = &layers.rows[if sweep % 2 == 0 { step } else { depth - 1 - step }];
            let wanted: Vec<(f64, f64)> =
                row.iter().map(|&i| wish(layers, &centres, i, widths, sweep + 1 == SWEEPS)).collect();
            for (&i, centre) in row.iter().zip(nearest(&wanted, &offsets(row, widths, gap))) {
                centres[i] = centre;
            }
        }
    }
    let left = (0..layers.len()).map(|i| centres[i] - widths[i] / 2.0).fold(f64::INFINITY, f64::min);
    for centre in &mut centres {
        *centre -= left;
    }
    centres
}

/// Where a node wants to be, and how much: passages more than boxes, so that long arrows are straight. At
/// last above the middle of what is below it.
fn wish(layers: &Layers, centres: &[f64], i: usize, widths: &[f64], is_last: bool) -> (f64, f64) {
    let is_above = is_last && !layers.below[i].is_empty();
    let above: &[usize] = if is_above { &[] } else { &layers.above[i] };
    let neighbours = || above.iter().chain(&layers.below[i]);
    let count = neighbours().count();
    if count == 0 {
        return (centres[i], 0.1);
    }
    let is_passage = widths[i] <= super::PASSAGE;
    let mean = neighbours().map(|&j| centres[j]).sum::<f64>() / count as f64;
    (mean, if is_passage { 4.0 } else { 1.0 })
}

/// How far right of the first one each centre is, if all stand close together.
fn offsets(row: &[usize], widths: &[f64], gap: f64) -> Vec<f64> {
    let mut offsets = Vec::with_capacity(row.len());
    let mut at = 0.0;
    for (place, &i) in row.iter().enumerate() {
        if place > 0 {
            let [a, b] = [widths[row[place - 1]], widths[i]];
            // Arrows may run closer to each other than boxes.
            let gap = if a.min(b) <= super::PASSAGE { gap / 3.0 } else { gap };
            at += f64::midpoint(a, b) + gap;
        }
        offsets.push(at);
    }
    offsets
}

/// The places nearest to the wishes, in weighted least squares, that are at least as far apart as the
/// offsets.
fn nearest(wanted: &[(f64, f64)], offsets: &[f64]) -> Vec<f64> {
    let points: Vec<(f64, f64)> =
        wanted.iter().zip(offsets).map(|(&(wish, weight), offset)| (wish - offset, weight)).collect();
    // Places are finite and weights positive; a picture of others stays as it is.
    let rising =
        isotonic_regression(&points).unwrap_or_else(|_| points.into_iter().map(|(wish, _)| wish).collect());
    rising.iter().zip(offsets).map(|(place, offset)| place + offset).collect()
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn wishes_are_met_where_they_can_be() {
        assert_eq!(nearest(&[(0.0, 1.0), (10.0, 1.0)], &[0.0, 4.0]), [0.0, 10.0]);
        assert_eq!(nearest(&[(5.0, 1.0), (5.0, 1.0)], &[0.0, 4.0]), [3.0, 7.0]);
        assert_eq!(nearest(&[(5.0, 3.0), (5.0, 1.0)], &[0.0, 4.0]), [4.0, 8.0]);
    }
}
