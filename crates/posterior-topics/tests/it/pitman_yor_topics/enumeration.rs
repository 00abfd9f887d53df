//! The exact distribution of the topics of six tokens, by all numbers of tables, by the definition of the
//! process.

use std::collections::BTreeMap;

use posterior_dist::PitmanYor;
use posterior_testkit::accuracy::{assert_all_close, assert_close};
use posterior_testkit::significance::{LEVEL, chi_square_p_value};
use posterior_topics::Corpus;
use posterior_topics::lda::gibbs;
use posterior_topics::pitman_yor_topics::{Base, PitmanYorGibbs, PitmanYorTopicsOptions};

const TOKENS: usize = 6;
const STATES: usize = 64;
const WORDS: usize = 3;
const ALPHA: f64 = 0.5;

/// Documents (0, 0, 1) and (0, 2, 2).
fn corpus() -> Corpus {
    let words = ["a", "b", "c"].map(str::to_owned).to_vec();
    let names = ["first", "second"].map(str::to_owned).to_vec();
    Corpus::from_rows(words, names, vec![vec![(0, 2), (1, 1)], vec![(0, 1), (2, 2)]]).unwrap()
}

const PLACES: [(usize, usize); TOKENS] = [(0, 0), (0, 0), (0, 1), (1, 0), (1, 2), (1, 2)];

fn options(base: Base, level: PitmanYor, base_level: PitmanYor) -> PitmanYorTopicsOptions {
    PitmanYorTopicsOptions {
        topics: 2,
        alpha: ALPHA.into(),
        base,
        level,
        base_level,
        prior: None,
        ..PitmanYorTopicsOptions::default()
    }
}

/// The weight of all ways in which `customers` sit at `tables` tables, each way the product over its tables
/// of (1 - d)(2 - d)…(size - 1 - d).
fn ways(customers: usize, tables: usize, discount: f64) -> f64 {
    match (customers, tables) {
        (0, 0) => 1.0,
        (0, _) | (_, 0) => 0.0,
        (c, t) => {
            ways(c - 1, t - 1, discount) + ((c - 1) as f64 - discount * t as f64) * ways(c - 1, t, discount)
        }
    }
}

/// θ (θ + d)…(θ + (t - 1) d)/(θ (θ + 1)…(θ + c - 1)).
fn restaurant(customers: usize, tables: usize, level: PitmanYor) -> f64 {
    let opened: f64 = (0..tables).map(|i| level.concentration() + level.discount() * i as f64).product();
    let seated: f64 = (0..customers).map(|i| level.concentration() + i as f64).product();
    opened / seated
}

/// The sum over all numbers of tables of these dishes of a restaurant, each with what its tables are worth.
fn over_tables(counts: &[usize], level: PitmanYor, worth: &mut dyn FnMut(&[usize]) -> f64) -> f64 {
    let mut tables: Vec<usize> = counts.iter().map(|&n| n.min(1)).collect();
    let mut sum = 0.0;
    loop {
        let dishes: f64 = counts.iter().zip(&tables).map(|(&n, &t)| ways(n, t, level.discount())).product();
        sum += dishes * restaurant(counts.iter().sum(), tables.iter().sum(), level) * worth(&tables);
        let Some(dish) = (0..counts.len()).find(|&dish| tables[dish] < counts[dish]) else { return sum };
        tables[dish] += 1;
        for before in 0..dish {
            tables[before] = counts[before].min(1);
        }
    }
}

/// p(W, Z) of state `s`, of which bit `i` is the topic of token `i`.
fn joint(s: usize, base: Base, level: PitmanYor, base_level: PitmanYor) -> f64 {
    let mut own = [[0_usize; 2]; 2];
    let mut counts = [[0_usize; WORDS]; 2];
    for (i, (d, w)) in PLACES.into_iter().enumerate() {
        own[d][s >> i & 1] += 1;
        counts[s >> i & 1][w] += 1;
    }
    let rising = |a: f64, n: usize| (0..n).map(|i| a + i as f64).product::<f64>();
    let topics: f64 = own
        .iter()
        .map(|own| rising(ALPHA, own[0]) * rising(ALPHA, own[1]) / rising(2.0 * ALPHA, 3))
        .product();
    let uniform = 1.0 / WORDS as f64;
    let words = over_tables(&counts[0], level, &mut |first| {
        over_tables(&counts[1], level, &mut |second| match base {
            Base::Shared => {
                let customers: Vec<usize> = first.iter().zip(second).map(|(a, b)| a + b).collect();
                over_tables(&customers, base_level, &mut |tables| {
                    uniform.powf(tables.iter().sum::<usize>() as f64)
                })
            }
            _ => uniform.powf((first.iter().sum::<usize>() + second.iter().sum::<usize>()) as f64),
        })
    });
    topics * words
}

fn level(discount: f64, concentration: f64) -> PitmanYor {
    PitmanYor::new(discount, concentration).unwrap()
}

