//! The distributions of what states show.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod gaussian;
mod gaussian_mixtures;
mod mixtures;

use posterior_dist::{Categorical, Dirichlet, Gamma, Poisson};
use posterior_latent::mixture::{IncidentKind, MaximumLikelihood, MostProbable};
use posterior_math::linalg::DMatrix;
use posterior_sequence::Error;
use posterior_sequence::emission::{
    CategoricalEmissions, Distributions, Emissions, FixedEmissions, LearnEmissions, Sequence, Sequences,
};

fn table() -> CategoricalEmissions {
    let rows = [0.5, 0.5, 0.0, 0.0, 1e-300, 0.25, 0.75, 0.0, 1e-310, 0.5, 0.5, 0.0];
    let distributions = rows.chunks_exact(4).map(|row| Categorical::from_weights(row).unwrap());
    CategoricalEmissions::from_distributions(distributions.collect()).unwrap()
}

#[test]
fn symbols_are_looked_up_as_distributions_compute_them() {
    let (fast, slow) = (table(), table().to_distributions());
    let data = [0, 1, 2, 3, 2, 0];
    let (mut a, mut b) = (vec![f64::NAN; 12], vec![f64::NAN; 12]);
    fast.ln_densities(&data, 1..5, &mut a);
    slow.ln_densities(&data, 1..5, &mut b);
    assert_eq!(a, b);
    let (table, kinds) = fast.table(&data).unwrap();
    assert_eq!((table.states(), table.kinds(), kinds), (3, 4, &data[..]));
    for (k, ln) in table.ln_row(2).iter().enumerate() {
        assert_eq!(*ln, fast.distributions()[k].ln_probabilities()[2]);
    }
    // Distributions have no such route.
    assert!(slow.table(&data).is_none());
}

#[test]
fn wrong_symbols_and_tables_are_reported() {
    let sequences: Sequences<'_, [usize]> = [&[0, 1][..], &[2, 4, 9][..]].into_iter().collect();
    let error = sequences.check(&table()).unwrap_err().to_string();
    assert_eq!(error, "sequence 1, position 1: symbol 4 of 4");
    let sequences: Sequences<'_, [f64]> = [&[0.0, f64::NAN][..]].into_iter().collect();
    let distributions = Distributions::new(vec![Gamma::shape_rate(1.0, 1.0).unwrap()]).unwrap();
    assert!(matches!(
        sequences.check(&distributions),
        Err(Error::Observation { sequence: 0, position: 1, .. })
    ));
    for rows in [
        DMatrix::from_row_slice(1, 2, &[0.5, 0.4]),
        DMatrix::from_row_slice(1, 2, &[1.5, -0.5]),
        DMatrix::from_row_slice(1, 2, &[f64::NAN, 0.5]),
        DMatrix::zeros(0, 2),
        DMatrix::zeros(2, 0),
    ] {
        assert!(CategoricalEmissions::new(&rows).is_err());
    }
    let one = |n| Categorical::from_weights(&vec![1.0; n]).unwrap();
    assert!(CategoricalEmissions::from_distributions(vec![one(2), one(3)]).is_err());
    assert!(Distributions::<Poisson>::new(Vec::new()).is_err());
}

#[test]
fn masks_hide_observations_and_states() {
    let data = [0, 2, 1];
    let missing = [false, true, false];
    let sequence =
        Sequence::new(&data[..]).with_missing(&missing).with_states(&[None, Some(1), Some(2)], 3).unwrap();
    sequence.check(&table()).unwrap();
    let mut seen = vec![0.0; 9];
    sequence.ln_densities(&table(), 0..3, &mut seen);
    let mut bare = vec![0.0; 9];
    table().ln_densities(&data, 0..3, &mut bare);
    let no = f64::NEG_INFINITY;
    assert_eq!(seen, [bare[0], bare[1], bare[2], no, 0.0, no, no, no, bare[8]]);
    // A part of it.
    let mut part = vec![0.0; 3];
    sequence.ln_densities(&table(), 1..2, &mut part);
    assert_eq!(part, [no, 0.0, no]);
    assert!(Sequence::new(&data[..]).with_states(&[None, Some(3), None], 3).is_err());
    assert!(Sequence::new(&data[..]).with_missing(&missing[..2]).check(&table()).is_err());
    assert!(Sequence::new(&data[..]).with_allowed(&[true; 8]).check(&table()).is_err());
}

#[test]
fn counts_of_symbols_are_statistics_of_distributions() {
    let (fast, slow) = (table(), table().to_distributions());
    let data = [0, 1, 2, 2, 1];
    let proportions: Vec<f64> = (0..15).map(|i| f64::from((i * 7) % 5) / 4.0).collect();
    let prior = MostProbable::new(Dirichlet::new(&[1.5, 2.0, 1.0, 3.0]).unwrap(), 1.0).unwrap();
    let (mut a, mut b) = (prior.nothing(&fast), prior.nothing(&slow));
    prior.add(&mut a, &fast, &data, 0..2, &proportions[..6]).unwrap();
    prior.add(&mut b, &slow, &data, 0..2, &proportions[..6]).unwrap();
    let (mut more, mut rest) = (prior.nothing(&fast), prior.nothing(&slow));
    prior.add(&mut more, &fast, &data, 2..5, &proportions[6..]).unwrap();
    prior.add(&mut rest, &slow, &data, 2..5, &proportions[6..]).unwrap();
    LearnEmissions::<CategoricalEmissions>::merge(&prior, &mut a, &more).unwrap();
    LearnEmissions::<Distributions<Categorical>>::merge(&prior, &mut b, &rest).unwrap();
    let (learned, _) = prior.estimate(&a, &fast).unwrap();
    let (exact, _) = prior.estimate(&b, &slow).unwrap();
    assert_eq!(learned.to_distributions(), exact);
    assert_eq!(prior.ln_prior(&learned), prior.ln_prior(&exact));
    // Symbol 3 was not seen: (3 - 1) / (5 pushed proportions + Σ (α - 1)).
    let weight: f64 = proportions.iter().step_by(3).sum();
    assert!((learned.probability(0, 3) - 2.0 / (weight + 3.5)).abs() < 1e-15);
}

#[test]
fn a_state_without_observations_keeps_its_distribution() {
    let start = table();
    let mut counts = MaximumLikelihood.nothing(&start);
    MaximumLikelihood.add(&mut counts, &start, &[1, 2], 0..2, &[1.0, 0.0, 0.25, 1.0, 0.0, 0.75]).unwrap();
    let (learned, happened) = MaximumLikelihood.estimate(&counts, &start).unwrap();
    assert_eq!(happened, [(1, IncidentKind::Died)]);
    assert_eq!(learned.distributions()[1], start.distributions()[1]);
    assert_eq!(learned.probability(2, 2), 0.75);
    let (same, happened) = FixedEmissions.estimate(&(), &start).unwrap();
    assert!(same == start && happened.is_empty());
}

#[test]
fn points_outside_of_a_family_are_reported() {
    let distributions = Distributions::new(vec![Gamma::shape_rate(2.0, 1.0).unwrap()]).unwrap();
    let mut stats = MaximumLikelihood.nothing(&distributions);
    let error =
        MaximumLikelihood.add(&mut stats, &distributions, &[1.0, 1.0, -1.0], 1..3, &[1.0, 1.0]).unwrap_err();
    assert!(matches!(error, Error::Observation { position: 2, .. }));
}
