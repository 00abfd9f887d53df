//! Each kernel alone, and all together, against the sum over all 877 partitions of seven data.

use std::collections::BTreeMap;

use posterior_dist::{Categorical, Conjugate, Normal, NormalInverseGamma, PitmanYor, Stats};
use posterior_latent::dirichlet_process::{AuxiliaryGibbs, ProcessGibbs, SplitMerge};
use posterior_latent::gibbs::{BlockedGibbs, ConjugateComponents, MixtureWeights, sample};
use posterior_latent::partition::{Partition, PartitionPrior};
use posterior_sampling::Run;
use posterior_testkit::significance::LEVEL;

use crate::gibbs::enumeration::{
    LETTERS, NUMBERS, letters, letters_posterior, numbers, numbers_posterior, p_value,
};

fn processes() -> [PitmanYor; 2] {
    [PitmanYor::new(0.0, 1.2).unwrap(), PitmanYor::new(0.4, 0.5).unwrap()]
}

/// False alarms: one in a million seeds for each comparison, here and below.
#[test]
fn splits_and_merges_alone_reach_all_partitions() {
    let (generic, fast) = numbers();
    for process in processes() {
        let exact = numbers_posterior(&PartitionPrior::process(process));
        for scans in [0, 1, 4] {
            let moves = SplitMerge { proposals: 12, scans, ..SplitMerge::default() };
            let sampler = ProcessGibbs::new(&fast, process).with_scans(0).with_split_merge(moves);
            let p = p_value(&sampler, &exact, 1, 21 + scans as u64);
            assert!(p > LEVEL, "{process:?}, {scans} scans: {p}");
        }
    }
    let process = processes()[0];
    let sampler = ProcessGibbs::new(&generic, process)
        .with_split_merge(SplitMerge { proposals: 4, ..SplitMerge::default() });
    let p = p_value(&sampler, &numbers_posterior(&PartitionPrior::process(process)), 1, 25);
    assert!(p > LEVEL, "{process:?}: {p}");
    let letters = letters();
    let process = processes()[1];
    let moves = SplitMerge { proposals: 12, scans: 2, ..SplitMerge::default() };
    let sampler = ProcessGibbs::new(&letters, process).with_scans(0).with_split_merge(moves);
    let p = p_value(&sampler, &letters_posterior(&PartitionPrior::process(process)), 1, 26);
    assert!(p > LEVEL, "{p}");
}

#[test]
fn components_that_are_drawn_give_the_same_partitions() {
    let (generic, fast) = numbers();
    for (process, auxiliary) in processes().into_iter().zip([1, 4]) {
        let exact = numbers_posterior(&PartitionPrior::process(process));
        let sampler = AuxiliaryGibbs::new(&generic, process).with_auxiliary(auxiliary).unwrap();
        let p = p_value(&sampler, &exact, 12, 31);
        assert!(p > LEVEL, "{process:?}: {p}");
    }
    let process = processes()[0];
    let p = p_value(
        &AuxiliaryGibbs::new(&fast, process),
        &numbers_posterior(&PartitionPrior::process(process)),
        10,
        32,
    );
    assert!(p > LEVEL, "{p}");
    let letters = letters();
    let exact = letters_posterior(&PartitionPrior::process(process));
    let p = p_value(&AuxiliaryGibbs::new(&letters, process), &exact, 10, 33);
    assert!(p > LEVEL, "{p}");
}

