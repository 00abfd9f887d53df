//! Several labels: bounds by enumeration, exact cases, a stereo pair.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::ops::ControlFlow;

use posterior_inference::graph_cut::{
    BinaryEnergy, Error, LabelEnergy, Labelling, SweepOptions, alpha_beta_swap, alpha_expansion,
    iterated_conditional_modes,
};
use posterior_math::iteration::{Fitted, Silent, Step, Stop};
use posterior_testkit::shared::shared_file;
use proptest::prelude::*;

use super::portable_gray_map::read;

#[derive(Debug, Clone)]
struct Terms {
    labels: usize,
    unary: Vec<f64>,
    edges: Vec<(usize, usize, f64)>,
    start: Vec<usize>,
}

impl Terms {
    fn build(&self, distance: impl Fn(usize, usize) -> f64) -> LabelEnergy {
        let mut energy = LabelEnergy::new(self.labels, self.unary.clone(), distance).unwrap();
        for &(i, j, weight) in self.edges.iter().filter(|edge| edge.0 != edge.1) {
            energy.add_edge(i, j, weight).unwrap();
        }
        energy
    }
}

fn terms() -> impl Strategy<Value = Terms> {
    (1_usize..7, 1_usize..5).prop_flat_map(|(n, labels)| {
        let number = |most: u32| (0..=most).prop_map(f64::from);
        let unary = prop::collection::vec(number(9), n * labels);
        let edges = prop::collection::vec((0..n, 0..n, number(4)), 0..2 * n);
        let start = prop::collection::vec(0..labels, n);
        (unary, edges, start).prop_map(move |(unary, edges, start)| Terms { labels, unary, edges, start })
    })
}

fn least(energy: &LabelEnergy) -> f64 {
    let (n, k) = (energy.len(), energy.labels());
    (0..k.pow(n as u32))
        .map(|code| (0..n).map(|i| code / k.pow(i as u32) % k).collect::<Vec<usize>>())
        .map(|labels| energy.energy(&labels).unwrap())
        .fold(f64::INFINITY, f64::min)
}

const fn potts(a: usize, b: usize) -> f64 {
    if a == b { 0.0 } else { 1.0 }
}

/// A metric: linear, truncated.
fn linear(a: usize, b: usize) -> f64 {
    a.abs_diff(b).min(2) as f64
}

/// No metric: from 0 to 2 it is farther than by way of 1.
fn quadratic(a: usize, b: usize) -> f64 {
    (a.abs_diff(b) as f64).powi(2)
}

/// What every run has to keep: the energy is that of the labels, and it never rises.
fn sound(energy: &LabelEnergy, start: &[usize], fitted: &Fitted<Labelling>) {
    let trace = &fitted.report.trace;
    assert_eq!(trace[0], energy.energy(start).unwrap());
    assert!(trace.windows(2).all(|pair| pair[1] <= pair[0]), "{trace:?}");
    assert_eq!(fitted.model.energy, energy.energy(&fitted.model.labels).unwrap());
    assert_eq!(fitted.model.energy, trace[trace.len() - 1]);
    assert!(fitted.report.converged());
}

/// Whether no change of any set of nodes to one label lowers the energy.
fn no_expansion_helps(energy: &LabelEnergy, fitted: &Labelling) -> bool {
    let n = energy.len();
    (0..energy.labels()).all(|alpha| {
        (0_u32..1 << n).all(|set| {
            let moved: Vec<usize> =
                (0..n).map(|i| if set >> i & 1 == 1 { alpha } else { fitted.labels[i] }).collect();
            energy.energy(&moved).unwrap() >= fitted.energy
        })
    })
}

