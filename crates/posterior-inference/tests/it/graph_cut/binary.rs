//! Binary energies against enumeration, and known minima.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use posterior_inference::graph_cut::{BinaryEnergy, Error};
use proptest::prelude::*;

type Terms = (Vec<[f64; 2]>, Vec<(usize, usize, [f64; 4])>);

fn build((unary, pairs): &Terms) -> BinaryEnergy {
    let mut energy = BinaryEnergy::pairwise(unary.len()).unwrap();
    for (i, &e) in unary.iter().enumerate() {
        energy.add_unary(i, e).unwrap();
    }
    for &(i, j, e) in pairs {
        energy.add_pairwise(i, j, e).unwrap();
    }
    energy
}

fn value((unary, pairs): &Terms, labels: &[bool]) -> f64 {
    let label = |i: usize| usize::from(labels[i]);
    let ones: f64 = unary.iter().enumerate().map(|(i, e)| e[label(i)]).sum();
    ones + pairs.iter().map(|&(i, j, e)| e[2 * label(i) + label(j)]).sum::<f64>()
}

/// The least energy and all labellings within `tolerance` of it.
fn enumerate(terms: &Terms, tolerance: f64) -> (f64, Vec<Vec<bool>>) {
    let n = terms.0.len();
    let all: Vec<Vec<bool>> =
        (0_u32..1 << n).map(|code| (0..n).map(|i| code >> i & 1 == 1).collect()).collect();
    let values: Vec<f64> = all.iter().map(|labels| value(terms, labels)).collect();
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let best = all.into_iter().zip(&values).filter(|(_, v)| **v <= least + tolerance);
    (least, best.map(|(labels, _)| labels).collect())
}

/// Terms of up to nine variables; `number` makes one energy.
fn terms(number: impl Strategy<Value = f64> + Clone + 'static) -> impl Strategy<Value = Terms> {
    (1_usize..10).prop_flat_map(move |n| {
        let e = number.clone();
        let unary = prop::collection::vec([e.clone(), e.clone()], n);
        let pair = (0..n, 0..n, [e.clone(), e.clone(), e.clone(), e]);
        (unary, prop::collection::vec(pair, 0..2 * n))
    })
}

/// Exchanges two columns of the terms that are not submodular, and drops those of a variable with itself.
fn submodular((unary, mut pairs): Terms) -> Terms {
    pairs.retain(|pair| pair.0 != pair.1);
    for (_, _, e) in &mut pairs {
        if e[0] + e[3] > e[1] + e[2] {
            e.swap(0, 1);
            e.swap(2, 3);
        }
    }
    (unary, pairs)
}

fn without_loops((unary, mut pairs): Terms) -> Terms {
    pairs.retain(|pair| pair.0 != pair.1);
    (unary, pairs)
}

fn whole() -> impl Strategy<Value = f64> + Clone + 'static {
    (-6_i32..7).prop_map(f64::from)
}

