//! Images: the grid against the general network, known minima, Ising models.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;

use super::portable_gray_map::read;
use posterior_inference::graph_cut::{BinaryEnergy, GridEnergy};
use posterior_testkit::shared::shared_file;
use proptest::prelude::*;
use serde_json::Value;

#[derive(Debug, Clone)]
struct Image {
    rows: usize,
    columns: usize,
    unary: Vec<[f64; 2]>,
    /// To the right, below, below right, below left.
    weights: [Vec<f64>; 4],
}

fn whole(most: u32) -> impl Strategy<Value = f64> {
    (0..=most).prop_map(f64::from)
}

fn image(most: usize) -> impl Strategy<Value = Image> {
    (1..=most, 1..=most).prop_flat_map(|(rows, columns)| {
        let many = |count| prop::collection::vec(whole(4), count);
        let (r, c) = (rows - 1, columns - 1);
        let unary = prop::collection::vec([whole(12), whole(12)], rows * columns);
        (unary, many(rows * c), many(r * columns), many(r * c), many(r * c))
            .prop_map(move |(unary, a, b, c, d)| Image { rows, columns, unary, weights: [a, b, c, d] })
    })
}

impl Image {
    fn grid(&self, diagonals: bool) -> GridEnergy {
        let [right, below, below_right, below_left] = self.weights.clone();
        let energy = GridEnergy::new(self.rows, self.columns, self.unary.clone()).unwrap();
        let energy = energy.with_weights(right, below).unwrap();
        if diagonals { energy.with_diagonal_weights(below_right, below_left).unwrap() } else { energy }
    }

    fn general(&self, diagonals: bool) -> BinaryEnergy {
        let mut energy = BinaryEnergy::pairwise(self.unary.len()).unwrap();
        for (i, &e) in self.unary.iter().enumerate() {
            energy.add_unary(i, e).unwrap();
        }
        let mut used = [0; 4];
        for row in 0..self.rows {
            for column in 0..self.columns {
                let steps = [(0, 1), (1, 0), (1, 1), (1, -1)];
                for (k, (down, right)) in steps.into_iter().enumerate().take(if diagonals { 4 } else { 2 }) {
                    let other = column.checked_add_signed(right);
                    let (Some(other), true) = (other, row + down < self.rows) else { continue };
                    if other < self.columns {
                        let weight = self.weights[k][used[k]];
                        used[k] += 1;
                        let (i, j) = (row * self.columns + column, (row + down) * self.columns + other);
                        energy.add_pairwise(i, j, [0.0, weight, weight, 0.0]).unwrap();
                    }
                }
            }
        }
        energy
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn the_grid_agrees_with_the_general_network(image in image(9), diagonals in any::<bool>()) {
        let (grid, general) = (image.grid(diagonals), image.general(diagonals));
        let (one, two) = (grid.minimize().unwrap(), general.minimize().unwrap());
        prop_assert_eq!(one.energy, two.energy);
        prop_assert_eq!(one.bound(), one.energy);
        prop_assert_eq!(two.bound(), two.energy);
        prop_assert_eq!(&one.labels, &two.labels);
        let other: Vec<bool> = image.unary.iter().map(|e| e[1] < e[0]).collect();
        prop_assert_eq!(grid.energy(&other).unwrap(), general.energy(&other).unwrap());
    }

    #[test]
    fn small_images_have_the_enumerated_minimum(image in image(3), diagonals in any::<bool>()) {
        let grid = image.grid(diagonals);
        let n = image.unary.len();
        let all = (0_u32..1 << n).map(|code| (0..n).map(|i| code >> i & 1 == 1).collect::<Vec<bool>>());
        let least = all.map(|labels| grid.energy(&labels).unwrap()).fold(f64::INFINITY, f64::min);
        prop_assert_eq!(grid.minimize().unwrap().energy, least);
    }

    #[test]
    fn constant_weights_are_equal_weights(image in image(6), straight in whole(5), diagonal in whole(3)) {
        let (rows, columns) = (image.rows, image.columns);
        let constant = GridEnergy::new(rows, columns, image.unary.clone()).unwrap();
        let constant = constant.with_smoothness(straight).unwrap().with_diagonals(diagonal).unwrap();
        let mut same = image;
        for (k, weights) in same.weights.iter_mut().enumerate() {
            weights.fill(if k < 2 { straight } else { diagonal });
        }
        let each = same.grid(true);
        prop_assert_eq!(constant.minimize().unwrap(), each.minimize().unwrap());
    }
}

/// A larger image with long-range structure, on which the trees grow deep.
#[test]
fn a_large_image_is_the_same_on_the_grid_and_in_general() {
    let (rows, columns) = (120_usize, 90_usize);
    let mut state = 11_u64;
    let mut draw = |below: u64| {
        state = state * 48271 % 2_147_483_647;
        (state % below) as f64
    };
    let unary = (0..rows * columns)
        .map(|p| {
            let disc = (p / columns).abs_diff(60).pow(2) + (p % columns).abs_diff(45).pow(2) < 900;
            let pull = if disc { 8.0 } else { -8.0 };
            let noise = draw(200) - 100.0 + pull;
            [noise.max(0.0), (-noise).max(0.0)]
        })
        .collect();
    let mut many = |count| (0..count).map(|_| 20.0 + draw(40)).collect::<Vec<f64>>();
    let (r, c) = (rows - 1, columns - 1);
    let weights = [many(rows * c), many(r * columns), many(r * c), many(r * c)];
    let image = Image { rows, columns, unary, weights };
    for diagonals in [false, true] {
        let one = image.grid(diagonals).minimize().unwrap();
        let two = image.general(diagonals).minimize().unwrap();
        assert_eq!(one.energy, one.bound());
        assert_eq!((one.energy, &one.labels), (two.energy, &two.labels));
        let ones = one.labels.iter().filter(|&&label| label).count();
        assert!((1000..9000).contains(&ones), "{ones}");
    }
}

/// The exact minima of denoised images in the collection of data.
#[test]
fn denoised_images_have_the_known_least_energy() {
    let Some(table) = shared_file("denoise", "data/mrf/denoise/min_energy.csv") else { return };
    let text = fs::read_to_string(&table).unwrap();
    let mut checked = 0;
    for line in text.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let number = |k: usize| cells[k].parse::<f64>().unwrap();
        let folder = table.parent().unwrap();
        let noisy = read(&folder.join(format!("{}_noisy.pgm", cells[0])));
        let clean = read(&folder.join(format!("{}_clean.pgm", cells[0])));
        assert_eq!((noisy.rows as f64, noisy.columns as f64), (number(1), number(2)));
        let seen: Vec<bool> = noisy.pixels.iter().map(|&pixel| pixel > 127).collect();
        let data = number(4);
        let unary = seen.iter().map(|&one| if one { [data, 0.0] } else { [0.0, data] }).collect();
        let energy = GridEnergy::new(noisy.rows, noisy.columns, unary).unwrap();
        let energy = energy.with_smoothness(number(5)).unwrap();
        assert_eq!(energy.energy(&seen).unwrap(), number(7), "{line}");
        let minimum = energy.minimize().unwrap();
        assert_eq!(minimum.energy, number(6), "{line}");
        assert_eq!(minimum.bound(), number(6), "{line}");
        let wrong =
            minimum.labels.iter().zip(&clean.pixels).filter(|(label, pixel)| **label != (**pixel > 127));
        // Minimisers differ a little; the noisy images have three times as many wrong pixels and more.
        assert!((wrong.count() as f64) < 0.4 * number(8), "{line}");
        checked += 1;
    }
    assert_eq!(checked, 9);
}

