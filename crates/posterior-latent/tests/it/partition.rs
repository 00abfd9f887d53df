//! What is promised of partitions: their names, how alike they are, one that stands for many.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use posterior_dist::PitmanYor;
use posterior_dist::stream::stream;
use posterior_latent::Error;
use posterior_latent::partition::{
    CoClustering, Loss, Partition, PartitionPrior, PartitionSearch, adjusted_rand_index, all_partitions,
    bell_number, loss, mutual_information, rand_index,
};
use posterior_math::special::ln_gamma;
use posterior_testkit::significance::{LEVEL, chi_square_p_value};
use proptest::prelude::*;
use rand::RngExt;

#[test]
fn labels_are_forgotten_and_blocks_are_numbered_by_their_first_members() {
    let partition = Partition::from_labels(&[9, 2, 9, 7, 2, 9]);
    assert_eq!(partition.labels(), [0, 1, 0, 2, 1, 0]);
    assert_eq!(partition.sizes(), [3, 2, 1]);
    assert_eq!(partition.members(), [vec![0, 2, 5], vec![1, 4], vec![3]]);
    assert!(partition.together(0, 5) && !partition.together(1, 3));
    assert_eq!(partition, Partition::from_labels(&["b", "z", "b", "a", "z", "b"]));
    assert_eq!(Partition::one_block(3).sizes(), [3]);
    assert_eq!(Partition::singletons(3).labels(), [0, 1, 2]);
    let none = Partition::from_labels::<u8>(&[]);
    assert!(none.is_empty() && none.blocks() == 0 && none == Partition::default());
}

#[test]
fn there_are_as_many_partitions_as_bell_counts() {
    // The first Bell numbers, OEIS A000110.
    let bell = [1, 1, 2, 5, 15, 52, 203, 877, 4140, 21147, 115_975];
    for (n, &count) in bell.iter().enumerate() {
        assert_eq!(bell_number(n), Some(count));
        if n < 9 {
            let all: Vec<Partition> = all_partitions(n).collect();
            assert_eq!(all.len() as u128, count);
            assert!(all.windows(2).all(|pair| pair[0].labels() < pair[1].labels()));
            assert!(all.iter().all(|one| one.len() == n && *one == Partition::from_labels(one.labels())));
        }
    }
    // B(25), from the same list; the last below 2^128 is B(42).
    assert_eq!(bell_number(25), Some(4_638_590_332_229_999_353));
    assert!(bell_number(42).is_some() && bell_number(43).is_none());
}

#[test]
fn distances_have_the_values_that_are_computed_by_hand() {
    // Contingency table ((2, 0), (1, 1)): Hubert and Arabie's example in miniature.
    let (a, b) = (Partition::from_labels(&[0, 0, 1, 1]), Partition::from_labels(&[0, 0, 0, 1]));
    assert_eq!(rand_index(&a, &b).unwrap(), 0.5);
    assert_eq!(adjusted_rand_index(&a, &b).unwrap(), 0.0);
    // H(a) = ln 2, H(b) = 2 ln 2 - 3/4 ln 3, of both 3/2 ln 2.
    let (ln_2, ln_3) = (2_f64.ln(), 3_f64.ln());
    let mutual = ln_2 + (2.0 * ln_2 - 0.75 * ln_3) - 1.5 * ln_2;
    assert!((mutual_information(&a, &b).unwrap() - mutual).abs() < 1e-15);
    let information = loss(Loss::VariationOfInformation, &a, &b).unwrap();
    assert!((information - (3.0 * ln_2 - ln_2 - 2.0 * ln_2 + 0.75 * ln_3)).abs() < 1e-15);
    // scikit-learn 1.9.1: adjusted_rand_score([0,0,1,2,2,2,1],[0,1,1,2,2,0,1]) and mutual_info_score of the
    // same.
    let (a, b) =
        (Partition::from_labels(&[0, 0, 1, 2, 2, 2, 1]), Partition::from_labels(&[0, 1, 1, 2, 2, 0, 1]));
    assert!((adjusted_rand_index(&a, &b).unwrap() - 0.2125).abs() < 1e-15);
    assert!((mutual_information(&a, &b).unwrap() - 0.608_158_369_876_964_6).abs() < 1e-15);
}

#[test]
fn extremes_have_their_limits() {
    for n in [0, 1, 2, 7] {
        let (one, each) = (Partition::one_block(n), Partition::singletons(n));
        let found = PartitionSearch::default().run(&[vec![one.clone(); 3]]).unwrap();
        assert_eq!((&found.partition, found.expected_loss), (&one, 0.0));
        assert_eq!(adjusted_rand_index(&one, &one).unwrap(), 1.0);
        assert_eq!(adjusted_rand_index(&each, &each).unwrap(), 1.0);
        if n > 1 {
            assert_eq!(adjusted_rand_index(&one, &each).unwrap(), 0.0);
            assert_eq!(loss(Loss::Binder, &one, &each).unwrap(), 1.0);
            let distance = loss(Loss::VariationOfInformation, &one, &each).unwrap();
            assert!((distance - (n as f64).ln()).abs() < 1e-15);
        } else {
            assert_eq!(loss(Loss::Binder, &one, &each).unwrap(), 0.0);
        }
    }
    assert!(matches!(
        rand_index(&Partition::one_block(2), &Partition::one_block(3)),
        Err(Error::Dimension(posterior_math::DimensionError { expected: 2, found: 3, .. }))
    ));
    assert!(mutual_information(&Partition::default(), &Partition::default()).is_err());
}

