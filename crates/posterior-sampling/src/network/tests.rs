//! The kernels of chains as matrices and by chi-square, blocks, classes, and the order of sequential draws.

use posterior_dist::AliasTable;
use posterior_dist::stream::stream;
use posterior_math::linalg::{DMatrix, eigenvalues};
use posterior_pgm::{GraphicalModel, MarkovRandomField, Table, VarId, Variables};
use posterior_testkit::significance::{LEVEL, chi_square_p_value};
use rand::RngExt;
use rand::distr::Distribution;

use super::blocking::{Blocks, BlocksWanted, Reach, blocks};
use super::gibbs::BlockOrder;
use super::sequential::{Sequence, greedy_order};
use super::sites::{ROWS, Sites};
use super::support::{Support, advance};

fn field(cards: &[usize], factors: &[(&[usize], Vec<f64>)]) -> MarkovRandomField {
    let table = |(scope, values): &(&[usize], Vec<f64>)| {
        let own = scope.iter().map(|&v| cards[v]).collect();
        Table::new(scope.iter().map(|&v| VarId::new(v)).collect(), own, values.clone()).unwrap()
    };
    let factors = factors.iter().map(table).collect();
    MarkovRandomField::new(Variables::numbered(cards).unwrap(), factors).unwrap()
}

fn voting() -> MarkovRandomField {
    let agree = || vec![5.0, 1.0, 1.0, 10.0];
    field(&[2; 4], &[(&[0, 1], agree()), (&[1, 2], agree()), (&[2, 3], agree()), (&[3, 0], agree())])
}

/// Random positive factors with some zeros, over variables of 2 to 4 states.
fn ragged(zeros: f64, seed: u64) -> MarkovRandomField {
    let mut rng = stream(seed, &[]);
    let cards = [2, 3, 2, 4];
    let mut values = |scope: &[usize]| -> Vec<f64> {
        let cells = scope.iter().map(|&v| cards[v]).product();
        (0..cells).map(|_| if rng.random::<f64>() < zeros { 0.0 } else { rng.random::<f64>() }).collect()
    };
    let scopes: [&[usize]; 4] = [&[0, 1, 3], &[3, 2], &[1, 2], &[0]];
    let factors: Vec<(&[usize], Vec<f64>)> = scopes.iter().map(|&scope| (scope, values(scope))).collect();
    field(&cards, &factors)
}

/// All joint states, with their probabilities.
fn distribution(field: &MarkovRandomField) -> (Vec<Vec<usize>>, Vec<f64>) {
    let cards = field.variables().cards();
    let size: usize = cards.iter().product();
    let (mut all, mut states) = (Vec::new(), vec![0; cards.len()]);
    for _ in 0..size {
        all.push(states.clone());
        advance(&mut states, cards);
    }
    let scores: Vec<f64> = all.iter().map(|states| field.ln_score(states).exp()).collect();
    let z: f64 = scores.iter().sum();
    (all, scores.iter().map(|score| score / z).collect())
}

fn number(cards: &[usize], states: &[usize]) -> usize {
    states.iter().zip(cards).fold(0, |number, (state, card)| number * card + state)
}

/// The matrix of a systematic sweep.
fn sweep_matrix(field: &MarkovRandomField, partition: &Blocks) -> DMatrix<f64> {
    let (all, p) = distribution(field);
    let cards = field.variables().cards();
    let sites = Sites::new(field, partition, 0);
    let mut sweep = DMatrix::identity(all.len(), all.len());
    for site in 0..sites.len() {
        let mut one = DMatrix::identity(all.len(), all.len());
        for from in (0..all.len()).filter(|&i| p[i] > 0.0) {
            one[(from, from)] = 0.0;
            let mut position = sites.position(&all[from]);
            let mut line = Vec::new();
            sites.ln_conditional(&position, site, &mut line);
            super::sites::exponentiate(&mut line);
            let total: f64 = line.iter().sum();
            for (joint, weight) in line.iter().enumerate() {
                sites.put(&mut position, site, joint as u32);
                one[(from, number(cards, &sites.states(&position)))] += weight / total;
            }
        }
        sweep *= one;
    }
    sweep
}

