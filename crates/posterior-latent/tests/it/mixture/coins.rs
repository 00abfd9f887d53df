//! The bag of two coins, of which one is drawn in secret for every three tosses.

use posterior_dist::stream::stream;
use posterior_dist::{Binomial, Categorical, Density, ExponentialFamily, Mixture, Stats};
use posterior_inference::em::EmOptions;
use posterior_latent::mixture::{MaximumLikelihood, MixtureProblem};
use posterior_latent::variational::Points;
use posterior_math::iteration::Silent;
use posterior_testkit::accuracy::assert_within;

use super::steps;

/// HHH, TTH, HTT, HHT, HTT.
const HEADS: [u64; 5] = [3, 1, 1, 2, 1];

/// The golden likelihoods are of tosses in their order: of four of the draws there are three orders.
const ORDERS: f64 = 4.0 * 1.098_612_288_668_109_8;

fn bag(first: f64, a: f64, b: f64) -> Mixture<Binomial> {
    let coins = vec![Binomial::new(3, a).unwrap(), Binomial::new(3, b).unwrap()];
    Mixture::from_weights(&[first, 1.0 - first], coins).unwrap()
}

fn parameters(bag: &Mixture<Binomial>) -> [f64; 3] {
    let coin = |k: usize| bag.components()[k].probability();
    [bag.weights().probabilities()[0], coin(0), coin(1)]
}

#[test]
fn the_trace_is_the_printed_one() {
    let points = Points::new(&HEADS);
    let problem = MixtureProblem::<Binomial, _, _>::new(&points, 3, MaximumLikelihood).unwrap();
    let start = bag(0.5, 0.6, 0.4);
    let r = problem.responsibilities(&start).unwrap();
    for (row, expected) in [27.0 / 35.0, 0.4, 0.4, 0.6, 0.4].into_iter().enumerate() {
        assert_within(r[(row, 0)], expected, 1e-15);
        assert_within(r.row(row).sum(), 1.0, 1e-15);
    }
    let traces = [-10.447167001173, -10.395503111340, -10.384349207334, -10.377679375679];
    let models = [
        [0.5, 0.6, 0.4],
        [0.514285714286, 0.611111111111, 0.450980392157],
        [0.511978098798, 0.597545272084, 0.465969335445],
        [0.510664327019, 0.586943533026, 0.477386428051],
    ];
    for (count, model) in models.into_iter().enumerate() {
        let fitted = steps(&problem, start.clone(), count).unwrap();
        for (at, golden) in traces[..=count].iter().enumerate() {
            assert_within(fitted.report.trace[at] - ORDERS, *golden, 1e-11);
        }
        for (found, golden) in parameters(&fitted.model.mixture).into_iter().zip(model) {
            assert_within(found, golden, 1e-11);
        }
        assert_within(problem.ln_likelihood(&fitted.model.mixture).unwrap() - ORDERS, traces[count], 1e-11);
    }
}

#[test]
fn equal_coins_are_a_saddle_and_one_starts_elsewhere() {
    const SADDLE: f64 = -10.36384963970727;
    let points = Points::new(&HEADS);
    let problem = MixtureProblem::<Binomial, _, _>::new(&points, 3, MaximumLikelihood).unwrap();
    // Coins that are equal stay equal: the best of one coin.
    let equal = steps(&problem, bag(0.5, 0.5, 0.5), 50).unwrap();
    let [_, a, b] = parameters(&equal.model.mixture);
    assert_within(a, 8.0 / 15.0, 1e-14);
    assert_within(b, 8.0 / 15.0, 1e-14);
    assert_within(equal.report.trace[50] - ORDERS, SADDLE, 1e-12);
    // Coins that are nearly so creep towards it, from below.
    let near = steps(&problem, bag(0.5, 0.6, 0.4), 1000).unwrap();
    let last = near.report.trace[1000] - ORDERS;
    assert!(near.report.falls.is_empty() && last < SADDLE + 1e-9 && last > SADDLE - 1e-3, "{last}");
    // The global maximum lies on the edge: a coin with two heads.
    let start = bag(0.3, 0.8, 0.5);
    let best = problem.fit(
        start,
        &EmOptions { tolerance: 0.0, max_iterations: 20_000, ..EmOptions::default() },
        &mut Silent,
    );
    let best = best.unwrap();
    assert!(best.report.falls.is_empty());
    assert_within(best.report.trace.last().unwrap() - ORDERS, -10.28048338168, 2e-11);
    let [lambda, a, b] = parameters(&best.model.mixture);
    assert_within(lambda, 0.09913300150, 1e-8);
    assert_within(a, 1.0, 1e-8);
    assert_within(b, 0.48198050606, 1e-8);
}

