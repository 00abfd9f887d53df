//! Noisy binary images as energies with integer terms: the workload of graph cuts.

use posterior::dist::Normal;
use posterior::dist::stream::stream;
use rand::RngExt;
use rand::distr::Distribution;

/// The energy `sum_p d_{x_p}(p) + sum_pq w_pq [x_p != x_q]` of a square image; all numbers are integers.
#[derive(Debug, Clone)]
pub struct GridProblem {
    /// For people: `512 easy const`.
    pub name: String,
    /// Pixels of a side.
    pub side: usize,
    /// The costs of labels 0 and 1, row by row.
    pub data: Vec<[f64; 2]>,
    /// The weights to the right, `side * (side - 1)`.
    pub right: Vec<f64>,
    /// The weights below, `(side - 1) * side`.
    pub below: Vec<f64>,
}

/// Four problems for each number of pixels a side: weak and strong noise, constant and contrast-dependent
/// weights.
pub fn grid_problems(sides: &[usize]) -> Vec<GridProblem> {
    let mut problems = Vec::new();
    for &side in sides {
        for (noise, sd, weight) in [("easy", 60.0, 40.0), ("hard", 150.0, 160.0)] {
            let image = noisy_image(side, sd);
            let data: Vec<[f64; 2]> = image
                .iter()
                .map(|&gray| [gray, gray - 100.0].map(|d| ((d * d).min(9e4) / 100.0).round()))
                .collect();
            let contrast = |a: f64, b: f64| 1.0 + (weight * (-(a - b).abs() / (2.0 * sd)).exp()).round();
            let rows = image.chunks_exact(side);
            let right: Vec<f64> = rows.flat_map(|row| row.windows(2).map(|p| contrast(p[0], p[1]))).collect();
            let below: Vec<f64> = image.iter().zip(&image[side..]).map(|(a, b)| contrast(*a, *b)).collect();
            let constant = vec![weight; right.len()];
            for (kind, right, below) in [("const", constant.clone(), constant), ("contrast", right, below)] {
                let name = format!("{side} {noise} {kind}");
                problems.push(GridProblem { name, side, data: data.clone(), right, below });
            }
        }
    }
    problems
}

/// Waves and 40 discs of gray 100 on 0, with Gaussian noise.
fn noisy_image(side: usize, sd: f64) -> Vec<f64> {
    let mut rng = stream(20, &[side as u64, sd as u64]);
    let discs: Vec<[f64; 3]> =
        (0..40).map(|_| [rng.random(), rng.random(), rng.random_range(0.01..0.08)]).collect();
    let noise = Normal::mean_sd(0.0, sd).expect("a positive deviation");
    let pixel = |p: usize| {
        let (y, x) = ((p / side) as f64 / side as f64, (p % side) as f64 / side as f64);
        let wave = (9.0 * x + 4.0 * y).sin() + (13.0 * y * x + 2.0).sin() > 0.3;
        let inside = |d: &&[f64; 3]| (x - d[0]).powi(2) + (y - d[1]).powi(2) < d[2] * d[2];
        let bright = wave ^ (discs.iter().filter(inside).count() % 2 == 1);
        if bright { 100.0 } else { 0.0 }
    };
    (0..side * side).map(|p| pixel(p) + noise.sample(&mut rng)).collect()
}
