//! Samplers against the sum over all partitions of seven data, or over all labels.

use posterior_dist::stream::stream;
use posterior_dist::{Categorical, Conjugate, Dirichlet, Normal, NormalInverseGamma, PitmanYor, Stats};
use posterior_gaussian::{Gaussian, NormalInverseWishart};
use posterior_latent::gibbs::{
    BlockedGibbs, ClusterSampler, ClusterState, Clusters, CollapsedGibbs, Collapsible, ConjugateComponents,
    ConjugateGaussians, MixtureWeights,
};
use posterior_latent::partition::{Partition, PartitionPrior, all_partitions};
use posterior_math::linalg::DMatrix;
use posterior_testkit::significance::{LEVEL, chi_square_p_value};

/// Seven numbers in two and a half groups.
pub(crate) const NUMBERS: [f64; 7] = [-2.1, -1.4, -1.7, 0.2, 1.1, 1.6, 1.3];

/// Seven letters of an alphabet of three.
pub(crate) const LETTERS: [usize; 7] = [0, 0, 1, 0, 2, 2, 1];

pub(crate) fn numbers() -> (ConjugateComponents<'static, Normal, NormalInverseGamma, f64>, ConjugateGaussians)
{
    let (mu, kappa, shape, scale) = (0.0, 0.3, 1.5, 0.4);
    let prior = NormalInverseGamma::new(mu, kappa, shape, scale).unwrap();
    // The same prior in one dimension: ν = 2 α, Ψ = 2 β.
    let wishart =
        NormalInverseWishart::new(&[mu], kappa, &DMatrix::from_element(1, 1, 2.0 * scale), 2.0 * shape)
            .unwrap();
    let rows = DMatrix::from_column_slice(7, 1, &NUMBERS);
    (
        ConjugateComponents::new(&NUMBERS, (), prior).unwrap(),
        ConjugateGaussians::new(&rows, &wishart).unwrap(),
    )
}

pub(crate) fn letters() -> ConjugateComponents<'static, Categorical, Dirichlet, usize> {
    ConjugateComponents::new(&LETTERS, 3, Dirichlet::new(&[0.5, 0.4, 0.6]).unwrap()).unwrap()
}

/// The posterior of all partitions, by the evidence of each block as `Conjugate` has it.
pub(crate) fn posterior<F: Conjugate<P, Point: Sized>, P>(
    points: &[F::Point],
    fixed: &F::Fixed,
    prior: &P,
    seats: &PartitionPrior,
) -> Vec<(Partition, f64)> {
    let evidence = |members: &Vec<usize>| {
        let stats = Stats::<F>::of(fixed.clone(), members.iter().map(|&i| &points[i])).unwrap();
        F::ln_evidence(prior, &stats).unwrap()
    };
    let weight = |partition: &Partition| {
        let data: f64 = partition.members().iter().map(evidence).sum();
        (seats.ln_partition(partition.sizes()) + data).exp()
    };
    let mut all: Vec<_> = all_partitions(points.len()).map(|one| (weight(&one), one)).collect();
    let total: f64 = all.iter().map(|(weight, _)| weight).sum();
    all.drain(..).map(|(weight, one)| (one, weight / total)).collect()
}

pub(crate) fn numbers_posterior(seats: &PartitionPrior) -> Vec<(Partition, f64)> {
    posterior::<Normal, _>(&NUMBERS, &(), numbers().0.prior(), seats)
}

pub(crate) fn letters_posterior(seats: &PartitionPrior) -> Vec<(Partition, f64)> {
    posterior::<Categorical, _>(&LETTERS, &3, letters().prior(), seats)
}

/// The p-value of the thinned draws of one chain.
pub(crate) fn p_value<K: ClusterSampler>(
    sampler: &K,
    posterior: &[(Partition, f64)],
    thin: usize,
    seed: u64,
) -> f64 {
    const DRAWS: usize = 10_000;
    let mut rng = stream(seed, &[]);
    let mut state = sampler.start(&mut rng).unwrap();
    let mut counts = vec![0; posterior.len()];
    for draw in 0..DRAWS + 100 {
        for _ in 0..thin {
            sampler.sweep(&mut state, &mut rng).unwrap();
        }
        if draw >= 100 {
            let partition = Partition::from_labels(state.labels());
            // They are in the order of their labels.
            let place = posterior.binary_search_by(|(one, _)| one.labels().cmp(partition.labels()));
            counts[place.unwrap()] += 1;
        }
    }
    let expected: Vec<f64> = posterior.iter().map(|(_, p)| DRAWS as f64 * p).collect();
    chi_square_p_value(&counts, &expected)
}

fn finite(components: usize) -> PartitionPrior {
    PartitionPrior::finite(components, 0.8).unwrap()
}

fn processes() -> [PartitionPrior; 2] {
    [PitmanYor::new(0.0, 1.2), PitmanYor::new(0.4, 0.5)]
        .map(|process| PartitionPrior::process(process.unwrap()))
}

