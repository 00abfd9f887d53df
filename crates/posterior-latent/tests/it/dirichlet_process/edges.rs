//! One observation, equal data, more components than data, scales without measure, and what is refused.

use posterior_dist::{Gamma, PitmanYor, Poisson};
use posterior_gaussian::NormalInverseWishart;
use posterior_latent::Error;
use posterior_latent::dirichlet_process::{AuxiliaryGibbs, ProcessGibbs};
use posterior_latent::gibbs::{
    BlockedGibbs, CollapsedGibbs, ConjugateComponents, ConjugateGaussians, MixtureWeights, sample,
};
use posterior_latent::partition::{Partition, PartitionPrior};
use posterior_math::linalg::DMatrix;
use posterior_sampling::Run;

fn prior(p: usize, mean: f64, scale: f64) -> NormalInverseWishart {
    NormalInverseWishart::new(&vec![mean; p], 0.5, &(DMatrix::identity(p, p) * scale), p as f64 + 2.0)
        .unwrap()
}

fn run() -> Run {
    Run { chains: 2, warm_up: 10, draws: 30, seed: 2, ..Run::default() }
}

fn process() -> PitmanYor {
    PitmanYor::new(0.3, 1.0).unwrap()
}

#[test]
fn few_and_equal_data_and_many_components_are_sampled() {
    for n in [1, 2, 20] {
        let values = DMatrix::from_element(n, 2, 3.5);
        let components = ConjugateGaussians::new(&values, &prior(2, 0.0, 1.0)).unwrap();
        let sampled = [
            sample(&CollapsedGibbs::new(&components, PartitionPrior::finite(50, 0.1).unwrap()), &run()),
            sample(&BlockedGibbs::new(&components, MixtureWeights::dirichlet(50, 0.1).unwrap()), &run()),
            sample(&BlockedGibbs::new(&components, MixtureWeights::sticks(30, process()).unwrap()), &run()),
            sample(&ProcessGibbs::new(&components, process()), &run()),
            sample(&AuxiliaryGibbs::new(&components, process()), &run()),
        ];
        for sampled in sampled {
            let sampled = sampled.unwrap();
            assert!(sampled.partitions().iter().flatten().all(|draw| draw.len() == n && draw.blocks() >= 1));
            assert!(
                (0..sampled.draws().len()).all(|i| sampled.draws().draw(0, i).iter().all(|x| x.is_finite()))
            );
        }
        let one = sample(&CollapsedGibbs::new(&components, PartitionPrior::finite(1, 1.0).unwrap()), &run());
        assert!(one.unwrap().partitions().iter().flatten().all(|draw| draw.blocks() == 1));
        let one = sample(&BlockedGibbs::new(&components, MixtureWeights::dirichlet(1, 1.0).unwrap()), &run());
        assert!(one.unwrap().partitions().iter().flatten().all(|draw| draw.blocks() == 1));
    }
}

/// Units do not matter: data and prior times c have the same partitions, as long as squares are numbers.
#[test]
fn units_do_not_matter() {
    let rows = |c: f64| DMatrix::from_fn(12, 2, |i, j| c * (((3 * i + j) % 7) as f64 + 5.0 * (i % 2) as f64));
    let draws = |c: f64| {
        let components = ConjugateGaussians::new(&rows(c), &prior(2, 2.0 * c, c * c)).unwrap();
        sample(&ProcessGibbs::new(&components, process()), &run()).unwrap().partitions().to_vec()
    };
    let one = draws(1.0);
    for exponent in [-300, -40, 40, 300] {
        assert_eq!(draws(2_f64.powi(exponent)), one, "2^{exponent}");
    }
}

#[test]
fn numbers_beyond_their_range_are_an_error_and_no_panic() {
    let refused = ConjugateGaussians::new(&DMatrix::from_row_slice(2, 1, &[0.0, 1e200]), &prior(1, 0.0, 1.0));
    assert!(matches!(refused, Err(Error::Parameter(_))), "{refused:?}");
    // Large, and small beside the prior or far larger.
    for scale in [1.0, 1e-100, 1e280] {
        let values = DMatrix::from_row_slice(3, 1, &[1e140, -1e140, 0.0]);
        let Ok(components) = ConjugateGaussians::new(&values, &prior(1, 0.0, scale)) else { continue };
        let sampled = sample(&ProcessGibbs::new(&components, process()), &run()).unwrap();
        assert!(sampled.partitions().iter().flatten().all(|draw| draw.len() == 3));
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    for wrong in [f64::NAN, f64::INFINITY] {
        let values = DMatrix::from_row_slice(2, 1, &[1.0, wrong]);
        let refused = ConjugateGaussians::new(&values, &prior(1, 0.0, 1.0));
        assert!(matches!(refused, Err(Error::NotFinite { row: 1, .. })));
    }
    assert!(ConjugateGaussians::new(&DMatrix::zeros(0, 1), &prior(1, 0.0, 1.0)).is_err());
    let values = DMatrix::from_element(3, 1, 1.0);
    let refused = ConjugateGaussians::new(&values, &prior(2, 0.0, 1.0));
    assert!(matches!(
        refused,
        Err(Error::Dimension(posterior_math::DimensionError { expected: 2, found: 1, .. }))
    ));
    let components = ConjugateGaussians::new(&values, &prior(1, 0.0, 1.0)).unwrap();
    let two = CollapsedGibbs::new(&components, PartitionPrior::finite(2, 1.0).unwrap());
    assert!(two.start_at(&Partition::singletons(3)).is_err());
    assert!(two.start_at(&Partition::one_block(2)).is_err());
    assert!(two.conditional(&Partition::one_block(3), 3).is_err());
    assert!(components.predictive(&Partition::one_block(2), &PartitionPrior::process(process())).is_err());
    for run in [(Run { chains: 0, ..run() }), (Run { draws: 0, ..run() }), (Run { thin: 0, ..run() })] {
        assert!(matches!(sample(&two, &run), Err(Error::Parameter(_))));
    }
    assert!(AuxiliaryGibbs::new(&components, process()).with_auxiliary(0).is_err());
    assert!(MixtureWeights::sticks(0, process()).is_err() && MixtureWeights::dirichlet(0, 1.0).is_err());
    assert!(MixtureWeights::dirichlet(3, -1.0).is_err());
    assert!(
        MixtureWeights::dirichlet(3, 1.0)
            .unwrap()
            .draw_ln(&[1, 2], &mut posterior_dist::stream::stream(1, &[]))
            .is_err()
    );
    let gamma = Gamma::shape_rate(1.0, 1.0).unwrap();
    assert!(ConjugateComponents::<Poisson, _, _>::new(&[1_u64, 2], (), gamma).is_ok());
    // No data at all: nothing to do, and nothing goes wrong.
    let none = ConjugateComponents::<Poisson, _, _>::new(&[] as &[u64], (), gamma).unwrap();
    assert!(sample(&ProcessGibbs::new(&none, process()), &run()).unwrap().partitions()[0][0].is_empty());
}