fn with_infinity() -> impl Strategy<Value = f64> + Clone + 'static {
    (-4_i32..7).prop_map(|k| if k == 6 { f64::INFINITY } else { f64::from(k) })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn whole_energies_have_the_enumerated_minimum_and_its_proof(terms in terms(whole()).prop_map(submodular)) {
        let minimum = build(&terms).minimize().unwrap();
        let (least, best) = enumerate(&terms, 0.0);
        prop_assert_eq!(minimum.energy, least);
        prop_assert_eq!(minimum.bound(), least);
        // The fewest labels 0: 1 wherever some minimum has 1.
        let ones: Vec<bool> = (0..terms.0.len()).map(|i| best.iter().any(|labels| labels[i])).collect();
        prop_assert_eq!(minimum.labels, ones);
    }

    #[test]
    fn real_energies_have_the_enumerated_minimum(terms in terms(-3.0_f64..3.0).prop_map(submodular)) {
        let energy = build(&terms);
        let minimum = energy.minimize().unwrap();
        let (least, _) = enumerate(&terms, 0.0);
        prop_assert!((minimum.energy - least).abs() < 1e-13 * (1.0 + least.abs()), "{} {}", minimum.energy, least);
        prop_assert!((minimum.bound() - least).abs() < 1e-12 * (1.0 + least.abs()));
        prop_assert_eq!(energy.energy(&minimum.labels).unwrap(), minimum.energy);
    }

    #[test]
    fn what_is_forbidden_stays_forbidden(terms in terms(with_infinity()).prop_map(submodular)) {
        let (least, best) = enumerate(&terms, 0.0);
        let energy = build(&terms);
        if energy.check_submodular().is_err() {
            return Ok(()); // infinities on the diagonal
        }
        match energy.minimize() {
            Ok(minimum) => {
                prop_assert_eq!(minimum.energy, least);
                prop_assert_eq!(minimum.bound(), least);
                prop_assert!(best.contains(&minimum.labels));
            }
            Err(error) => {
                prop_assert_eq!(error, Error::Infeasible);
                prop_assert_eq!(least, f64::INFINITY);
            }
        }
    }

    #[test]
    fn roof_dual_labels_are_in_every_minimum(terms in terms(whole()).prop_map(without_loops)) {
        let dual = build(&terms).roof_dual().unwrap();
        let (least, best) = enumerate(&terms, 0.0);
        prop_assert!(dual.bound <= least);
        for (i, label) in dual.labels.iter().enumerate() {
            if let Some(label) = label {
                prop_assert!(best.iter().all(|labels| labels[i] == *label), "variable {}", i);
            }
        }
        if dual.labels.iter().all(Option::is_some) {
            prop_assert_eq!(dual.bound, least);
        }
    }

    #[test]
    fn roof_dual_labels_hold_with_what_is_forbidden(terms in terms(with_infinity()).prop_map(without_loops)) {
        let (least, best) = enumerate(&terms, 0.0);
        match build(&terms).roof_dual() {
            Ok(dual) => {
                prop_assert!(dual.bound <= least);
                for (i, label) in dual.labels.iter().enumerate() {
                    if let (Some(label), true) = (label, least < f64::INFINITY) {
                        prop_assert!(best.iter().all(|labels| labels[i] == *label), "variable {}", i);
                    }
                }
            }
            Err(error) => {
                prop_assert_eq!(error, Error::Infeasible);
                prop_assert_eq!(least, f64::INFINITY);
            }
        }
    }

    #[test]
    fn roof_dual_of_submodular_energies_is_their_minimum(terms in terms(whole()).prop_map(submodular)) {
        let energy = build(&terms);
        let (dual, minimum) = (energy.roof_dual().unwrap(), energy.minimize().unwrap());
        prop_assert_eq!(dual.bound, minimum.energy);
        let (_, best) = enumerate(&terms, 0.0);
        for i in 0..terms.0.len() {
            let agree = best.iter().all(|labels| labels[i] == best[0][i]);
            prop_assert_eq!(dual.labels[i], agree.then_some(best[0][i]), "variable {}", i);
        }
    }

    /// The names of the labels are a matter of taste: negating a variable in all terms negates it in the
    /// answer.
    #[test]
    fn roof_dual_is_blind_to_negation(terms in terms(whole()).prop_map(without_loops), flips in any::<u16>()) {
        let flip = |i: usize| flips >> i & 1 == 1;
        let mut negated = terms.clone();
        for (i, e) in negated.0.iter_mut().enumerate() {
            if flip(i) {
                e.swap(0, 1);
            }
        }
        for (i, j, e) in &mut negated.1 {
            let shift = 2 * usize::from(flip(*i)) + usize::from(flip(*j));
            let old = *e;
            *e = std::array::from_fn(|k| old[k ^ shift]);
        }
        let (one, two) = (build(&terms).roof_dual().unwrap(), build(&negated).roof_dual().unwrap());
        prop_assert_eq!(one.bound, two.bound);
        for i in 0..terms.0.len() {
            prop_assert_eq!(one.labels[i].map(|label| label ^ flip(i)), two.labels[i]);
        }
    }
}

/// INF-05: friends who vote. The minimum of -ln is the mode of the product, all ones.
#[test]
fn the_voting_field_elects_all_ones() {
    let mut energy = BinaryEnergy::pairwise(4).unwrap();
    for i in 0..4 {
        energy.add_pairwise(i, (i + 1) % 4, [-f64::ln(5.0), 0.0, 0.0, -f64::ln(10.0)]).unwrap();
    }
    let minimum = energy.minimize().unwrap();
    assert_eq!(minimum.labels, [true; 4]);
    assert!((minimum.energy + f64::ln(10_000.0)).abs() < 1e-14);
    assert!((minimum.bound() - minimum.energy).abs() < 1e-14);
    let probability = (-minimum.energy).exp() / 11327.0;
    assert!((probability - 0.88284629646).abs() < 1e-11);
}

/// Two coins and three friends who avoid each other: an odd cycle cannot be satisfied, and nothing can be
/// said of anyone.
#[test]
fn an_odd_cycle_of_enemies_stays_open_until_one_of_them_decides() {
    let mut energy = BinaryEnergy::pairwise(3).unwrap();
    for i in 0..3 {
        energy.add_pairwise(i, (i + 1) % 3, [1.0, 0.0, 0.0, 1.0]).unwrap();
    }
    let open = energy.roof_dual().unwrap();
    assert_eq!(open.labels, [None; 3]);
    assert_eq!(open.bound, 0.0); // the least energy is 1
    energy.add_unary(0, [3.0, 0.0]).unwrap();
    energy.add_unary(1, [0.0, 1.5]).unwrap();
    let decided = energy.roof_dual().unwrap();
    assert_eq!(decided.labels[0], Some(true));
    assert_eq!(decided.labels[1], Some(false));
}

#[test]
fn parts_that_are_not_joined_are_minimised_apart() {
    let mut energy = BinaryEnergy::pairwise(7).unwrap();
    energy.add_unary(0, [1.0, 0.0]).unwrap();
    energy.add_pairwise(0, 1, [0.0, 2.0, 2.0, 0.0]).unwrap();
    energy.add_unary(4, [0.0, 5.0]).unwrap();
    energy.add_pairwise(5, 4, [0.0, 0.0, 0.0, 0.0]).unwrap();
    energy.add_pairwise(6, 4, [0.0, 2.0, 2.0, 0.0]).unwrap();
    let minimum = energy.minimize().unwrap();
    // Free variables get label 1.
    assert_eq!(minimum.labels, [true, true, true, true, false, true, false]);
    assert_eq!(minimum.energy, 0.0);
}