/// Ising models: the value of the mode, and for models with frustration the bound and the labels of the roof
/// dual.
#[test]
fn ising_models_have_the_known_mode() {
    let Some(folder) = shared_file("ising", "data/mrf/ising") else { return };
    let mut cut = 0;
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    for file in files.iter().filter(|file| file.extension().is_some_and(|extension| extension == "json")) {
        let model: Value = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
        let field: Vec<f64> = model["h"].as_array().unwrap().iter().map(|h| h.as_f64().unwrap()).collect();
        let mut energy = BinaryEnergy::pairwise(field.len()).unwrap();
        for (i, h) in field.iter().enumerate() {
            energy.add_unary(i, [*h, -h]).unwrap();
        }
        for edge in model["edges"].as_array().unwrap() {
            let (i, j) = (edge[0].as_u64().unwrap() as usize, edge[1].as_u64().unwrap() as usize);
            let coupling = edge[2].as_f64().unwrap();
            energy.add_pairwise(i, j, [-coupling, coupling, coupling, -coupling]).unwrap();
        }
        let value = model["map_value"].as_f64().unwrap();
        let spins: Vec<bool> =
            model["map_spins"].as_array().unwrap().iter().map(|spin| spin.as_i64() == Some(1)).collect();
        let name = file.display();
        assert!((energy.energy(&spins).unwrap() + value).abs() < 1e-6, "{name}");
        let dual = energy.roof_dual().unwrap();
        assert!(dual.bound <= -value + 1e-6, "{name}: {} {value}", dual.bound);
        for (label, spin) in dual.labels.iter().zip(&spins) {
            assert!(label.is_none_or(|label| label == *spin), "{name}");
        }
        if energy.check_submodular().is_ok() {
            let minimum = energy.minimize().unwrap();
            assert!((minimum.energy + value).abs() < 1e-6, "{name}: {} {value}", minimum.energy);
            assert!((minimum.bound() - minimum.energy).abs() < 1e-11 * value, "{name}");
            assert!((dual.bound - minimum.energy).abs() < 1e-11 * value, "{name}");
            cut += 1;
        }
    }
    assert!(cut >= 3, "{cut} ferromagnets");
}
