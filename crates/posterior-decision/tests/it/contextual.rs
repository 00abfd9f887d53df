//! Contextual bandits: against the regression of all data at once, and against enumeration.

use posterior_decision::contextual::off_policy::{
    Record, doubly_robust, inverse_propensity, self_normalized,
};
use posterior_decision::contextual::{ArmChoice, LinearArm, LinearPolicy};
use posterior_dist::stream::stream;
use posterior_math::linalg::{DMatrix, DVector};
use posterior_math::streaming::MeanVariance;
use posterior_regression::linear::{LinearData, WeightPrior, known_noise};
use rand::{Rng, RngExt};
use rand_distr::StandardNormal;

fn normal(rng: &mut impl Rng) -> f64 {
    rng.sample(StandardNormal)
}

/// Play by play is all at once: the regression of the sibling crate, and the formula of the paper.
#[test]
fn play_by_play_is_all_at_once() {
    let mut rng = stream(1, &[0]);
    let (rows, features, prior_sd, noise_sd) = (40, 4, 0.7, 0.3);
    let design = DMatrix::from_fn(rows, features, |_, _| normal(&mut rng));
    let rewards = DVector::from_fn(rows, |_, _| normal(&mut rng));
    let mut arm = LinearArm::new(features, prior_sd, noise_sd).unwrap();
    for row in 0..rows {
        let context: Vec<f64> = design.row(row).iter().copied().collect();
        arm.observe(&context, rewards[row]).unwrap();
    }
    let data = LinearData::new(&design, rewards.as_slice()).unwrap();
    let prior = WeightPrior::isotropic(features, prior_sd * prior_sd).unwrap();
    let batch = known_noise(&data, &prior, noise_sd * noise_sd).unwrap();
    assert!((batch.mean() - arm.weights()).amax() < 1e-13);
    let context = [0.3, -2.0, 1.0, 0.5];
    let x = DVector::from_column_slice(&context);
    let [mean, sd] = arm.predict(&context).unwrap();
    assert!((mean - x.dot(batch.mean())).abs() < 1e-13);
    assert!((sd - x.dot(&(batch.covariance() * &x)).sqrt()).abs() < 1e-13);
    assert_eq!(arm.plays(), 40);
}

/// Draws have the posterior's mean and covariance: 20,000 of them, five standard errors.
#[test]
fn draws_are_those_of_the_posterior() {
    let mut arm = LinearArm::new(2, 1.0, 1.0).unwrap();
    for context in [[1.0, 2.0], [0.5, -1.0], [2.0, 0.1]] {
        arm.observe(&context, 1.0).unwrap();
    }
    let mut rng = stream(2, &[0]);
    let context = [1.0, 1.5];
    let values: MeanVariance =
        (0..20_000).map(|_| arm.draw(2.0, &mut rng).dot(&DVector::from_column_slice(&context))).collect();
    let [mean, sd] = arm.predict(&context).unwrap();
    let root = 20_000_f64.sqrt();
    assert!((values.mean() - mean).abs() < 5.0 * 2.0 * sd / root);
    assert!((values.variance().sqrt() / (2.0 * sd) - 1.0).abs() < 5.0 / (2.0_f64.sqrt() * root));
}

/// LinUCB's index in the paper's terms: θᵀx + α √(xᵀ A⁻¹ x), A = I + Σ xxᵀ; ties go to the first arm.
#[test]
fn the_index_is_that_of_the_paper() {
    let policy = LinearPolicy::new(ArmChoice::UpperBound { width: 0.5 });
    let mut agent = policy.start(2, 1).unwrap();
    let mut rng = stream(0, &[]);
    assert_eq!(agent.choose(&[2.0], &mut rng).unwrap(), 0);
    agent.observe(1, &[2.0], 1.0).unwrap();
    let advice = agent.advise(&[3.0], &mut rng).unwrap();
    // A = 1 + 4, b = 2.
    let expected = [0.5 * 3.0, 0.4 * 3.0 + 0.5 * (9.0_f64 / 5.0).sqrt()];
    for (reason, expected) in advice.reasons.iter().zip(expected) {
        assert!((reason.index - expected).abs() < 1e-15);
    }
    assert_eq!((advice.choice, advice.reasons[1].plays), (1, 1));
}

