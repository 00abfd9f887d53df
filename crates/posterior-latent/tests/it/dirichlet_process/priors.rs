//! The prior of the number of blocks where the data say nothing, and the process given a partition.

use posterior_dist::stream::stream;
use posterior_dist::{Beta, Density, Gamma, PitmanYor};
use posterior_latent::Error;
use posterior_latent::dirichlet_process::{HyperPrior, ProcessGibbs, SplitMerge};
use posterior_latent::gibbs::{Clusters, Collapsible, Home, sample};
use posterior_latent::partition::PartitionPrior;
use posterior_sampling::Run;
use posterior_testkit::significance::{LEVEL, chi_square_p_value, kolmogorov_smirnov_p_value};

/// Data of which all components say the same.
struct Silent(usize);

struct Blocks(usize);

impl Collapsible for Silent {
    type Clusters<'a> = Blocks;

    fn len(&self) -> usize {
        self.0
    }

    fn clusters(&self) -> Blocks {
        Blocks(0)
    }

    fn ln_prior_predictive(&self, _: usize) -> f64 {
        0.0
    }
}

impl Clusters for Blocks {
    fn len(&self) -> usize {
        self.0
    }

    fn open(&mut self) {
        self.0 += 1;
    }

    fn close(&mut self, _: usize) {
        self.0 -= 1;
    }

    fn insert(&mut self, _: usize, _: usize) -> Result<(), Error> {
        Ok(())
    }

    fn remove(&mut self, _: usize, _: Home<'_>) -> Result<(), Error> {
        Ok(())
    }

    fn ln_predictive(&mut self, _: usize, _: Option<Home<'_>>, values: &mut [f64]) -> Result<(), Error> {
        values.fill(0.0);
        Ok(())
    }

    fn ln_evidence(&self, _: usize) -> Result<f64, Error> {
        Ok(0.0)
    }
}

/// Five data: of CRP(1) the Stirling numbers (24, 50, 35, 10, 1) / 120 and E K = 137/60; of PY(1/2, 1) E K =
/// 3.4140625. False alarms: one in a million seeds for each.
#[test]
fn without_a_likelihood_the_prior_of_the_number_of_blocks_is_left() {
    let components = Silent(5);
    let run = Run { draws: 5000, warm_up: 20, thin: 6, seed: 3, ..Run::default() };
    let dirichlet = PitmanYor::chinese_restaurant(1.0).unwrap();
    let pitman_yor = PitmanYor::new(0.5, 1.0).unwrap();
    for (process, mean) in [(dirichlet, 137.0 / 60.0), (pitman_yor, 3.414_062_5)] {
        let distribution = process.table_probabilities(5);
        let exact: f64 = distribution.iter().enumerate().map(|(k, p)| k as f64 * p).sum();
        assert!((exact - mean).abs() < 1e-14);
        for (scans, proposals) in [(1, 0), (0, 12), (1, 2)] {
            let moves = SplitMerge { proposals, scans: 1, ..SplitMerge::default() };
            let sampler = ProcessGibbs::new(&components, process).with_scans(scans).with_split_merge(moves);
            let drawn = sample(&sampler, &run).unwrap();
            let mut counts = vec![0; 6];
            drawn.partitions().iter().flatten().for_each(|draw| counts[draw.blocks()] += 1);
            let expected: Vec<f64> = distribution.iter().map(|p| 20_000.0 * p).collect();
            let p = chi_square_p_value(&counts, &expected);
            assert!(p > LEVEL, "{process:?}, {scans} scans, {proposals} proposals: {p}");
        }
    }
    let stirling = dirichlet.table_probabilities(5);
    for (k, count) in [24.0, 50.0, 35.0, 10.0, 1.0].into_iter().enumerate() {
        assert!((stirling[k + 1] - count / 120.0).abs() < 1e-15);
    }
}

/// The distribution function of a density on a grid, by trapezoids.
fn distribution(grid: &[f64], ln_density: &[f64]) -> impl Fn(f64) -> f64 {
    let most = ln_density.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let density: Vec<f64> = ln_density.iter().map(|l| (l - most).exp()).collect();
    let mut sums = vec![0.0];
    for i in 1..grid.len() {
        sums.push(sums[i - 1] + 0.5 * (density[i] + density[i - 1]) * (grid[i] - grid[i - 1]));
    }
    let (grid, total) = (grid.to_vec(), sums[sums.len() - 1]);
    move |x| {
        let place = grid.partition_point(|&at| at <= x).clamp(1, grid.len() - 1);
        let proportion = (x - grid[place - 1]) / (grid[place] - grid[place - 1]);
        (sums[place - 1] + proportion * (sums[place] - sums[place - 1])) / total
    }
}

