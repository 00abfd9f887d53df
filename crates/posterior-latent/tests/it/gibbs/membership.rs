//! Are the probabilities of memberships right? Data from the model itself, hundreds of times.

use posterior_dist::stream::stream;
use posterior_gaussian::NormalInverseWishart;
use posterior_latent::gibbs::{CollapsedGibbs, ConjugateGaussians, sample};
use posterior_latent::partition::{Partition, PartitionPrior, PartitionSearch, matched_blocks};
use posterior_math::linalg::DMatrix;
use posterior_sampling::Run;
use rand::{Rng, RngExt};
use rand_distr::{ChiSquared, Distribution, StandardNormal};

const ROWS: usize = 40;

/// Rows whose groups, means and variances are drawn from the prior.
fn data(seats: &PartitionPrior, rng: &mut impl Rng) -> (Partition, DMatrix<f64>) {
    let truth = seats.sample(ROWS, rng).unwrap();
    let distributions: Vec<(f64, f64)> = (0..truth.blocks())
        .map(|_| {
            let variance: f64 = 1.0 / ChiSquared::new(5.0).unwrap().sample(rng);
            let mean = rng.sample::<f64, _>(StandardNormal) * (variance / 0.05).sqrt();
            (mean, variance.sqrt())
        })
        .collect();
    let row = |i: usize, rng: &mut dyn Rng| {
        let (mean, sd) = distributions[truth.labels()[i] as usize];
        mean + sd * rng.sample::<f64, _>(StandardNormal)
    };
    let values: Vec<f64> = (0..ROWS).map(|i| row(i, rng)).collect();
    (truth, DMatrix::from_vec(ROWS, 1, values))
}

/// The truth is one more draw of the posterior: what is said of the draws holds of it.
///
/// With 150 data sets the mean of what is wrong is within 3.5 of its standard errors, in each of three
/// ranges: a false alarm in a thousand seeds.
#[test]
fn probabilities_are_reliable() {
    let seats = PartitionPrior::finite(2, 1.0).unwrap();
    let prior = NormalInverseWishart::new(&[0.0], 0.05, &DMatrix::identity(1, 1), 5.0).unwrap();
    let run = Run { chains: 2, warm_up: 100, draws: 250, ..Run::default() };
    // For each range of probabilities the surplus of each data set, and how many rows there were.
    let mut surplus = [const { Vec::new() }; 3];
    let mut rows = [0_u32; 3];
    for seed in 0..150 {
        let (truth, values) = data(&seats, &mut stream(seed, &[]));
        let components = ConjugateGaussians::new(&values, &prior).unwrap();
        let sampled = sample(&CollapsedGibbs::new(&components, seats), &Run { seed, ..run.clone() }).unwrap();
        let estimate = PartitionSearch::default().run(sampled.partitions()).unwrap().partition;
        let said = sampled.membership(&estimate).unwrap();
        let matched = matched_blocks(&estimate, &truth).unwrap();
        let mut own = [0.0; 3];
        for (i, &p) in said.iter().enumerate() {
            let right = matched[estimate.labels()[i] as usize] == Some(truth.labels()[i]);
            let range = if p > 0.99 { 2 } else { usize::from(p > 0.8) };
            own[range] += f64::from(u8::from(right)) - p;
            rows[range] += 1;
        }
        surplus.iter_mut().zip(own).for_each(|(all, own)| all.push(own));
    }
    for (range, surplus) in surplus.iter().enumerate() {
        let n = surplus.len() as f64;
        let mean = surplus.iter().sum::<f64>() / n;
        let sd = (surplus.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (n - 1.0)).sqrt();
        let z = mean / (sd / n.sqrt());
        println!(
            "range {range}: {} rows, mean surplus {:.4} of a row, z = {z:.2}",
            rows[range],
            mean * n / f64::from(rows[range])
        );
        assert!(rows[range] > 200 && z.abs() < 3.5, "range {range}: {} rows, z = {z}", rows[range]);
    }
}

#[test]
fn blocks_are_matched_one_to_one() {
    let [one, other] = [[0, 0, 0, 1, 1, 2], [5, 5, 5, 5, 7, 7]].map(|labels| Partition::from_labels(&labels));
    // The third block is in the second of the other, which the second has already.
    assert_eq!(matched_blocks(&one, &other).unwrap(), [Some(0), Some(1), None]);
    assert_eq!(matched_blocks(&one, &one).unwrap(), [Some(0), Some(1), Some(2)]);
    assert!(matched_blocks(&one, &Partition::one_block(2)).is_err());
}