#[test]
fn a_sweep_leaves_the_distribution_alone_and_forgets_at_the_golden_rate() {
    let model = voting();
    let sweep = sweep_matrix(&model, &(0..4).map(|v| vec![v]).collect());
    let (_, p) = distribution(&model);
    let pi = DMatrix::from_row_slice(1, 16, &p);
    assert!((&pi * &sweep - &pi).amax() < 1e-15);
    let mut moduli: Vec<f64> = eigenvalues(&sweep).unwrap().iter().map(|value| value.modulus()).collect();
    moduli.sort_by(f64::total_cmp);
    assert!((moduli[15] - 1.0).abs() < 1e-12);
    // The golden number of the systematic sweep of the ring.
    assert!((moduli[14] - 0.876_951_302_922).abs() < 1e-11, "{}", moduli[14]);
}

#[test]
fn sweeps_of_blocks_leave_ragged_distributions_alone() {
    for seed in 0..5 {
        let model = ragged(0.3, seed);
        let (_, p) = distribution(&model);
        if p.iter().any(|p| p.is_nan()) {
            continue;
        }
        for partition in [vec![vec![0], vec![1], vec![2], vec![3]], vec![vec![0, 3], vec![1, 2]]] {
            let sweep = sweep_matrix(&model, &partition);
            let pi = DMatrix::from_row_slice(1, p.len(), &p);
            assert!((&pi * &sweep - &pi).amax() < 1e-14);
        }
    }
}

/// Draws of one sweep from exact starts, against the exact distribution: compiled rows and products, both
/// scans, blocks.
#[test]
fn a_sweep_from_exact_draws_is_an_exact_draw() {
    for (zeros, seed) in [(0.0, 1), (0.3, 2)] {
        let model = ragged(zeros, seed);
        let cards = model.variables().cards();
        let (all, p) = distribution(&model);
        let starts = AliasTable::from_weights(&p).unwrap();
        for partition in [vec![vec![0], vec![1], vec![2], vec![3]], vec![vec![0, 3], vec![1, 2]]] {
            for (rows, scan) in
                [(ROWS, BlockOrder::Systematic), (0, BlockOrder::Systematic), (20, BlockOrder::Random)]
            {
                let sites = Sites::new(&model, &partition, rows);
                let mut rng = stream(7, &[seed, rows as u64]);
                let mut counts = vec![0; all.len()];
                let mut scratch = Vec::new();
                for _ in 0..20_000 {
                    let mut position = sites.position(&all[starts.sample(&mut rng)]);
                    sites.sweep(&mut position, scan, &mut scratch, &mut rng);
                    counts[number(cards, &sites.states(&position))] += 1;
                }
                let expected: Vec<f64> = p.iter().map(|p| 20_000.0 * p).collect();
                let p_value = chi_square_p_value(&counts, &expected);
                assert!(p_value > LEVEL, "{partition:?} {rows} {scan:?}: {p_value}");
            }
        }
    }
}

/// The places that a chain keeps are those of its state, whatever moves it made, and rows say what products
/// say.
#[test]
fn rows_and_products_draw_the_same_states() {
    let model = ragged(0.2, 2);
    let start = Support::new(&model).unwrap().random_state(&mut stream(5, &[])).unwrap();
    for partition in [vec![vec![0], vec![1], vec![2], vec![3]], vec![vec![0, 2], vec![1], vec![3]]] {
        let [rows, products] = [ROWS, 0].map(|most| Sites::new(&model, &partition, most));
        let (mut a, mut b) = (rows.position(&start), products.position(&start));
        let [mut one, mut other] = [stream(6, &[]), stream(6, &[])];
        let mut scratch = Vec::new();
        for _ in 0..1000 {
            rows.sweep(&mut a, BlockOrder::Systematic, &mut scratch, &mut one);
            products.sweep(&mut b, BlockOrder::Systematic, &mut scratch, &mut other);
            assert_eq!(rows.states(&a), products.states(&b));
        }
    }
}