fn grid(from: f64, to: f64, count: usize) -> Vec<f64> {
    (0..count).map(|i| from + (to - from) * i as f64 / (count - 1) as f64).collect()
}

fn draws(prior: &HyperPrior, start: PitmanYor, sizes: &[u32], thin: usize) -> Vec<PitmanYor> {
    let mut rng = stream(8, &[]);
    let mut process = start;
    (0..4000)
        .map(|_| {
            for _ in 0..thin {
                process = prior.update(&process, sizes, &mut rng).unwrap();
            }
            process
        })
        .collect()
}

/// Against quadrature of prior times P(partition | θ). False alarms: one in a million seeds for each; draws
/// are thinned until nearly independent.
#[test]
fn the_concentration_has_its_distribution_given_the_blocks() {
    let gamma = Gamma::shape_rate(2.0, 1.5).unwrap();
    let prior = HyperPrior::concentration(gamma);
    for sizes in [&[5, 3, 1][..], &[1], &[40], &[1, 1, 1, 1]] {
        for discount in [0.0, 0.3] {
            let start = PitmanYor::new(discount, 1.0).unwrap();
            let ln_thetas = grid(-14.0, 5.0, 20_000);
            let ln_density: Vec<f64> = ln_thetas
                .iter()
                .map(|&ln_theta| {
                    let process = PitmanYor::new(discount, ln_theta.exp()).unwrap();
                    gamma.ln_pdf(&ln_theta.exp())
                        + ln_theta
                        + PartitionPrior::process(process).ln_partition(sizes)
                })
                .collect();
            let drawn: Vec<f64> =
                draws(&prior, start, sizes, 6).iter().map(|process| process.concentration().ln()).collect();
            let p = kolmogorov_smirnov_p_value(&drawn, distribution(&ln_thetas, &ln_density));
            assert!(p > LEVEL, "{sizes:?}, discount {discount}: {p}");
        }
    }
}

#[test]
fn the_discount_has_its_distribution_given_the_blocks() {
    let (gamma, beta) = (Gamma::shape_rate(1.5, 1.0).unwrap(), Beta::new(1.5, 2.0).unwrap());
    let prior = HyperPrior::concentration(gamma).with_discount(beta);
    let sizes = [6, 2, 1, 1, 1];
    let (ln_thetas, discounts) = (grid(-12.0, 4.0, 300), grid(1e-6, 1.0 - 1e-6, 300));
    let ln_joint = |ln_theta: f64, d: f64| {
        let process = PitmanYor::new(d, ln_theta.exp()).unwrap();
        assert!((prior.ln_pdf(&process) - gamma.ln_pdf(&ln_theta.exp()) - beta.ln_pdf(&d)).abs() < 1e-12);
        prior.ln_pdf(&process) + ln_theta + PartitionPrior::process(process).ln_partition(&sizes)
    };
    let sum = |terms: Vec<f64>| posterior_math::log_space::ln_sum_exp(&terms);
    let of_discount: Vec<f64> =
        discounts.iter().map(|&d| sum(ln_thetas.iter().map(|&t| ln_joint(t, d)).collect())).collect();
    let of_theta: Vec<f64> =
        ln_thetas.iter().map(|&t| sum(discounts.iter().map(|&d| ln_joint(t, d)).collect())).collect();
    let drawn = draws(&prior, PitmanYor::new(0.5, 1.0).unwrap(), &sizes, 20);
    let found: Vec<f64> = drawn.iter().map(PitmanYor::discount).collect();
    assert!(kolmogorov_smirnov_p_value(&found, distribution(&discounts, &of_discount)) > LEVEL);
    let found: Vec<f64> = drawn.iter().map(|process| process.concentration().ln()).collect();
    assert!(kolmogorov_smirnov_p_value(&found, distribution(&ln_thetas, &of_theta)) > LEVEL);
}
