//! Predictions of counts that are not known yet hold what they promise, for rows of known and of new groups.

use posterior_dist::stream::stream;
use posterior_hierarchical::{HierarchicalFit, HierarchicalOptions, LatentMarginal, NewRows, Response as _};
use posterior_sampling::calibration::Ranks;
use rand::{Rng, RngExt as _};

use crate::calibration::{EACH, GROUPS, LEVEL, Simulated, draw, response, simulated, weight};

const PROMISE: f64 = 0.95;
/// Points of the predictor in standard deviations, to each side.
const POINTS: i32 = 40;
/// Intervals of equal probability in which counts are counted.
const CELLS: usize = 20;

/// P(Y < y) and P(Y ≤ y) of a response that is to come.
fn ends(family: &str, fit: &HierarchicalFit<'_>, predictor: &LatentMarginal, y: f64) -> [f64; 2] {
    let response = response(family);
    let (mut sums, mut total) = ([0.0; 2], 0.0);
    for (part, (_, natural)) in predictor.components().iter().zip(fit.points()) {
        for k in -POINTS..=POINTS {
            let z = 6.0 * f64::from(k) / f64::from(POINTS);
            let weight_of = part.weight * (-0.5 * z * z).exp();
            let own = response.cumulative(y, weight(family), part.mean + part.sd * z, &natural);
            sums.iter_mut().zip(own).for_each(|(sum, end)| *sum += weight_of * end);
            total += weight_of;
        }
    }
    sums.map(|sum| sum / total)
}

/// Whether the shortest interval with equal tails of at most 2.5 % holds y, the probability that it has, and
/// a number that is uniform if the prediction is right.
struct Judged {
    held: bool,
    nominal: f64,
    place: f64,
}

fn judged(family: &str, fit: &HierarchicalFit<'_>, predictor: &LatentMarginal, y: f64, u: f64) -> Judged {
    let tail = 0.5 * (1.0 - PROMISE);
    let step = weight(family).recip();
    let at = |count: f64| ends(family, fit, predictor, count);
    // The least count with P(Y ≤ count) of at least p, searched from the count that was seen.
    let least = |p: f64| {
        let mut count = y;
        while count > 0.0 && at(count)[0] >= p {
            count = (count - step).max(0.0);
        }
        while at(count)[1] < p {
            count += step;
        }
        count
    };
    let (low, high) = (least(tail), least(1.0 - tail));
    let [less, most] = at(y);
    Judged {
        held: low - 1e-9 <= y && y <= high + 1e-9,
        nominal: at(high)[1] - at(low)[0],
        place: less + u * (most - less),
    }
}

/// A row that was seen, a new row of its group, and a new row of a new group.
fn rows<R: Rng>(own: &Simulated, rng: &mut R) -> [Judged; 3] {
    let fit = own.model.fit(&HierarchicalOptions::default()).unwrap();
    let x: f64 = rng.random::<f64>() * 2.0 - 1.0;
    let new = NewRows::new(2).column("intercept", &[1.0; 2]).column("x", &[x; 2]).at("group", &[0, GROUPS]);
    let predictors = fit.predict(&new).unwrap();
    let parameter = own.own.map_or(1.0, |own| own.1);
    let mut judge = |predictor: &LatentMarginal, group: usize| {
        let eta = own.intercept + own.slope * x + own.groups[group];
        let y = draw(own.family, parameter, eta, rng);
        judged(own.family, &fit, predictor, y, rng.random())
    };
    let (known, unknown) = (judge(&predictors[0], 0), judge(&predictors[1], GROUPS));
    let seen = EACH - 1;
    let y = own.responses[seen];
    [judged(own.family, &fit, &fit.predictors()[seen], y, rng.random()), known, unknown]
}

fn hold(simulations: usize, seed: u64) {
    let mut wrong = Vec::new();
    for (k, family) in ["bernoulli", "binomial", "poisson", "negative binomial"].into_iter().enumerate() {
        let all: Vec<[Judged; 3]> = (0..simulations)
            .map(|simulation| {
                let mut rng = stream(seed, &[k as u64, simulation as u64]);
                rows(&simulated(family, &mut rng), &mut rng)
            })
            .collect();
        for (which, name) in ["a seen row", "a new row", "a new row of a new group"].into_iter().enumerate() {
            let held = all.iter().filter(|rows| rows[which].held).count() as f64;
            let nominal: f64 = all.iter().map(|rows| rows[which].nominal).sum();
            let variance: f64 =
                all.iter().map(|rows| rows[which].nominal * (1.0 - rows[which].nominal)).sum();
            let cell = |rows: &[Judged; 3]| ((rows[which].place * CELLS as f64) as usize).min(CELLS - 1);
            let p = Ranks::new(name, all.iter().map(cell).collect(), CELLS - 1).unwrap().p_value();
            let count = simulations as f64;
            println!("{family}, {name}: {} held, {} promised, p {p:.4}", held / count, nominal / count);
            // The predictor of a row that was seen is drawn to it: it is held more often.
            let off = (held - nominal) / variance.sqrt().max(0.5);
            if which > 0 && (off.abs() > 4.0 || p < LEVEL) || which == 0 && off < -4.0 {
                wrong.push(format!("{family}, {name}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
fn counts_to_come_are_held_as_often_as_promised() {
    hold(60, 41);
}

#[test]
#[ignore = "slow: minutes"]
fn counts_to_come_are_held_as_often_as_promised_in_many_simulations() {
    hold(600, 42);
}
