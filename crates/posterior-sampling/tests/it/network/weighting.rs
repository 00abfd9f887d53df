//! Weights: their effective number, soft findings, warnings.

use posterior_inference::{Engine, JunctionTree, LnZ, Targets};
use posterior_pgm::{BayesianNetwork, Evidence};
use posterior_sampling::network::{ForwardSampling, NetworkGibbs};

use super::{alarm, network, var};

/// A cause with five independent, sharp symptoms.
fn symptoms() -> BayesianNetwork {
    let sharp: &[f64] = &[0.99, 0.01, 0.05, 0.95];
    network(
        6,
        &[
            (&[0], &[0.95, 0.05]),
            (&[0, 1], sharp),
            (&[0, 2], sharp),
            (&[1, 2, 3], &[0.9, 0.1, 0.5, 0.5, 0.4, 0.6, 0.01, 0.99]),
            (&[3, 4], sharp),
            (&[3, 5], sharp),
        ],
    )
}

#[test]
fn soft_findings_count_in_every_engine() {
    let model = symptoms();
    let seen = Evidence::of([(var(4), 1)])
        .with_likelihood(var(2), vec![0.2, 3.0])
        .with_likelihood(var(5), vec![2.0, 1.0]);
    let exact = JunctionTree::default().query(&model, &Targets::All, &seen).unwrap();
    let engines: [Box<dyn Fn() -> posterior_inference::Beliefs>; 3] = [
        Box::new(|| ForwardSampling::default().query(&model, &Targets::All, &seen).unwrap()),
        Box::new(|| {
            (ForwardSampling { draws: 200_000, ..ForwardSampling::logic_sampling() })
                .query(&model, &Targets::All, &seen)
                .unwrap()
        }),
        Box::new(|| {
            NetworkGibbs { draws: 20_000, ..NetworkGibbs::default() }
                .query(&model, &Targets::All, &seen)
                .unwrap()
        }),
    ];
    for engine in engines {
        let beliefs = engine();
        for v in 0..6 {
            let exact = exact.marginal(var(v)).unwrap();
            for (state, p) in beliefs.marginal(var(v)).unwrap().iter().enumerate() {
                let error = beliefs.standard_errors(var(v)).unwrap()[state];
                assert!((p - exact[state]).abs() <= 4.0 * error, "{v} {state}: {p} {}", exact[state]);
            }
        }
        if let LnZ::Estimate { value, standard_error } = beliefs.ln_z() {
            assert!((value - exact.ln_z().value()).abs() < 4.0 * standard_error);
        }
    }
}

/// The weight of the cause and its effects, by hand: X0 is drawn from its prior, X1 and X2 from their tables,
/// seen ones weigh.
#[test]
fn the_effective_number_is_that_of_the_exact_weights() {
    // X1 = 1 was seen: it is completed by X0, so the only weight is p(X1 = 1) and all are equal.
    let beliefs =
        ForwardSampling::default().query(&symptoms(), &Targets::All, &Evidence::of([(var(1), 1)])).unwrap();
    let sampling = beliefs.report().sampling.clone().unwrap();
    assert!((sampling.effective_size - 100_000.0).abs() < 1e-3);
    let p_seen: f64 = 0.95 * 0.01 + 0.05 * 0.95;
    assert!((beliefs.ln_z().value() - p_seen.ln()).abs() < 1e-12);
    // X3 = 1 was seen: X2 is drawn with regard to it, given X1 that was not; E w² by hand.
    let beliefs =
        ForwardSampling::default().query(&symptoms(), &Targets::All, &Evidence::of([(var(3), 1)])).unwrap();
    let sampling = beliefs.report().sampling.clone().unwrap();
    let (mut first, mut second) = (0.0, 0.0);
    for (p_cause, p_symptom) in [(0.95, 0.01), (0.05, 0.95)] {
        for (p_one, ring) in [(1.0 - p_symptom, [0.1, 0.5]), (p_symptom, [0.6, 0.99])] {
            let w = (1.0 - p_symptom) * ring[0] + p_symptom * ring[1];
            first += p_cause * p_one * w;
            second += p_cause * p_one * w * w;
        }
    }
    let expected = first * first / second;
    let proportion = sampling.effective_size / 100_000.0;
    assert!((proportion - expected).abs() < 0.01, "{proportion} {expected}");
    assert!((beliefs.ln_z().value() - f64::ln(first)).abs() < 0.02);
}

#[test]
fn draws_that_are_worth_little_are_warned_of() {
    let few = ForwardSampling { draws: 300, ..ForwardSampling::default() };
    let beliefs = few.query(&symptoms(), &Targets::All, &Evidence::of([(var(3), 1)])).unwrap();
    assert!(beliefs.report().warnings[0].starts_with("300 weighted draws are worth only"));
    let few = ForwardSampling { draws: 100_000, ..ForwardSampling::logic_sampling() };
    let beliefs = few.query(&alarm(), &Targets::All, &Evidence::of([(var(2), 1)])).unwrap();
    assert!(beliefs.report().warnings[0].contains("of 100000 draws agree with the evidence"));
}

/// What nobody asked about is not drawn: the answer to a query about causes does not change with a barren
/// effect.
#[test]
fn barren_variables_are_not_drawn() {
    let engine = ForwardSampling { draws: 1000, ..ForwardSampling::default() };
    let small = network(2, &[(&[0], &[0.4, 0.6]), (&[0, 1], &[0.7, 0.3, 0.2, 0.8])]);
    let large = network(
        3,
        &[(&[0], &[0.4, 0.6]), (&[0, 1], &[0.7, 0.3, 0.2, 0.8]), (&[1, 2], &[0.5, 0.5, 0.1, 0.9])],
    );
    let targets = Targets::These(vec![var(0)]);
    let seen = Evidence::of([(var(1), 1)]);
    let [a, b] = [&small, &large].map(|model| engine.query(model, &targets, &seen).unwrap());
    assert_eq!(a.marginal(var(0)), b.marginal(var(0)));
    assert_eq!(b.marginal(var(2)), None);
}