#[test]
fn draws_leave_the_saddle_and_restarts_find_the_maximum() {
    // Each draw counts forty times, as components of five draws soon die: the saddle is at 40 * -10.36, the
    // maximum 3.3 above it.
    let many: Vec<u64> = HEADS.iter().flat_map(|&heads| [heads; 40]).collect();
    let points = Points::new(&many);
    let problem = MixtureProblem::<Binomial, _, _>::new(&points, 3, MaximumLikelihood).unwrap();
    let start = bag(0.5, 8.0 / 15.0, 8.0 / 15.0);
    let saddle = problem.ln_likelihood(&start).unwrap();
    let options = EmOptions { max_iterations: 1000, ..EmOptions::default() };
    let sampled = problem.fit_sampled(start.clone(), &options, &mut stream(1, &[]), &mut Silent).unwrap();
    assert_eq!(sampled.report.iterations(), 1000);
    let found = problem.ln_likelihood(&sampled.model.mixture).unwrap();
    assert!(found > saddle + 1.0, "{found} {saddle}");
    let soft = problem.fit(start, &options, &mut Silent).unwrap();
    assert_within(*soft.report.trace.last().unwrap(), saddle, 1e-9);

    let points = Points::new(&HEADS);
    let problem = MixtureProblem::<Binomial, _, _>::new(&points, 3, MaximumLikelihood).unwrap();
    let careful = EmOptions { tolerance: 1e-12, max_iterations: 20_000, ..EmOptions::default() };
    let best = problem.fit_best(2, 16, 3, &careful).unwrap();
    assert_within(best.best.report.trace.last().unwrap() - ORDERS, -10.28048338168, 1e-8);
    assert_eq!(best.outcomes.len(), 16);
    // Fit s has a stream of its own.
    let fewer = problem.fit_best(2, 3, 3, &careful).unwrap();
    assert_eq!(
        fewer.outcomes.iter().map(|o| o.as_ref().ok().copied()).collect::<Vec<_>>(),
        best.outcomes[..3].iter().map(|o| o.as_ref().ok().copied()).collect::<Vec<_>>()
    );
}

/// The hard objective by enumeration of all labels at the same parameters; it ends where no label moves.
#[test]
fn hard_em_is_the_best_labelling() {
    let points = Points::new(&HEADS);
    let problem = MixtureProblem::<Binomial, _, _>::new(&points, 3, MaximumLikelihood).unwrap();
    let fitted = problem.fit_hard(bag(0.5, 0.8, 0.4), &EmOptions::default(), &mut Silent).unwrap();
    assert!(fitted.report.converged() && fitted.report.falls.is_empty());
    // Three heads and two of three go together, with 5/6; 1 of 3 with 1/3.
    let [lambda, a, b] = parameters(&fitted.model.mixture);
    assert_within(lambda, 0.4, 1e-15);
    assert_within(a, 5.0 / 6.0, 1e-15);
    assert_within(b, 1.0 / 3.0, 1e-15);
    let ln_joint = |label: usize, heads: u64| {
        let (weight, p) = [(0.4, 5.0 / 6.0), (0.6, 1.0 / 3.0)][label];
        let (weight, p): (f64, f64) = (weight, p);
        weight.ln() + heads as f64 * p.ln() + (3 - heads) as f64 * (1.0 - p).ln()
    };
    let all = (0..32).map(|word: usize| {
        HEADS.iter().enumerate().map(|(i, &heads)| ln_joint(word >> i & 1, heads)).sum::<f64>()
    });
    let best = all.fold(f64::NEG_INFINITY, f64::max);
    assert_within(fitted.report.trace.last().unwrap() - ORDERS, best, 1e-13);
}

/// With paint: each draw shows the colour of its coin, which is tossed three times. Draws of each colour, and
/// heads and tosses of each, are all that counts: 6 + 7 free numbers.
#[test]
fn seven_colours_that_are_seen_are_counted() {
    // The colour of each draw, and its heads.
    const DRAWS: [(usize, u64); 12] =
        [(0, 2), (0, 1), (1, 3), (2, 0), (3, 2), (3, 3), (3, 1), (4, 1), (5, 2), (6, 0), (0, 3), (5, 1)];
    let colours = Stats::<Categorical>::of(7, &DRAWS.map(|draw| draw.0)).unwrap();
    let colours = Categorical::maximum_likelihood(&colours).unwrap();
    let coin = |colour: usize| {
        let heads: Vec<u64> = DRAWS.iter().filter(|draw| draw.0 == colour).map(|draw| draw.1).collect();
        Binomial::maximum_likelihood(&Stats::of(3, &heads).unwrap()).unwrap()
    };
    // Draws of each colour, and heads among their tosses, by hand.
    let counted = [(3, 6), (1, 3), (1, 0), (3, 6), (1, 1), (2, 3), (1, 0)];
    for (colour, (draws, heads)) in counted.into_iter().enumerate() {
        assert_within(colours.probabilities()[colour], f64::from(draws) / 12.0, 1e-15);
        assert_within(coin(colour).probability(), f64::from(heads) / f64::from(3 * draws), 1e-15);
    }
    // ln P(colour, H, H, T) = ln λ + 2 ln θ + ln(1 - θ), in this order of the three.
    let first = coin(0);
    let by_hand = 0.25_f64.ln() + 2.0 * (2.0 / 3.0_f64).ln() + (1.0 / 3.0_f64).ln();
    assert_within(colours.ln_pdf(&0) + first.ln_pdf(&2) - 3.0_f64.ln(), by_hand, 1e-14);
}
