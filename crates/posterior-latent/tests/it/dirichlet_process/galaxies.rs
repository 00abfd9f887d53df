//! The velocities of 82 galaxies: how many clusters?

use posterior_dist::{Gamma, PitmanYor};
use posterior_gaussian::NormalInverseWishart;
use posterior_latent::dirichlet_process::{HyperPrior, ProcessGibbs, SplitMerge};
use posterior_latent::gibbs::{ConjugateGaussians, sample};
use posterior_latent::partition::PartitionSearch;
use posterior_math::linalg::DMatrix;
use posterior_sampling::Run;
use posterior_testkit::shared::shared_file;

/// Velocities in 1,000 km/s (Roeder 1990, with the 78th of 26.96 as it was printed, or 26.69 as it was
/// measured); components of variance about 1 with unknown means. Escobar and West (1995), and all since them,
/// find between three and a dozen or so.
#[test]
#[ignore = "slow"]
fn galaxies_are_in_several_clusters_and_chains_agree_how_many() {
    let Some(path) = shared_file("galaxies", "data/tabular/galaxies.csv") else { return };
    let text = std::fs::read_to_string(path).unwrap();
    let fields = text.lines().skip(1).filter_map(|line| line.split(',').next_back());
    let mut values: Vec<f64> = fields.filter_map(|field| field.trim().parse().ok()).collect();
    assert_eq!(values.len(), 82);
    if values.iter().all(|&velocity| velocity > 1000.0) {
        for velocity in &mut values {
            *velocity /= 1000.0;
        }
    }
    let prior = NormalInverseWishart::new(&[20.0], 0.05, &DMatrix::from_element(1, 1, 2.0), 4.0).unwrap();
    let components = ConjugateGaussians::new(&DMatrix::from_column_slice(82, 1, &values), &prior).unwrap();
    let learned = HyperPrior::concentration(Gamma::shape_rate(2.0, 4.0).unwrap());
    let process = PitmanYor::chinese_restaurant(1.0).unwrap();
    let run = Run { warm_up: 1000, draws: 1500, thin: 2, seed: 9, ..Run::default() };
    let sampler = ProcessGibbs::new(&components, process).with_hyper_prior(learned);
    let sampled =
        sample(&sampler.clone().with_split_merge(SplitMerge { proposals: 3, ..SplitMerge::default() }), &run)
            .unwrap();
    let summary = sampled.summary();
    for parameter in &summary.parameters[..5] {
        assert!(parameter.rhat.as_ref().is_ok_and(|&rhat| rhat < 1.02), "{summary}");
    }
    let likely: f64 =
        sampled.blocks().iter().filter(|count| (3..=15).contains(&count.blocks)).map(|c| c.probability).sum();
    assert!(likely > 0.95, "{:?}", sampled.blocks());
    // Without splits and merges the distribution is the same.
    let scans = sample(
        &sampler.with_split_merge(SplitMerge { proposals: 0, ..SplitMerge::default() }),
        &Run { seed: 10, ..run },
    )
    .unwrap();
    let (a, b) = (&summary.parameters[0], &scans.summary().parameters[0]);
    let error = a.mcse.as_ref().unwrap().hypot(*b.mcse.as_ref().unwrap());
    let difference = a.mean.as_ref().unwrap() - b.mean.as_ref().unwrap();
    // Four standard errors: a false alarm in 16,000 seeds.
    assert!(difference.abs() < 4.0 * error, "{difference} {error}");
    // The slow seven, the fast three, and one or more in between.
    let partition = PartitionSearch::default().run(sampled.partitions()).unwrap().partition;
    let low = values.iter().position(|&velocity| velocity < 11.0).unwrap();
    let together = |above: f64, below: f64| {
        (0..82).filter(|&i| (above..below).contains(&values[i])).all(|i| partition.together(i, low))
    };
    assert!(together(0.0, 11.0) && (3..=6).contains(&partition.blocks()), "{partition:?}");
}