fn expected_loss(which: Loss, one: &Partition, draws: &[Partition]) -> f64 {
    draws.iter().map(|draw| loss(which, one, draw).unwrap()).sum::<f64>() / draws.len() as f64
}

fn partition(n: usize) -> impl Strategy<Value = Partition> {
    prop::collection::vec(0_u8..4, n).prop_map(|labels| Partition::from_labels(&labels))
}

proptest! {
    #[test]
    fn losses_are_metrics_that_count_pairs(a in partition(9), b in partition(9), c in partition(9)) {
        for which in [Loss::VariationOfInformation, Loss::Binder] {
            let between = |x, y| loss(which, x, y).unwrap();
            prop_assert!((between(&a, &b) - between(&b, &a)).abs() < 1e-15);
            prop_assert!((between(&a, &b) < 1e-12) == (a == b));
            prop_assert!(between(&a, &c) <= between(&a, &b) + between(&b, &c) + 1e-12);
        }
        let apart = (0..9).flat_map(|i| (0..i).map(move |j| (i, j)))
            .filter(|&(i, j)| a.together(i, j) != b.together(i, j)).count();
        prop_assert!((loss(Loss::Binder, &a, &b).unwrap() - apart as f64 / 36.0).abs() < 1e-14);
    }

    /// No draw, no move of one observation and no union of two blocks has a smaller expected loss than the
    /// partition that is found.
    #[test]
    fn nothing_near_is_better_than_what_a_search_finds(
        draws in prop::collection::vec(partition(6), 1..8), binder in any::<bool>(),
    ) {
        let which = if binder { Loss::Binder } else { Loss::VariationOfInformation };
        let found = PartitionSearch { loss: which, most_blocks: Some(6), ..PartitionSearch::default() }.run(std::slice::from_ref(&draws)).unwrap();
        prop_assert!((found.expected_loss - expected_loss(which, &found.partition, &draws)).abs() < 1e-12);
        let labels = found.partition.labels();
        let moves = (0..6).flat_map(|observation| (0..6).map(move |block| (observation, block)));
        let moved = moves.map(|(observation, block)| {
            let mut labels = labels.to_vec();
            labels[observation] = block;
            Partition::from_labels(&labels)
        });
        let pairs = (0..6).flat_map(|a| (0..a).map(move |b| (a, b)));
        let united = pairs.map(|(a, b)| {
            Partition::from_labels(&labels.iter().map(|&label| if label == a { b } else { label }).collect::<Vec<_>>())
        });
        for near in moved.chain(united).chain(draws.iter().cloned()) {
            let loss = expected_loss(which, &near, &draws);
            prop_assert!(found.expected_loss <= loss + 1e-12, "{} {near:?} {loss}", found.expected_loss);
        }
    }
}

/// Of all 203 partitions of six data none is better than the one that is found: not promised, but nearly
/// always so.
#[test]
fn a_search_rarely_misses_the_best() {
    let mut rng = stream(11, &[]);
    let missed = (0..300).filter(|case| {
        let which = if case % 2 == 0 { Loss::Binder } else { Loss::VariationOfInformation };
        let mut draw = || Partition::from_labels(&[(); 6].map(|()| rng.random_range(0..4_u8)));
        let draws: Vec<Partition> = (0..=case % 7).map(|_| draw()).collect();
        let search = PartitionSearch { loss: which, most_blocks: Some(6), ..PartitionSearch::default() };
        let found = search.run(std::slice::from_ref(&draws)).unwrap();
        all_partitions(6).any(|one| expected_loss(which, &one, &draws) < found.expected_loss - 1e-12)
    });
    assert_eq!(missed.count(), 0);
}

/// No move of one observation leads from [0, 1, 0, 1, 0, 2], whose loss is .703, to the best of the 203.
#[test]
fn a_search_finds_what_only_a_union_of_blocks_leads_to() {
    let draws = [[0, 1, 0, 1, 0, 0], [0, 1, 0, 1, 1, 2], [0, 1, 1, 0, 1, 2]];
    let found = PartitionSearch::default()
        .run(&[draws.map(|labels| Partition::from_labels(&labels)).to_vec()])
        .unwrap();
    assert_eq!(found.partition.labels(), [0, 0, 0, 0, 0, 1]);
    assert!((found.expected_loss - 0.685_806_421_311_893_3).abs() < 1e-14);
}