fn no_swap_helps(energy: &LabelEnergy, fitted: &Labelling) -> bool {
    let (n, k) = (energy.len(), energy.labels());
    (0..k * k).map(|pair| (pair / k, pair % k)).all(|(alpha, beta)| {
        (0_u32..1 << n).all(|set| {
            let swapped = |i: usize| if set >> i & 1 == 1 { alpha } else { beta };
            let moved = (0..n).map(|i| match fitted.labels[i] {
                label if label == alpha || label == beta => swapped(i),
                label => label,
            });
            energy.energy(&moved.collect::<Vec<usize>>()).unwrap() >= fitted.energy
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn expansion_is_best_among_its_moves_and_within_its_bound(terms in terms(), truncated in any::<bool>()) {
        let energy = terms.build(if truncated { linear } else { potts });
        let fitted = alpha_expansion(&energy, &terms.start, &SweepOptions::default(), &mut Silent).unwrap();
        sound(&energy, &terms.start, &fitted);
        prop_assert!(no_expansion_helps(&energy, &fitted.model));
        let bound = if truncated { 4.0 } else { 2.0 };
        prop_assert!(fitted.model.energy <= bound * least(&energy));
    }

    #[test]
    fn swap_is_best_among_its_moves(terms in terms(), which in 0..3) {
        let energy = terms.build([potts, linear, quadratic][which as usize]);
        let fitted = alpha_beta_swap(&energy, &terms.start, &SweepOptions::default(), &mut Silent).unwrap();
        sound(&energy, &terms.start, &fitted);
        prop_assert!(no_swap_helps(&energy, &fitted.model));
        prop_assert!(fitted.model.energy >= least(&energy));
    }

    #[test]
    fn conditional_modes_are_best_one_by_one(terms in terms(), which in 0..3) {
        let energy = terms.build([potts, linear, quadratic][which as usize]);
        let options = SweepOptions::default();
        let fitted = iterated_conditional_modes(&energy, &terms.start, &options, &mut Silent).unwrap();
        sound(&energy, &terms.start, &fitted);
        let mut labels = fitted.model.labels.clone();
        for i in 0..labels.len() {
            let kept = labels[i];
            for label in 0..energy.labels() {
                labels[i] = label;
                prop_assert!(energy.energy(&labels).unwrap() >= fitted.model.energy);
            }
            labels[i] = kept;
        }
    }

    /// With two labels expansion and swap are a minimum cut.
    #[test]
    fn two_labels_are_solved_exactly(terms in terms()) {
        let unary: Vec<f64> = terms.start.iter().flat_map(|&label| [label as f64, 1.5]).collect();
        let start = vec![0; terms.start.len()];
        let two = Terms { labels: 2, unary, start, ..terms };
        let energy = two.build(potts);
        let mut binary = BinaryEnergy::pairwise(energy.len()).unwrap();
        for (i, row) in two.unary.chunks(2).enumerate() {
            binary.add_unary(i, [row[0], row[1]]).unwrap();
        }
        for &(i, j, weight) in two.edges.iter().filter(|edge| edge.0 != edge.1) {
            binary.add_pairwise(i, j, [0.0, weight, weight, 0.0]).unwrap();
        }
        let exact = binary.minimize().unwrap().energy;
        prop_assert_eq!(exact, least(&energy));
        let options = SweepOptions::default();
        prop_assert_eq!(alpha_expansion(&energy, &two.start, &options, &mut Silent).unwrap().model.energy, exact);
        prop_assert_eq!(alpha_beta_swap(&energy, &two.start, &options, &mut Silent).unwrap().model.energy, exact);
    }
}

#[test]
fn expansion_refuses_what_is_no_metric_and_names_the_labels() {
    let energy = LabelEnergy::new(3, vec![0.0; 6], quadratic).unwrap();
    let refused = alpha_expansion(&energy, &[0, 0], &SweepOptions::default(), &mut Silent).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "the distance of labels is not a metric: from 2 to 0 it is 4, and by way of 1 it is 1 + 1"
    );
    assert!(alpha_beta_swap(&energy, &[0, 0], &SweepOptions::default(), &mut Silent).is_ok());
    // The triangle inequality holds with equality, up to rounding.
    assert!(LabelEnergy::new(8, vec![], |a, b| 0.1 * a.abs_diff(b) as f64).unwrap().check_metric().is_ok());
}

#[test]
fn labels_refuse_what_is_not_an_energy_or_a_distance() {
    let not_a_distance = |distance: fn(usize, usize) -> f64| {
        matches!(
            LabelEnergy::new(2, vec![0.0; 4], distance),
            Err(Error::NotMetric { needed: "distance", .. })
        )
    };
    assert!(not_a_distance(|_, _| 1.0));
    assert!(not_a_distance(|a, b| a as f64 - b as f64));
    assert!(not_a_distance(|a, b| if a == b { 0.0 } else { f64::NAN }));
    assert!(not_a_distance(|a, b| if a == b { 0.0 } else { f64::INFINITY }));
    assert!(not_a_distance(|a, b| if a == b { 0.0 } else { 1.0 + a as f64 }));
    assert!(matches!(LabelEnergy::potts(3, vec![0.0; 4]), Err(Error::Length { found: 4, expected: 6, .. })));
    assert!(matches!(LabelEnergy::potts(0, vec![]), Err(Error::Length { .. })));
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert!(matches!(LabelEnergy::potts(2, vec![0.0, bad]), Err(Error::Invalid { index: 1, .. })));
    }
    assert!(matches!(LabelEnergy::potts(1, vec![f64::MAX]), Err(Error::Overflow { .. })));
    let mut energy = LabelEnergy::potts(2, vec![0.0; 4]).unwrap();
    for bad in [f64::NAN, f64::INFINITY, -1.0] {
        assert!(matches!(energy.add_edge(0, 1, bad), Err(Error::Invalid { index: 0, .. })));
    }
    assert_eq!(energy.add_edge(0, 2, 1.0), Err(Error::UnknownNode { node: 2, nodes: 2 }));
    assert_eq!(energy.add_edge(1, 1, 1.0), Err(Error::SelfLoop { node: 1 }));
    assert_eq!(energy.add_edge(0, 1, f64::MAX), Err(Error::Overflow { what: "terms" }));
    let options = SweepOptions::default();
    let unknown = Err(Error::UnknownLabel { node: 1, label: 2, labels: 2 });
    assert_eq!(alpha_expansion(&energy, &[0, 2], &options, &mut Silent), unknown);
    assert_eq!(alpha_beta_swap(&energy, &[0, 2], &options, &mut Silent), unknown);
    assert_eq!(iterated_conditional_modes(&energy, &[0, 2], &options, &mut Silent), unknown);
    assert!(matches!(energy.energy(&[0]), Err(Error::Length { .. })));
    let empty = LabelEnergy::potts(3, vec![]).unwrap();
    assert!(empty.is_empty());
    assert_eq!(alpha_expansion(&empty, &[], &options, &mut Silent).unwrap().model.energy, 0.0);
    assert_eq!(alpha_beta_swap(&empty, &[], &options, &mut Silent).unwrap().model.energy, 0.0);
}

#[test]
fn observers_stop_and_limits_are_reported() {
    let mut energy = LabelEnergy::potts(4, vec![3., 1., 4., 1., 5., 9., 2., 6., 5., 3., 5., 8.]).unwrap();
    energy.add_edge(0, 1, 2.0).unwrap();
    energy.add_edge(1, 2, 2.0).unwrap();
    let start = [2, 1, 3];
    let mut seen = Vec::new();
    let mut observer = |step: &Step| {
        seen.push((step.iteration, step.objective));
        ControlFlow::Break(())
    };
    let stopped = alpha_expansion(&energy, &start, &SweepOptions::default(), &mut observer).unwrap();
    assert_eq!(stopped.report.stop, Stop::Observer);
    assert_eq!(seen, [(1, stopped.model.energy)]);
    let none = SweepOptions { max_sweeps: 0, ..SweepOptions::default() };
    let unchanged = iterated_conditional_modes(&energy, &start, &none, &mut Silent).unwrap();
    assert_eq!((unchanged.model.labels.as_slice(), unchanged.report.stop), (&start[..], Stop::MaxIterations));
}

/// The Aloe pair: expansion finds a lower energy than single changes, and most disparities.
#[test]
fn a_stereo_pair_is_matched() {
    let Some(folder) = shared_file("stereo", "data/mrf/stereo") else { return };
    let [left, right, truth] = ["aloe_left", "aloe_right", "aloe_disparity_x4"]
        .map(|name| read(&folder.join(format!("{name}.pgm"))));
    let (labels, most) = (54, 20.0);
    // A quarter of the image, to be quick.
    let (rows, columns) = (left.rows / 2, left.columns / 2);
    let (top, first) = (left.rows / 4, left.columns / 4);
    let gray = |image: &[u8], row: usize, column: usize| f64::from(image[row * left.columns + column]);
    let mut unary = Vec::with_capacity(rows * columns * labels);
    for row in top..top + rows {
        for column in first..first + columns {
            for disparity in 0..labels {
                let seen = gray(&left.pixels, row, column);
                let matched = gray(&right.pixels, row, column.saturating_sub(disparity));
                unary.push((seen - matched).abs().min(most));
            }
        }
    }
    let mut energy = LabelEnergy::new(labels, unary, linear).unwrap();
    for row in 0..rows {
        for column in 0..columns {
            let pixel = row * columns + column;
            if column + 1 < columns {
                energy.add_edge(pixel, pixel + 1, 4.0).unwrap();
            }
            if row + 1 < rows {
                energy.add_edge(pixel, pixel + columns, 4.0).unwrap();
            }
        }
    }
    let start = energy.independent_labels();
    let options = SweepOptions { max_sweeps: 2, ..SweepOptions::default() };
    let expansion = alpha_expansion(&energy, &start, &options, &mut Silent).unwrap();
    let modes = iterated_conditional_modes(&energy, &start, &SweepOptions::default(), &mut Silent).unwrap();
    assert!(expansion.report.trace.windows(2).all(|pair| pair[1] <= pair[0]));
    assert!(modes.report.trace.windows(2).all(|pair| pair[1] <= pair[0]));
    let far = |found: &[usize]| {
        let known = (0..rows * columns).filter_map(|pixel| {
            let at = (top + pixel / columns) * left.columns + first + pixel % columns;
            let disparity = truth.pixels[at];
            (disparity > 0).then(|| (found[pixel] as f64 - f64::from(disparity) / 4.0).abs() > 2.0)
        });
        let known: Vec<bool> = known.collect();
        known.iter().filter(|&&far| far).count() as f64 / known.len() as f64
    };
    let (by_expansion, by_modes, alone) =
        (far(&expansion.model.labels), far(&modes.model.labels), far(&start));
    assert!(expansion.model.energy < 0.85 * modes.model.energy);
    // Wrong by more than two: 14 %, 28 %, 72 %.
    assert!(by_expansion < 0.15 && by_expansion < 0.6 * by_modes && by_modes < 0.5 * alone);
}