/// Both policies learn: the regret of the second half of 2000 plays is a small part of that of chance.
#[test]
fn contexts_are_learned() {
    let mut rng = stream(3, &[0]);
    let weights: Vec<DVector<f64>> = (0..3).map(|_| DVector::from_fn(4, |_, _| normal(&mut rng))).collect();
    for choice in [ArmChoice::UpperBound { width: 1.0 }, ArmChoice::Draw { scale: 1.0 }] {
        let mut agent = LinearPolicy { noise_sd: 0.5, ..LinearPolicy::new(choice) }.start(3, 4).unwrap();
        let (mut regret, mut chance) = (0.0, 0.0);
        for play in 0..2000 {
            let context: Vec<f64> = (0..4).map(|_| normal(&mut rng)).collect();
            let x = DVector::from_column_slice(&context);
            let values: Vec<f64> = weights.iter().map(|w| w.dot(&x)).collect();
            let best = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let arm = agent.choose(&context, &mut rng).unwrap();
            agent.observe(arm, &context, values[arm] + 0.5 * normal(&mut rng)).unwrap();
            if play >= 1000 {
                regret += best - values[arm];
                chance += best - values.iter().sum::<f64>() / 3.0;
            }
        }
        assert!(regret < 0.02 * chance, "{choice:?} {regret} {chance}");
    }
}

/// All that can happen in one play, with its probability: two contexts, three arms, rewards of zero and one.
fn enumerate(visit: &mut dyn FnMut(f64, usize, usize, f64)) {
    for (context, of_context) in [0.3, 0.7].into_iter().enumerate() {
        for arm in 0..3 {
            for reward in [0.0, 1.0] {
                let success = TRUTH[context][arm];
                let chance = if reward == 1.0 { success } else { 1.0 - success };
                visit(of_context * LOGGED[context][arm] * chance, context, arm, reward);
            }
        }
    }
}

const TRUTH: [[f64; 3]; 2] = [[0.9, 0.5, 0.1], [0.2, 0.6, 0.3]];
const LOGGED: [[f64; 3]; 2] = [[0.2, 0.3, 0.5], [0.6, 0.1, 0.3]];
const TARGET: [[f64; 3]; 2] = [[0.7, 0.2, 0.1], [0.0, 0.9, 0.1]];
const WRONG: [[f64; 3]; 2] = [[0.3, 0.3, 0.4], [0.2, 0.5, 0.3]];