#[test]
fn co_clustering_counts_draws() {
    let labels = [[0, 0, 1], [0, 1, 1], [0, 0, 0], [0, 1, 2]].map(|labels| Partition::from_labels(&labels));
    let matrix = CoClustering::of(&[labels[..2].to_vec(), labels[2..].to_vec()]).unwrap();
    let all = matrix.to_matrix();
    assert_eq!(all.as_slice(), [1.0, 0.5, 0.25, 0.5, 1.0, 0.5, 0.25, 0.5, 1.0]);
    assert!(CoClustering::of(&[]).is_err());
    assert!(CoClustering::of(&[vec![Partition::one_block(1), Partition::one_block(2)]]).is_err());
    // Independent draws: the standard error is that of a coin.
    let mut rng = stream(5, &[]);
    let mut chain = || -> Vec<Partition> {
        (0..4000).map(|_| Partition::from_labels(&[0, u8::from(rng.random_bool(0.25))])).collect()
    };
    let chains = [chain(), chain()];
    let error = CoClustering::standard_error(&chains, 0, 1).unwrap();
    let coin = (0.25 * 0.75 / 8000_f64).sqrt();
    assert!((error / coin - 1.0).abs() < 0.1, "{error} {coin}");
    assert_eq!(CoClustering::standard_error(&chains, 1, 1).unwrap(), 0.0);
}

/// Both priors on all partitions: their probabilities add up to one, and are what sampling gives; of a
/// process they are those of `posterior_dist`, of a finite mixture those of labels with Dirichlet weights,
/// summed over names.
#[test]
fn priors_are_distributions_of_partitions() {
    let process = |d, theta| PitmanYor::new(d, theta).unwrap();
    let all: Vec<Partition> = all_partitions(6).collect();
    for seats in [process(0.0, 0.7), process(0.5, 1.0), process(0.6, -0.3)] {
        let prior = PartitionPrior::process(seats);
        for one in &all {
            let sizes: Vec<u64> = one.sizes().iter().map(|&size| u64::from(size)).collect();
            let difference = prior.ln_partition(one.sizes()) - seats.ln_partition(&sizes);
            assert!(difference.abs() < 1e-12, "{sizes:?}: {difference}");
        }
        is_a_distribution(&prior, &all);
    }
    for (components, gamma) in [(1, 2.0), (2, 0.5), (4, 1.0), (9, 0.1)] {
        let prior = PartitionPrior::finite(components, gamma).unwrap();
        let (k, total) = (components as f64, components as f64 * gamma);
        for one in &all {
            let blocks = one.blocks() as f64;
            let names = if one.blocks() > components {
                f64::NEG_INFINITY
            } else {
                ln_gamma(k + 1.0) - ln_gamma(k - blocks + 1.0)
            };
            let each: f64 =
                one.sizes().iter().map(|&n| ln_gamma(gamma + f64::from(n)) - ln_gamma(gamma)).sum();
            let expected = (names + each + ln_gamma(total) - ln_gamma(total + 6.0)).exp();
            assert!((prior.ln_partition(one.sizes()).exp() - expected).abs() < 1e-13);
        }
        is_a_distribution(&prior, &all);
    }
    for refused in
        [PartitionPrior::finite(0, 1.0), PartitionPrior::finite(2, 0.0), PartitionPrior::finite(2, f64::NAN)]
    {
        assert!(refused.is_err());
    }
}

/// False alarms: one in a million seeds for each prior.
fn is_a_distribution(prior: &PartitionPrior, all: &[Partition]) {
    let probabilities: Vec<f64> = all.iter().map(|one| prior.ln_partition(one.sizes()).exp()).collect();
    assert!((probabilities.iter().sum::<f64>() - 1.0).abs() < 1e-13);
    for one in all.iter().filter(|one| prior.ln_partition(one.sizes()).is_finite()) {
        let joins = one.sizes().iter().map(|&size| prior.ln_join(size).exp()).sum::<f64>();
        let all = joins + prior.ln_open(one.blocks()).exp();
        assert!((all.ln() - prior.ln_total(6)).abs() < 1e-13);
    }
    let mut rng = stream(11, &[]);
    let mut counts = vec![0; all.len()];
    for _ in 0..20_000 {
        let draw = prior.sample(6, &mut rng).unwrap();
        counts[all.iter().position(|one| *one == draw).unwrap()] += 1;
    }
    let expected: Vec<f64> = probabilities.iter().map(|p| 20_000.0 * p).collect();
    assert!(chi_square_p_value(&counts, &expected) > LEVEL);
}

#[cfg(feature = "serde")]
#[test]
fn probabilities_of_pairs_that_were_read_are_valid_or_refused() {
    let read = serde_json::from_str::<CoClustering>;
    assert_eq!(read(r#"{"data":2,"probabilities":[0.5]}"#).unwrap().probability(0, 1), 0.5);
    assert!(read(r#"{"data":3,"probabilities":[0.5]}"#).is_err());
    assert!(read(r#"{"data":2,"probabilities":[1.5]}"#).is_err());
    assert!(read(r#"{"data":18446744073709551615,"probabilities":[]}"#).is_err());
}