/// False alarms: one in a million seeds for each comparison; draws a few sweeps apart are independent enough,
/// of seven data, for that not to be felt.
#[test]
fn collapsed_sampling_draws_from_all_partitions_of_numbers() {
    let (generic, fast) = numbers();
    for seats in [finite(2), finite(4)].into_iter().chain(processes()) {
        let exact = numbers_posterior(&seats);
        for p in [
            p_value(&CollapsedGibbs::new(&fast, seats), &exact, 10, 1),
            p_value(&CollapsedGibbs::new(&generic, seats), &exact, 4, 2),
        ] {
            assert!(p > LEVEL, "{seats:?}: {p}");
        }
    }
}

#[test]
fn collapsed_sampling_draws_from_all_partitions_of_letters() {
    let components = letters();
    for seats in [finite(3)].into_iter().chain(processes()) {
        let p = p_value(&CollapsedGibbs::new(&components, seats), &letters_posterior(&seats), 5, 3);
        assert!(p > LEVEL, "{seats:?}: {p}");
    }
}

#[test]
fn blocked_sampling_draws_from_all_partitions() {
    let weights = MixtureWeights::dirichlet(3, 0.8).unwrap();
    let (generic, fast) = numbers();
    let exact = numbers_posterior(&finite(3));
    let p = p_value(&BlockedGibbs::new(&generic, weights), &exact, 25, 4);
    assert!(p > LEVEL, "{p}");
    let p = p_value(&BlockedGibbs::new(&fast, weights), &exact, 25, 5);
    assert!(p > LEVEL, "{p}");
    let p = p_value(&BlockedGibbs::new(&letters(), weights), &letters_posterior(&finite(3)), 15, 6);
    assert!(p > LEVEL, "{p}");
}

/// The kernel of each observation, as its conditional distribution says, as a matrix on all 15 partitions of
/// four data: π T = π for each, and for their product, a sweep; each T is reversible.
#[test]
fn the_matrix_of_a_sweep_leaves_the_posterior_alone() {
    let rows = DMatrix::from_row_slice(4, 2, &[0.3, -1.0, 0.5, -0.7, 2.0, 1.5, 1.2, 0.4]);
    let prior = NormalInverseWishart::new(
        &[0.5, 0.0],
        0.7,
        &DMatrix::from_row_slice(2, 2, &[1.0, 0.3, 0.3, 0.8]),
        3.2,
    );
    let prior = prior.unwrap();
    let components = ConjugateGaussians::new(&rows, &prior).unwrap();
    let points: Vec<Vec<f64>> = rows.row_iter().map(|row| row.iter().copied().collect()).collect();
    let all: Vec<Partition> = all_partitions(4).collect();
    for seats in [finite(2), finite(5)].into_iter().chain(processes()) {
        let sampler = CollapsedGibbs::new(&components, seats);
        let evidence = |members: &Vec<usize>| {
            let stats = Stats::<Gaussian>::of(2, members.iter().map(|&i| &points[i][..])).unwrap();
            Gaussian::ln_evidence(&prior, &stats).unwrap()
        };
        let joint = |one: &Partition| {
            (seats.ln_partition(one.sizes()) + one.members().iter().map(evidence).sum::<f64>()).exp()
        };
        let total: f64 = all.iter().map(joint).sum();
        let pi = DMatrix::from_fn(1, 15, |_, i| joint(&all[i]) / total);
        let allowed = |one: &Partition| seats.most_blocks().is_none_or(|most| one.blocks() <= most);
        let mut sweep = DMatrix::identity(15, 15);
        for observation in 0..4 {
            let mut kernel = DMatrix::identity(15, 15);
            for (from, partition) in all.iter().enumerate().filter(|(_, one)| allowed(one)) {
                kernel[(from, from)] = 0.0;
                for (block, p) in sampler.conditional(partition, observation).unwrap().into_iter().enumerate()
                {
                    let mut labels = partition.labels().to_vec();
                    labels[observation] = block as u32;
                    let to = all.binary_search(&Partition::from_labels(&labels)).unwrap();
                    kernel[(from, to)] += p;
                }
            }
            assert!((&pi * &kernel - &pi).amax() < 1e-14);
            let flow = DMatrix::from_fn(15, 15, |i, j| pi[(0, i)] * kernel[(i, j)]);
            assert!((&flow - flow.transpose()).amax() < 1e-14);
            sweep *= kernel;
        }
        assert!((&pi * &sweep - &pi).amax() < 1e-14);
    }
}

/// The evidence of blocks by changes of rank one, against that of `Conjugate`.
#[test]
fn blocks_know_their_evidence() {
    let (generic, fast) = numbers();
    for partition in all_partitions(7).step_by(7) {
        for members in partition.members() {
            let (mut a, mut b) = (generic.clusters(), fast.clusters());
            a.open();
            b.open();
            for observation in members {
                a.insert(observation, 0).unwrap();
                b.insert(observation, 0).unwrap();
            }
            let difference = a.ln_evidence(0).unwrap() - b.ln_evidence(0).unwrap();
            assert!(difference.abs() < 1e-13, "{partition:?}: {difference}");
        }
    }
    for observation in 0..7 {
        let difference = generic.ln_prior_predictive(observation) - fast.ln_prior_predictive(observation);
        assert!(difference.abs() < 1e-14, "{observation}: {difference}");
    }
}
