//! The order of each layer: by the mean place of the neighbours, up and down, the order with the fewest
//! crossings kept.

use super::layers::Layers;

const SWEEPS: usize = 24;

/// Orders the rows so that few arrows cross.
pub(super) fn reduce(layers: &mut Layers) {
    let mut best = (count(layers), layers.rows.clone());
    for sweep in 0..SWEEPS {
        if best.0 == 0 {
            break;
        }
        sweep_once(layers, sweep % 2 == 0);
        let crossings = count(layers);
        if crossings < best.0 {
            best = (crossings, layers.rows.clone());
        }
    }
    layers.rows = best.1;
}

/// Sorts each row by the mean place of the neighbours in the row before it.
fn sweep_once(layers: &mut Layers, is_down: bool) {
    let depth = layers.rows.len();
    let mut place = places(layers);
    for step in 1..depth {
        let row = if is_down { step } else { depth - 1 - step };
        let neighbours = if is_down { &layers.above } else { &layers.below };
        let mean = |i: usize| {
            let own = &neighbours[i];
            if own.is_empty() {
                return place[i] as f64;
            }
            own.iter().map(|&j| place[j] as f64).sum::<f64>() / own.len() as f64
        };
        let mut keyed: Vec<(f64, usize)> = layers.rows[row].iter().map(|&i| (mean(i), i)).collect();
        keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
        for (at, (_, i)) in keyed.into_iter().enumerate() {
            layers.rows[row][at] = i;
            place[i] = at;
        }
    }
}

/// The place of each node and passage in its row.
fn places(layers: &Layers) -> Vec<usize> {
    let mut place = vec![0; layers.len()];
    for row in &layers.rows {
        for (at, &i) in row.iter().enumerate() {
            place[i] = at;
        }
    }
    place
}

/// How many pairs of arrows cross.
fn count(layers: &Layers) -> usize {
    let place = places(layers);
    let mut crossings = 0;
    for row in &layers.rows {
        let mut ends: Vec<(usize, usize)> = Vec::new();
        for &i in row {
            ends.extend(layers.below[i].iter().map(|&j| (place[i], place[j])));
        }
        for (at, a) in ends.iter().enumerate() {
            crossings += ends[at + 1..].iter().filter(|b| a.0 < b.0 && a.1 > b.1).count();
        }
    }
    crossings
}
