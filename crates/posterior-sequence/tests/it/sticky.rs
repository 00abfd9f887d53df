//! Sticky HDP-HMMs: the prior, the joint distribution, calibration, recovery.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use posterior_dist::{Beta, Dirichlet, Gamma, Normal, NormalInverseGamma, Poisson, stream::stream};
use posterior_latent::gibbs::sample;
use posterior_latent::partition::PartitionSearch;
use posterior_sampling::calibration::{JointDistribution, SimulationModel};
use posterior_sampling::{Error, Run};
use posterior_sequence::bayesian::Observed;
use posterior_sequence::sticky::{Stickiness, StickyConcentration, StickyGibbs, StickyHdp, StickyWeights};
use posterior_testkit::accuracy::assert_within;
use rand::{Rng, RngExt};
use rand_distr::Distribution;

const STATES: usize = 3;
const POSITIONS: usize = 6;

/// Six positions in two sequences, the first state of which is drawn from a distribution of its own.
const BREAK: usize = 4;

/// The prior of a small model, simulated as it is defined; `fitted` concentrations or known ones, with this
/// proportion of κ.
#[derive(Clone, Copy)]
struct Joint {
    learned: bool,
    proportion: f64,
}

fn gamma_distribution() -> Gamma {
    Gamma::shape_rate(3.0, 1.5).unwrap()
}

fn total_distribution() -> Gamma {
    Gamma::shape_rate(3.0, 0.8).unwrap()
}

fn proportion_distribution() -> Beta {
    Beta::new(2.0, 1.5).unwrap()
}

impl Joint {
    fn model(self) -> StickyHdp<Poisson, Gamma> {
        let model = StickyHdp::new(STATES, Gamma::shape_rate(2.0, 0.5).unwrap(), ()).unwrap();
        let (gamma, total, proportion) = if self.learned {
            (
                StickyConcentration::Learned(gamma_distribution()),
                StickyConcentration::Learned(total_distribution()),
                Stickiness::Learned(proportion_distribution()),
            )
        } else {
            (
                StickyConcentration::Known(1.5),
                StickyConcentration::Known(4.0),
                Stickiness::Known(self.proportion),
            )
        };
        model.with_gamma(gamma).unwrap().with_total(total).unwrap().with_stickiness(proportion).unwrap()
    }
}

/// Labels, ln β, ln γ, ln (α + κ), κ / (α + κ).
fn numbers(labels: &[u32], weights: &StickyWeights) -> Vec<f64> {
    let concentrations = [weights.gamma.ln(), weights.total.ln(), weights.proportion];
    labels
        .iter()
        .map(|&label| f64::from(label))
        .chain(weights.ln_beta.clone())
        .chain(concentrations)
        .collect()
}

fn parts(parameters: &[f64]) -> (Vec<usize>, StickyWeights) {
    let labels = parameters[..POSITIONS].iter().map(|&label| label as usize).collect();
    let ln_beta = parameters[POSITIONS..POSITIONS + STATES].to_vec();
    let rest = &parameters[POSITIONS + STATES..];
    (labels, StickyWeights { ln_beta, gamma: rest[0].exp(), total: rest[1].exp(), proportion: rest[2] })
}

fn pick<R: Rng + ?Sized>(weights: &[f64], rng: &mut R) -> usize {
    let mut left = rng.random::<f64>() * weights.iter().sum::<f64>();
    weights
        .iter()
        .position(|weight| {
            left -= weight;
            left < 0.0
        })
        .unwrap_or(weights.len() - 1)
}

impl SimulationModel for Joint {
    type Data = [Vec<Option<u64>>; 2];

    fn names(&self) -> Vec<String> {
        let labels = (0..POSITIONS).map(|t| format!("z[{t}]"));
        let weights = (0..STATES).map(|k| format!("ln_beta[{k}]"));
        labels.chain(weights).chain(["ln_gamma", "ln_total", "proportion"].map(str::to_owned)).collect()
    }

    fn prior<R: Rng + ?Sized>(&self, rng: &mut R) -> Result<Vec<f64>, Error> {
        let (gamma, total, proportion) = if self.learned {
            (
                gamma_distribution().sample(rng),
                total_distribution().sample(rng),
                proportion_distribution().sample(rng),
            )
        } else {
            (1.5, 4.0, self.proportion)
        };
        let ln_beta = Dirichlet::symmetric(STATES, gamma / STATES as f64)?.sample_ln(rng);
        let base: Vec<f64> =
            ln_beta.iter().map(|ln| (total * (1.0 - proportion) * ln.exp()).max(1e-300)).collect();
        let initial: Vec<f64> = Dirichlet::new(&base)?.sample(rng);
        let mut rows: Vec<Vec<f64>> = Vec::new();
        for j in 0..STATES {
            let mut alpha = base.clone();
            alpha[j] += total * proportion;
            rows.push(Dirichlet::new(&alpha)?.sample(rng));
        }
        let mut labels: Vec<u32> = Vec::new();
        for t in 0..POSITIONS {
            let distribution = match labels.last() {
                Some(&before) if t != BREAK => &rows[before as usize],
                _ => &initial,
            };
            labels.push(pick(distribution, rng) as u32);
        }
        Ok(numbers(&labels, &StickyWeights { ln_beta, gamma, total, proportion }))
    }

