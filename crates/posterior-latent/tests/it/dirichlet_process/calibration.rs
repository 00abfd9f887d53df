//! Simulation-based calibration of every sampler: partitions, the process and data drawn from the prior,
//! ranked among posterior draws.

use posterior_dist::{Conjugate, Density, Gamma, PitmanYor, Stats};
use posterior_gaussian::{Gaussian, NormalInverseWishart};
use posterior_latent::dirichlet_process::{AuxiliaryGibbs, HyperPrior, ProcessGibbs};
use posterior_latent::gibbs::{
    BlockedGibbs, ClusterSampler, ClusterState, CollapsedGibbs, ConjugateGaussians, MixtureWeights,
};
use posterior_latent::partition::{Partition, PartitionPrior};
use posterior_math::linalg::DMatrix;
use posterior_sampling::calibration::{Calibration, SimulationModel};
use posterior_sampling::{Draws, Error};
use rand::Rng;
use rand_distr::Distribution;
use rand_pcg::Pcg64;

const DATA: usize = 6;

/// Six points in a plane.
#[derive(Clone, Copy)]
enum Model {
    Finite,
    Process,
}

fn prior() -> NormalInverseWishart {
    NormalInverseWishart::new(&[0.0, 1.0], 0.2, &DMatrix::from_row_slice(2, 2, &[1.0, 0.2, 0.2, 0.6]), 4.5)
        .unwrap()
}

fn finite() -> PartitionPrior {
    PartitionPrior::finite(3, 0.6).unwrap()
}

fn hyper_prior() -> HyperPrior {
    HyperPrior::concentration(Gamma::shape_rate(2.0, 1.0).unwrap())
}

impl SimulationModel for Model {
    type Data = DMatrix<f64>;

    fn names(&self) -> Vec<String> {
        (1..DATA).map(|observation| format!("z[{observation}]")).chain(["concentration".to_owned()]).collect()
    }

    fn prior<R: Rng + ?Sized>(&self, rng: &mut R) -> Result<Vec<f64>, Error> {
        let (seats, concentration) = match self {
            Self::Finite => (finite(), 0.0),
            Self::Process => {
                let process = hyper_prior().sample(&PitmanYor::chinese_restaurant(1.0)?, rng)?;
                (PartitionPrior::process(process), process.concentration())
            }
        };
        let partition = seats.sample(DATA, rng).unwrap();
        Ok(numbers(&partition, concentration))
    }

    fn simulate<R: Rng + ?Sized>(&self, parameters: &[f64], rng: &mut R) -> Result<DMatrix<f64>, Error> {
        let partition = partition(parameters);
        let mut rows = DMatrix::zeros(DATA, 2);
        for members in partition.members() {
            let distribution = Gaussian::draw(&prior(), &2, rng)?;
            for observation in members {
                let point: Vec<f64> = distribution.sample(rng);
                (0..2).for_each(|column| rows[(observation, column)] = point[column]);
            }
        }
        Ok(rows)
    }

    fn quantity_names(&self) -> Vec<String> {
        ["blocks", "ln_evidence"].map(str::to_owned).to_vec()
    }

    fn quantities(&self, parameters: &[f64], data: &DMatrix<f64>) -> Vec<f64> {
        let partition = partition(parameters);
        let points: Vec<Vec<f64>> = data.row_iter().map(|row| row.iter().copied().collect()).collect();
        let evidence = |members: &Vec<usize>| {
            let stats = Stats::<Gaussian>::of(2, members.iter().map(|&observation| &points[observation][..]))
                .unwrap();
            Gaussian::ln_evidence(&prior(), &stats).unwrap()
        };
        vec![partition.blocks() as f64, partition.members().iter().map(evidence).sum()]
    }
}

fn numbers(partition: &Partition, concentration: f64) -> Vec<f64> {
    partition.labels()[1..].iter().map(|&label| f64::from(label)).chain([concentration]).collect()
}