#[test]
fn conditionals_survive_factors_of_tiny_numbers() {
    // Two strong reasons for each state: products of doubles are 0 on either side.
    let tiny = 1e-200;
    let model = field(
        &[2],
        &[(&[0], vec![1.0, tiny]), (&[0], vec![1.0, tiny]), (&[0], vec![tiny, 1.0]), (&[0], vec![tiny, 3.0])],
    );
    for rows in [0, ROWS] {
        let sites = Sites::new(&model, &vec![vec![0]], rows);
        let mut rng = stream(1, &[]);
        let mut position = sites.position(&[0]);
        let mut ones = 0;
        for _ in 0..10_000 {
            sites.sweep(&mut position, BlockOrder::Systematic, &mut Vec::new(), &mut rng);
            ones += u64::from(sites.state(&position, 0));
        }
        assert!(chi_square_p_value(&[10_000 - ones, ones], &[2500.0, 7500.0]) > LEVEL, "{ones}");
    }
}

fn reached(model: &MarkovRandomField, wanted: &BlocksWanted) -> (Blocks, Vec<Reach>) {
    blocks(&Support::new(model).unwrap(), model, wanted)
}

#[test]
fn equal_variables_are_two_classes_until_they_are_one_block() {
    let model = field(&[2, 2, 3], &[(&[0, 1], vec![1.0, 0.0, 0.0, 1.0]), (&[1, 2], vec![1.0; 6])]);
    let (partition, reach) = reached(&model, &BlocksWanted::Single);
    assert_eq!(partition.len(), 3);
    assert_eq!(reach, [Reach::Classes { variables: vec![0, 1], classes: 2 }]);
    let (partition, reach) = reached(&model, &BlocksWanted::Auto { states: 4 });
    assert_eq!(partition, [vec![0, 1], vec![2]]);
    assert_eq!(reach, [Reach::All]);
    // Blocks that may not be as large.
    let (partition, reach) = reached(&model, &BlocksWanted::Auto { states: 3 });
    assert_eq!(partition.len(), 3);
    assert_eq!(reach, [Reach::Classes { variables: vec![0, 1], classes: 2 }]);
}

/// What `classes` says, by brute force on random supports: components of the graph of joint states that
/// differ in one variable.
#[test]
fn classes_are_those_of_the_graph_of_moves() {
    let (mut split, mut whole) = (0, 0);
    for seed in 0..200 {
        let model = ragged(0.6, 100 + seed);
        let (all, p) = distribution(&model);
        let Ok(support) = Support::new(&model) else {
            assert!(p.iter().all(|p| p.is_nan()));
            continue;
        };
        let possible: Vec<usize> = (0..all.len()).filter(|&i| p[i] > 0.0).collect();
        let mut seen = vec![false; all.len()];
        let mut classes = 0;
        for &start in &possible {
            if std::mem::replace(&mut seen[start], true) {
                continue;
            }
            classes += 1;
            let mut waiting = vec![start];
            while let Some(here) = waiting.pop() {
                let near = |&&i: &&usize| all[i].iter().zip(&all[here]).filter(|(a, b)| a != b).count() == 1;
                for &i in possible.iter().filter(near) {
                    if !std::mem::replace(&mut seen[i], true) {
                        waiting.push(i);
                    }
                }
            }
        }
        let state = support.random_state(&mut stream(seed, &[]));
        assert_eq!(state.is_ok(), classes > 0, "{seed}");
        let Ok(state) = state else { continue };
        assert!(model.ln_score(&state) > f64::NEG_INFINITY);
        let (_, reach) = reached(&model, &BlocksWanted::Single);
        let found: usize = reach
            .iter()
            .map(|own| if let Reach::Classes { classes, .. } = own { *classes } else { 1 })
            .product();
        assert_eq!(found, classes, "{seed}: {reach:?}");
        if classes > 1 { split += 1 } else { whole += 1 }
    }
    assert!(split > 10 && whole > 10, "{split} {whole}");
}