/// Sticks cut off after three pieces, against all 3⁷ labellings: their weights are integrated out as a
/// product of beta functions.
#[test]
fn truncated_sticks_have_the_distribution_of_the_truncated_process() {
    let letters = letters();
    for process in processes() {
        let weights = MixtureWeights::sticks(3, process).unwrap();
        let mut posterior: BTreeMap<Partition, f64> = BTreeMap::new();
        for code in 0..3_usize.pow(7) {
            let labels: Vec<usize> = (0..7).map(|place| code / 3_usize.pow(place) % 3).collect();
            let mut counts = [0; 3];
            for &label in &labels {
                counts[label] += 1;
            }
            let mut evidence = weights.ln_labels(&counts);
            for block in 0..3 {
                let members = LETTERS.iter().zip(&labels).filter(|&(_, &label)| label == block);
                let stats = Stats::<Categorical>::of(3, members.map(|(letter, _)| letter)).unwrap();
                evidence += Categorical::ln_evidence(letters.prior(), &stats).unwrap();
            }
            *posterior.entry(Partition::from_labels(&labels)).or_default() += evidence.exp();
        }
        let total: f64 = posterior.values().sum();
        let exact: Vec<(Partition, f64)> = posterior.into_iter().map(|(one, p)| (one, p / total)).collect();
        let p = p_value(&BlockedGibbs::new(&letters, weights), &exact, 15, 41);
        assert!(p > LEVEL, "{process:?}: {p}");
    }
}

/// Without data the labels of Dirichlet weights have the distribution of Pólya's urn, and sticks those of the
/// size-biased order.
#[test]
fn weights_of_labels_add_up_to_one() {
    for weights in [
        MixtureWeights::dirichlet(3, 0.7).unwrap(),
        MixtureWeights::sticks(3, PitmanYor::new(0.3, 0.4).unwrap()).unwrap(),
        MixtureWeights::sticks(1, PitmanYor::new(0.0, 2.0).unwrap()).unwrap(),
    ] {
        let k = weights.components();
        let total: f64 = (0..k.pow(4))
            .map(|code| {
                let mut counts = vec![0; k];
                (0..4).for_each(|place| counts[code / k.pow(place) % k] += 1);
                weights.ln_labels(&counts).exp()
            })
            .sum();
        assert!((total - 1.0).abs() < 1e-13, "{weights:?}: {total}");
    }
    // The means of the first two sticks, by hand: (1 - d) / (1 + θ), and (θ + d) / (1 + θ) · (1 - d) / (1 +
    // θ + d).
    let sticks = MixtureWeights::sticks(3, PitmanYor::new(0.3, 0.4).unwrap()).unwrap();
    assert!((sticks.ln_labels(&[1, 0, 0]).exp() - 0.7 / 1.4).abs() < 1e-13);
    assert!((sticks.ln_labels(&[0, 1, 0]).exp() - 0.7 / 1.4 * 0.7 / 1.7).abs() < 1e-13);
}

/// The order of the data says nothing: the probabilities of all pairs agree with those of the data in another
/// order, four and a half standard errors apart at most (of 21 pairs, a false alarm in 7,000 seeds).
#[test]
fn the_order_of_the_data_does_not_matter() {
    let order = [4, 0, 6, 2, 5, 1, 3];
    let shuffled: Vec<f64> = order.iter().map(|&observation| NUMBERS[observation]).collect();
    let prior: NormalInverseGamma = *numbers().0.prior();
    let process = PitmanYor::new(0.2, 0.9).unwrap();
    let run = Run { draws: 3000, warm_up: 50, thin: 2, ..Run::default() };
    let draws = |numbers: &[f64], seed| {
        let components = ConjugateComponents::<Normal, _, _>::new(numbers, (), prior).unwrap();
        sample(&ProcessGibbs::new(&components, process), &Run { seed, ..run.clone() }).unwrap()
    };
    let (one, other) = (draws(&NUMBERS, 1), draws(&shuffled, 2));
    let (first, second) = (one.co_clustering().unwrap(), other.co_clustering().unwrap());
    for i in 0..7 {
        for j in 0..i {
            let (a, b) = (order[i], order[j]);
            let difference = first.probability(a, b) - second.probability(i, j);
            let error = |chains, i, j| {
                posterior_latent::partition::CoClustering::standard_error(chains, i, j).unwrap()
            };
            let error = error(one.partitions(), a, b).hypot(error(other.partitions(), i, j));
            assert!(difference.abs() < 4.5 * error, "{a} {b}: {difference} {error}");
        }
    }
}