    fn simulate<R: Rng + ?Sized>(&self, parameters: &[f64], rng: &mut R) -> Result<Self::Data, Error> {
        let distribution = Gamma::shape_rate(2.0, 0.5)?;
        let rates: Vec<f64> = (0..STATES).map(|_| distribution.sample(rng)).collect();
        let (labels, _) = parts(parameters);
        let mut seen = Vec::new();
        for (t, &label) in labels.iter().enumerate() {
            let count = Poisson::new(rates[label])?.sample(rng);
            // One position is never seen.
            seen.push((t != 2).then_some(count));
        }
        Ok([seen[..BREAK].to_vec(), seen[BREAK..].to_vec()])
    }

    fn quantity_names(&self) -> Vec<String> {
        ["states", "stays", "largest weight", "sum of equal neighbours"].map(str::to_owned).to_vec()
    }

    fn quantities(&self, parameters: &[f64], data: &Self::Data) -> Vec<f64> {
        let (labels, weights) = parts(parameters);
        let mut there = [false; STATES];
        for &label in &labels {
            there[label] = true;
        }
        let stays = labels[..BREAK].windows(2).filter(|pair| pair[0] == pair[1]).count();
        let most = weights.ln_beta.iter().copied().fold(f64::NEG_INFINITY, f64::max).exp();
        let sum = if labels[0] == labels[1] {
            data[0][0].unwrap_or(0).abs_diff(data[0][1].unwrap_or(0))
        } else {
            0
        };
        vec![there.iter().filter(|&&own| own).count() as f64, stays as f64, most, sum as f64]
    }
}

/// Geweke's test of the whole kernel. False alarms: one in a million seeds for each.
#[test]
fn the_kernel_leaves_the_joint_distribution_alone() {
    let test =
        JointDistribution { draws: 40_000, runs: 100, steps: 150, seed: 5, ..JointDistribution::default() };
    let kernel = |model: StickyHdp<Poisson, Gamma>| {
        move |parameters: &mut Vec<f64>, data: &[Vec<Option<u64>>; 2], rng: &mut rand_pcg::Pcg64| {
            let (labels, weights) = parts(parameters);
            let data = Observed::with_gaps(data);
            let sampler = StickyGibbs::new(&model, &data).unwrap();
            let mut state = sampler.begin_at(&labels, weights, rng).unwrap();
            sampler.advance(&mut state, rng).unwrap();
            *parameters = numbers(state.labels(), state.weights());
            Ok(())
        }
    };
    for joint in [
        Joint { learned: true, proportion: 0.0 },
        Joint { learned: false, proportion: 0.0 },
        Joint { learned: false, proportion: 0.4 },
    ] {
        let report = test.run(&joint, kernel(joint.model())).unwrap();
        assert!(report.passes(1e-6), "{report}");
    }
    // A kernel that takes the proportion of κ for another is found out.
    let joint = Joint { learned: false, proportion: 0.4 };
    let wrong = joint.model().with_total(StickyConcentration::Known(4.0)).unwrap();
    let wrong = wrong.with_gamma(StickyConcentration::Known(1.5)).unwrap();
    let kernel = |parameters: &mut Vec<f64>, data: &[Vec<Option<u64>>; 2], rng: &mut rand_pcg::Pcg64| {
        let (labels, mut weights) = parts(parameters);
        weights.proportion = 0.1;
        let data = Observed::with_gaps(data);
        let sampler = StickyGibbs::new(&wrong, &data).unwrap();
        let mut state = sampler.begin_at(&labels, weights, rng).unwrap();
        sampler.advance(&mut state, rng).unwrap();
        *parameters = numbers(state.labels(), state.weights());
        Ok(())
    };
    let report = test.run(&joint, kernel).unwrap();
    assert!(!report.passes(1e-6), "{report}");
}

/// Without observations a chain draws from the prior: neighbours are equal with probability (α E Σ β² + κ) /
/// (α + κ).
#[test]
fn without_observations_states_stay_as_the_formula_says() {
    let nothing = [vec![None::<u64>; 2]];
    let data = Observed::with_gaps(&nothing);
    for proportion in [0.0, 0.4] {
        let joint = Joint { learned: false, proportion };
        let model = joint.model();
        let sampler = StickyGibbs::new(&model, &data).unwrap();
        let rng = &mut stream(3, &[]);
        let mut state = sampler.begin(rng).unwrap();
        let sweeps = 40_000;
        let mut equal = 0_u32;
        for _ in 0..sweeps {
            sampler.advance(&mut state, rng).unwrap();
            equal += u32::from(state.labels()[0] == state.labels()[1]);
        }
        let squares = (1.5 / STATES as f64 + 1.0) / (1.5 + 1.0);
        let expected = (1.0 - proportion) * squares + proportion;
        // Of 40,000 draws, of which perhaps one in eight is independent: a standard error of 0.007.
        assert_within(f64::from(equal) / f64::from(sweeps), expected, 0.03);
    }
}