#[test]
fn many_soft_zeros_are_proven_harmless_without_counting_states() {
    // A chain of 60 variables where 1 never follows 1: all can be led to 0. And one of copies, which cannot.
    let chain = |values: [f64; 4]| {
        let scopes: Vec<[usize; 2]> = (0..59).map(|i| [i, i + 1]).collect();
        let factors: Vec<(&[usize], Vec<f64>)> =
            scopes.iter().map(|scope| (&scope[..], values.to_vec())).collect();
        field(&[2; 60], &factors)
    };
    let (_, reach) = reached(&chain([1.0, 1.0, 1.0, 0.0]), &BlocksWanted::Single);
    assert_eq!(reach, [Reach::All]);
    let (_, reach) = reached(&chain([1.0, 0.0, 0.0, 1.0]), &BlocksWanted::Single);
    assert!(matches!(&reach[..], [Reach::Unknown { variables }] if variables.len() == 60));
}

/// Σ over all draws of probability × weight is Z, and each state has its proportion: by the distribution of
/// the draws, worked out exactly.
#[test]
fn weighted_draws_have_the_distribution_of_the_field() {
    for seed in 0..3 {
        let model = ragged(0.2, 40 + seed);
        let cards = model.variables().cards();
        let (all, p) = distribution(&model);
        let z: f64 = all.iter().map(|states| model.ln_score(states).exp()).sum();
        let order = greedy_order(&model);
        let sequence = match seed {
            0 => Sequence::new(cards, model.factors(), &order).unwrap(),
            _ => Sequence::of_field(&model).unwrap(),
        };
        let (mut weights, mut squares) = (vec![0.0; all.len()], 0.0);
        let mut rng = stream(seed, &[9]);
        let mut states = vec![0; cards.len()];
        let n = 200_000;
        for _ in 0..n {
            let w = sequence.draw(&mut states, &mut Vec::new(), &mut rng, |_, _| false).exp() / f64::from(n);
            if w > 0.0 {
                let states: Vec<usize> = states.iter().map(|&s| s as usize).collect();
                weights[number(cards, &states)] += w;
            }
            squares += w * w;
        }
        let error = squares.sqrt();
        for (w, p) in weights.iter().zip(&p) {
            assert!((w - p * z).abs() < 5.0 * error, "{w} {}", p * z);
        }
        assert!((weights.iter().sum::<f64>() - z).abs() < 5.0 * error);
    }
}

#[test]
fn strong_couplings_are_blocks() {
    // Odds ratios: 99² between 0 and 1, 50 between 1 and 2, infinite between 2 and 3 but for the size.
    let model = field(
        &[2, 2, 2, 200],
        &[
            (&[0, 1], vec![0.99, 0.01, 0.01, 0.99]),
            (&[1, 2], vec![5.0, 1.0, 1.0, 10.0]),
            (&[2, 3], (0..400).map(|i| f64::from(i32::from(i != 7))).collect()),
        ],
    );
    let (partition, reach) = reached(&model, &BlocksWanted::Auto { states: 256 });
    assert_eq!(partition, [vec![0, 1], vec![2], vec![3]]);
    assert_eq!(reach, [Reach::All, Reach::All]);
}

#[test]
fn the_order_completes_factors_early() {
    // A star whose centre is the last variable: the centre, then the rays.
    let pair = || vec![1.0; 4];
    let model =
        field(&[2; 4], &[(&[0, 3], pair()), (&[1, 3], pair()), (&[2, 3], pair()), (&[3], vec![1.0; 2])]);
    assert_eq!(greedy_order(&model)[0], 3);
}