fn dot(a: &[f64; 3], b: &[f64; 3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[test]
fn estimates_have_the_expectations_that_are_promised() {
    let truth = 0.3 * dot(&TARGET[0], &TRUTH[0]) + 0.7 * dot(&TARGET[1], &TRUTH[1]);
    let [mut plain, mut by_wrong_model, mut by_wrong_propensity, mut both_wrong] = [0.0; 4];
    enumerate(&mut |probability, context, arm, reward| {
        let record = Record::new(reward, LOGGED[context][arm], TARGET[context][arm]).unwrap();
        let wrong = Record::new(reward, WRONG[context][arm], TARGET[context][arm]).unwrap();
        let model = |q: &[[f64; 3]; 2]| (q[context][arm], dot(&TARGET[context], &q[context]));
        let value = |record: Record, (own, target): (f64, f64)| {
            doubly_robust(&[record.with_model(own, target).unwrap()]).unwrap().value
        };
        plain += probability * inverse_propensity(&[record]).unwrap().value;
        by_wrong_model += probability * value(record, model(&WRONG));
        by_wrong_propensity += probability * value(wrong, model(&TRUTH));
        both_wrong += probability * value(wrong, model(&WRONG));
    });
    for found in [plain, by_wrong_model, by_wrong_propensity] {
        assert!((found - truth).abs() < 1e-15, "{found} {truth}");
    }
    assert!((both_wrong - truth).abs() > 0.01);
}

#[test]
fn estimates_of_many_records_are_near_the_truth() {
    let mut rng = stream(4, &[0]);
    let truth = 0.3 * dot(&TARGET[0], &TRUTH[0]) + 0.7 * dot(&TARGET[1], &TRUTH[1]);
    let records: Vec<Record> = (0..20_000)
        .map(|_| {
            let context = usize::from(rng.random::<f64>() >= 0.3);
            let u = rng.random::<f64>();
            let arm = usize::from(u >= LOGGED[context][0])
                + usize::from(u >= LOGGED[context][0] + LOGGED[context][1]);
            let reward = f64::from(u8::from(rng.random::<f64>() < TRUTH[context][arm]));
            let record = Record::new(reward, LOGGED[context][arm], TARGET[context][arm]).unwrap();
            record.with_model(TRUTH[context][arm], dot(&TARGET[context], &TRUTH[context])).unwrap()
        })
        .collect();
    let estimates = [inverse_propensity, self_normalized, doubly_robust].map(|f| f(&records).unwrap());
    for estimate in estimates {
        // Five standard errors: missed once in two million times.
        assert!((estimate.value - truth).abs() < 5.0 * estimate.standard_error, "{estimate:?} {truth}");
        assert!(estimate.effective_records > 1000.0 && estimate.effective_records < 20_000.0);
    }
    // The right model takes variance away.
    assert!(estimates[2].standard_error < 0.8 * estimates[0].standard_error);
    // Rewards that are all moved by 10: the normalised estimate moves by as much.
    let moved: Vec<Record> =
        records.iter().map(|r| Record::new(r.reward + 10.0, r.propensity, r.target).unwrap()).collect();
    assert!((self_normalized(&moved).unwrap().value - estimates[1].value - 10.0).abs() < 1e-11);
}

/// Intervals of 95 % hold the truth in 95 % of logs with 180 effective records, and in 91 to 99 % with 10 to
/// 20, where normal intervals hold it in 80 to 90 %.
#[test]
fn intervals_are_covered_by_simulation() {
    let run = |seed: u64, (count, chosen, target): (usize, f64, f64), numbers: bool| {
        let mut rng = stream(21, &[seed]);
        let mut record = |_| {
            let first = rng.random::<f64>() < chosen;
            let mean = if first { 0.5 } else { 0.2 };
            let reward = if numbers {
                mean + 0.5 * normal(&mut rng)
            } else {
                f64::from(u8::from(rng.random::<f64>() < mean))
            };
            let [propensity, target] = [chosen, target].map(|p| if first { p } else { 1.0 - p });
            Record::new(reward, propensity, target).unwrap()
        };
        (0..count).map(&mut record).collect::<Vec<_>>()
    };
    for (log, least) in [((200, 0.5, 0.9), 0.935), ((200, 0.1, 1.0), 0.91), ((200, 0.05, 0.9), 0.91)] {
        for numbers in [false, true] {
            let truth = log.2 * 0.5 + (1.0 - log.2) * 0.2;
            let (mut held, mut all) = ([0.0; 2], [0.0; 2]);
            for seed in 0..2000 {
                let records = run(seed, log, numbers);
                let found = [inverse_propensity(&records), self_normalized(&records)];
                for (place, own) in found.into_iter().enumerate() {
                    let Some([low, high]) = own.unwrap().interval(0.95).unwrap() else { continue };
                    all[place] += 1.0;
                    held[place] += f64::from(u8::from(low <= truth && truth <= high));
                }
            }
            for place in 0..2 {
                let covered = held[place] / all[place];
                println!("{log:?} numbers {numbers} {place}: {covered:.3} of {}", all[place]);
                assert!((least..0.995).contains(&covered), "{log:?} {numbers} {place} {covered}");
            }
        }
    }
    let few = [Record::new(1.0, 0.5, 1.0).unwrap(); 9];
    assert_eq!(inverse_propensity(&few).unwrap().interval(0.95).unwrap(), None);
}

#[test]
fn nonsense_is_refused() {
    assert!(LinearArm::new(0, 1.0, 1.0).is_err() && LinearArm::new(1, 0.0, 1.0).is_err());
    assert!(LinearArm::new(1, 1.0, f64::NAN).is_err() && LinearArm::new(1, 1e200, 1.0).is_err());
    let policy = LinearPolicy::new(ArmChoice::UpperBound { width: -1.0 });
    assert!(policy.start(2, 1).is_err());
    let policy = LinearPolicy::new(ArmChoice::Draw { scale: 1.0 });
    assert!(policy.start(0, 1).is_err());
    let mut agent = policy.start(2, 2).unwrap();
    let before = agent.clone();
    assert!(agent.observe(2, &[0.0, 1.0], 1.0).is_err() && agent.observe(0, &[1.0], 1.0).is_err());
    assert!(
        agent.observe(0, &[1.0, f64::NAN], 1.0).is_err() && agent.observe(0, &[1.0, 1.0], f64::NAN).is_err()
    );
    assert!(agent.observe(0, &[1e300, 1.0], 1e300).is_err() && agent.observe(0, &[1e200, 1.0], 1.0).is_err());
    assert_eq!(agent, before);
    assert!(Record::new(1.0, 0.0, 0.5).is_err() && Record::new(1.0, 0.5, 1.5).is_err());
    assert!(inverse_propensity(&[]).is_err());
    let absent = [Record::new(1.0, 0.5, 0.0).unwrap(); 2];
    assert!(self_normalized(&absent).is_err());
    assert_eq!(inverse_propensity(&absent).unwrap().effective_records, 0.0);
}