/// False alarm: four in a million seeds.
#[test]
fn the_chain_draws_from_the_exact_distribution() {
    let corpus = corpus();
    let cases = [
        (Base::Uniform, level(0.5, 1.0), level(0.0, 1.0)),
        (Base::Uniform, level(0.8, 0.2), level(0.0, 1.0)),
        (Base::Shared, level(0.4, 2.0), level(0.6, 0.7)),
        (Base::Shared, level(0.0, 0.5), level(0.0, 3.0)),
    ];
    for (seed, (base, level, base_level)) in cases.into_iter().enumerate() {
        let exact: Vec<f64> = (0..STATES).map(|s| joint(s, base, level, base_level)).collect();
        let evidence: f64 = exact.iter().sum();
        let options = PitmanYorTopicsOptions { seed: seed as u64, ..options(base, level, base_level) };
        let mut chain = PitmanYorGibbs::new(&corpus, &options).unwrap();
        let (draws, mut seen) = (60_000, vec![0_u64; STATES]);
        for _ in 0..draws {
            (0..5).for_each(|_| chain.sweep());
            let state: usize = chain.assignments().iter().enumerate().map(|(i, &z)| (z as usize) << i).sum();
            seen[state] += 1;
        }
        let expected: Vec<f64> = exact.iter().map(|p| p / evidence * f64::from(draws)).collect();
        let p = chi_square_p_value(&seen, &expected);
        println!("{base:?} {level:?}: p = {p}");
        assert!(p > LEVEL, "{base:?} {level:?}: p = {p}");
    }
}

/// Every arrangement that chance makes of one token and of two has the probability that the definition gives
/// it.
#[test]
fn the_joint_of_one_token_and_of_two_are_those_by_hand() {
    let of = |count: u32| {
        let corpus =
            Corpus::from_rows(vec!["a".into(), "b".into()], vec!["d".into()], vec![vec![(0, count)]])
                .unwrap();
        let options =
            PitmanYorTopicsOptions { topics: 1, ..options(Base::Shared, level(0.25, 2.0), level(0.5, 3.0)) };
        let mut met = BTreeMap::new();
        for seed in 0..200 {
            let options = PitmanYorTopicsOptions { seed, ..options.clone() };
            let chain =
                PitmanYorGibbs::from_assignments(&corpus, &options, &vec![0; count as usize]).unwrap();
            let ln_joint = chain.ln_joint();
            met.insert(ln_joint.to_bits(), ln_joint);
        }
        met.into_values().collect::<Vec<f64>>()
    };
    assert_all_close(&of(1), &[0.5_f64.ln()], 1e-15);
    // One table: (1 - d)/(θ + 1) H. Two, of which the base has one or two: (θ + d)/(θ + 1) times (1 -
    // d₀)/(θ₀ + 1) H or (θ₀ + d₀)/(θ₀ + 1) H².
    let mut expected =
        [0.75 / 3.0 * 0.5, 2.25 / 3.0 * (0.5 / 4.0) * 0.5, 2.25 / 3.0 * (3.5 / 4.0) * 0.25].map(f64::ln);
    let mut found = of(2);
    expected.sort_by(f64::total_cmp);
    found.sort_by(f64::total_cmp);
    assert_all_close(&found, &expected, 1e-14);
}

/// Discount zero and a uniform base: latent Dirichlet allocation with beta = θ / V, in the distribution of
/// topics and in the words' probabilities.
#[test]
fn without_discount_it_is_latent_dirichlet_allocation() {
    let corpus = corpus();
    let lda = {
        let mut options = gibbs::LdaGibbsOptions {
            topics: 2,
            alpha: ALPHA.into(),
            beta: 0.7 / 3.0,
            ..gibbs::LdaGibbsOptions::default()
        };
        options.groups = Some(1);
        options
    };
    for s in 0..STATES {
        let topics: Vec<u16> = (0..TOKENS).map(|i| (s >> i & 1) as u16).collect();
        let chain = gibbs::LdaGibbs::from_assignments(&corpus, &lda, &topics).unwrap();
        let exact = joint(s, Base::Uniform, level(0.0, 0.7), level(0.0, 1.0));
        assert_close(exact.ln(), chain.ln_joint(), 1e-13);
        let topics: Vec<u32> = topics.into_iter().map(u32::from).collect();
        let options = options(Base::Uniform, level(0.0, 0.7), level(0.0, 1.0));
        let ours = PitmanYorGibbs::from_assignments(&corpus, &options, &topics).unwrap();
        for v in 0..WORDS {
            let expected: Vec<f64> = (0..2)
                .map(|k| {
                    let total = f64::from(ours.topic_counts()[k]);
                    (f64::from(chain.word_counts(v)[k]) + 0.7 / 3.0) / (total + 0.7)
                })
                .collect();
            assert_all_close(&ours.word_probabilities(v), &expected, 1e-15);
        }
    }
}