fn partition(parameters: &[f64]) -> Partition {
    let labels = parameters[..DATA - 1].iter().map(|&label| label as u32);
    Partition::from_labels(&[0].into_iter().chain(labels).collect::<Vec<_>>())
}

/// The last state of as many independent chains as draws would be best; chains are cheap here, and thinned
/// far beyond their memory.
fn draws<K: ClusterSampler>(
    sampler: &K,
    thin: usize,
    concentration: impl Fn(&[f64]) -> f64,
    rng: &mut Pcg64,
) -> Result<Draws, Error> {
    let mut state = sampler.start(rng).unwrap();
    let mut rows = Vec::new();
    for _ in 0..20 {
        for _ in 0..thin {
            sampler.sweep(&mut state, rng).unwrap();
        }
        let mut written = Vec::new();
        state.write(&mut written);
        rows.extend(numbers(&Partition::from_labels(state.labels()), concentration(&written)));
    }
    // The first one is the warm-up.
    let width = DATA;
    Draws::new(Model::Finite.names(), vec![rows.split_off(width)])
}

fn calibration() -> Calibration {
    Calibration { simulations: 300, draws: 19, seed: 17, ..Calibration::default() }
}

/// False alarms: one in a million seeds for each sampler.
#[test]
fn samplers_of_finite_mixtures_are_calibrated() {
    let report = calibration().run(&Model::Finite, |data, rng| {
        let components = ConjugateGaussians::new(data, &prior()).unwrap();
        draws(&CollapsedGibbs::new(&components, finite()), 12, |_| 0.0, rng)
    });
    let report = report.unwrap();
    assert!(report.passes(1e-6), "{report}");
    let report = calibration().run(&Model::Finite, |data, rng| {
        let components = ConjugateGaussians::new(data, &prior()).unwrap();
        let weights = MixtureWeights::dirichlet(3, 0.6).unwrap();
        draws(&BlockedGibbs::new(&components, weights), 40, |_| 0.0, rng)
    });
    let report = report.unwrap();
    assert!(report.passes(1e-6), "{report}");
}

#[test]
fn samplers_of_processes_are_calibrated() {
    let process = PitmanYor::chinese_restaurant(1.0).unwrap();
    let report = calibration().run(&Model::Process, |data, rng| {
        let components = ConjugateGaussians::new(data, &prior()).unwrap();
        let sampler = ProcessGibbs::new(&components, process).with_hyper_prior(hyper_prior());
        draws(&sampler, 15, |written| written[1], rng)
    });
    let report = report.unwrap();
    assert!(report.passes(1e-6), "{report}");
    let report = calibration().run(&Model::Process, |data, rng| {
        let components = ConjugateGaussians::new(data, &prior()).unwrap();
        let sampler = AuxiliaryGibbs::new(&components, process).with_hyper_prior(hyper_prior());
        draws(&sampler, 40, |written| written[1], rng)
    });
    let report = report.unwrap();
    assert!(report.passes(1e-6), "{report}");
}

/// A sampler whose prior counts for four times as many points is found out.
#[test]
fn a_wrong_prior_is_found_out() {
    let wrong =
        NormalInverseWishart::new(&[0.0, 1.0], 0.8, prior().scale(), prior().degrees_of_freedom()).unwrap();
    assert!((wrong.ln_pdf(&Gaussian::standard(2)) - prior().ln_pdf(&Gaussian::standard(2))).abs() > 0.1);
    let report = Calibration { simulations: 600, ..calibration() }.run(&Model::Finite, |data, rng| {
        let components = ConjugateGaussians::new(data, &wrong).unwrap();
        draws(&CollapsedGibbs::new(&components, PartitionPrior::finite(3, 2.4).unwrap()), 10, |_| 0.0, rng)
    });
    let report = report.unwrap();
    assert!(!report.passes(1e-6), "{report}");
}