#[test]
fn three_states_are_found_among_ten() {
    let mut rng = stream(8, &[]);
    let noise = |rng: &mut rand_pcg::Pcg64| (0..12).map(|_| rng.random::<f64>() - 0.5).sum::<f64>();
    let truth: Vec<usize> = (0..240).map(|t| t / 20 * 2 % 3).collect();
    let numbers = [truth.iter().map(|&k| 8.0 * k as f64 + noise(&mut rng)).collect::<Vec<f64>>()];
    let data = Observed::new(&numbers);
    let prior = NormalInverseGamma::new(8.0, 0.01, 2.0, 1.0).unwrap();
    let model = StickyHdp::<Normal, _>::new(10, prior, ()).unwrap();
    let run = Run { chains: 2, warm_up: 300, draws: 200, seed: 4, ..Run::default() };
    let sampled = sample(&StickyGibbs::new(&model, &data).unwrap(), &run).unwrap();
    let estimate = PartitionSearch::default().run(sampled.partitions()).unwrap();
    assert_eq!(estimate.partition, posterior_latent::partition::Partition::from_labels(&truth));
    let stickiness = sampled.draws().named("stickiness").unwrap().concat();
    assert!(stickiness.iter().sum::<f64>() / stickiness.len() as f64 > 0.6);
}

#[test]
fn draws_are_those_of_the_seed() {
    let numbers = [vec![0.1, 0.3, 5.0, 5.2, 0.2], vec![5.1]];
    let data = Observed::new(&numbers);
    let prior = NormalInverseGamma::new(2.0, 0.05, 2.0, 0.5).unwrap();
    let model = StickyHdp::<Normal, _>::new(5, prior, ()).unwrap();
    let sampler = StickyGibbs::new(&model, &data).unwrap();
    let run = Run { warm_up: 3, draws: 12, chains: 3, seed: 1, ..Run::default() };
    let draws = sample(&sampler, &run).unwrap();
    assert_eq!(draws, sample(&sampler, &run).unwrap());
    #[cfg(feature = "rayon")]
    for threads in [1, 2, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        assert_eq!(pool.install(|| sample(&sampler, &run).unwrap()), draws);
    }
}

#[test]
fn edges_and_misuse() {
    let prior = Gamma::shape_rate(1.0, 1.0).unwrap();
    let model = StickyHdp::<Poisson, _>::new(1, prior, ()).unwrap();
    assert!(StickyHdp::<Poisson, _>::new(0, prior, ()).is_err());
    assert!(model.clone().with_gamma(StickyConcentration::Known(0.0)).is_err());
    assert!(model.clone().with_total(StickyConcentration::Known(f64::NAN)).is_err());
    assert!(model.clone().with_stickiness(Stickiness::Known(1.0)).is_err());
    let rng = &mut stream(1, &[]);
    // One state; concentrations that are tiny and huge; no data.
    let counts = [vec![3_u64, 1, 4]];
    for (counts, total) in [(&counts[..], 1e-200), (&counts[..], 1e200), (&[], 1.0)] {
        let data = Observed::new(counts);
        let model = model.clone().with_total(StickyConcentration::Known(total)).unwrap();
        for states in [1, 4] {
            let model = StickyHdp::<Poisson, _>::new(states, prior, ())
                .unwrap()
                .with_total(StickyConcentration::Known(total));
            let model = model.unwrap();
            let sampler = StickyGibbs::new(&model, &data).unwrap();
            let mut state = sampler.begin(rng).unwrap();
            for _ in 0..50 {
                sampler.advance(&mut state, rng).unwrap();
                assert!(state.ln_likelihood().is_finite() && !state.weights().gamma.is_nan());
            }
        }
        let sampler = StickyGibbs::new(&model, &data).unwrap();
        let weights = StickyWeights { ln_beta: vec![0.0], gamma: 1.0, total: 1.0, proportion: 0.5 };
        assert!(sampler.begin_at(&[7; 9], weights.clone(), rng).is_err());
        let zeros = vec![0; data.positions()];
        assert!(sampler.begin_at(&zeros, StickyWeights { total: -1.0, ..weights.clone() }, rng).is_err());
        assert!(sampler.begin_at(&zeros, StickyWeights { proportion: 1.5, ..weights.clone() }, rng).is_err());
        assert!(sampler.begin_at(&zeros, weights, rng).is_ok());
    }
}
