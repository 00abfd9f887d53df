//! Concentrations drawn from their priors, corpora drawn from the process: posteriors average to the priors.

use posterior_dist::choose;
use posterior_dist::stream::stream;
use posterior_dist::{Gamma, Univariate};
use posterior_testkit::significance::{LEVEL, kolmogorov_smirnov_p_value};
use posterior_topics::Corpus;
use posterior_topics::hdp::{DirectAssignment, Franchise, HdpOptions};
use rand::distr::Distribution;
use rand::{Rng, RngExt};

const VOCABULARY: usize = 4;
const BETA: f64 = 0.4;
const DOCUMENTS: usize = 5;
const LENGTH: usize = 8;
const CORPORA: u64 = 1000;
const SWEEPS: usize = 50;
const ALPHA_PRIOR: [f64; 2] = [3.0, 2.0];
const GAMMA_PRIOR: [f64; 2] = [2.0, 1.0];

/// A number with these weights.
fn pick(weights: &[f64], rng: &mut impl Rng) -> usize {
    choose(weights, rng.random::<f64>() * weights.iter().sum::<f64>()).unwrap()
}

/// A corpus by the franchise: tokens take tables, tables take topics, words are drawn from topics'
/// predictives.
fn simulate(alpha: f64, gamma: f64, rng: &mut impl Rng) -> Corpus {
    let mut topics: Vec<([u32; VOCABULARY], u32)> = Vec::new();
    let mut rows = Vec::new();
    for _ in 0..DOCUMENTS {
        let mut tables: Vec<(usize, u32)> = Vec::new();
        let mut row = Vec::new();
        for _ in 0..LENGTH {
            let mut weights: Vec<f64> = tables.iter().map(|&(_, customers)| f64::from(customers)).collect();
            weights.push(alpha);
            let table = pick(&weights, rng);
            if table == tables.len() {
                let mut weights: Vec<f64> = topics.iter().map(|&(_, tables)| f64::from(tables)).collect();
                weights.push(gamma);
                let topic = pick(&weights, rng);
                if topic == topics.len() {
                    topics.push(([0; VOCABULARY], 0));
                }
                topics[topic].1 += 1;
                tables.push((topic, 0));
            }
            tables[table].1 += 1;
            let counts = &mut topics[tables[table].0].0;
            let word = pick(&counts.map(|n| f64::from(n) + BETA), rng);
            counts[word] += 1;
            row.push((word as u32, 1));
        }
        rows.push(row);
    }
    let words = (0..VOCABULARY).map(|w| w.to_string()).collect();
    Corpus::from_rows(words, (0..DOCUMENTS).map(|d| d.to_string()).collect(), rows).unwrap()
}

/// Draws of α₀ and γ, one of each posterior, pooled over the corpora.
fn posterior_draws(mut last: impl FnMut(&Corpus, &HdpOptions) -> (f64, f64)) -> (Vec<f64>, Vec<f64>) {
    let distribution = |[shape, rate]: [f64; 2]| Gamma::shape_rate(shape, rate).unwrap();
    let draw = |seed: u64| {
        let mut rng = stream(seed, &[99]);
        let (alpha, gamma) =
            (distribution(ALPHA_PRIOR).sample(&mut rng), distribution(GAMMA_PRIOR).sample(&mut rng));
        let corpus = simulate(alpha, gamma, &mut rng);
        let options = HdpOptions {
            initial_topics: 3,
            alpha_prior: Some(ALPHA_PRIOR),
            gamma_prior: Some(GAMMA_PRIOR),
            beta: BETA,
            seed,
            ..HdpOptions::default()
        };
        last(&corpus, &options)
    };
    (0..CORPORA).map(draw).unzip()
}

fn check((alphas, gammas): (Vec<f64>, Vec<f64>)) {
    for (draws, [shape, rate]) in [(alphas, ALPHA_PRIOR), (gammas, GAMMA_PRIOR)] {
        let distribution = Gamma::shape_rate(shape, rate).unwrap();
        let p = kolmogorov_smirnov_p_value(&draws, |x| distribution.cdf(x));
        println!("p = {p}");
        assert!(p > LEVEL, "p = {p}");
    }
}

/// False alarm: two in a million seeds.
#[test]
fn direct_assignment_learns_concentrations_that_average_to_the_priors() {
    check(posterior_draws(|corpus, options| {
        let mut chain = DirectAssignment::new(corpus, options).unwrap();
        (0..SWEEPS).for_each(|_| chain.sweep());
        (chain.concentrations().alpha, chain.concentrations().gamma)
    }));
}

/// False alarm: two in a million seeds.
#[test]
fn the_franchise_learns_concentrations_that_average_to_the_priors() {
    check(posterior_draws(|corpus, options| {
        let mut chain = Franchise::new(corpus, options).unwrap();
        (0..SWEEPS).for_each(|_| chain.sweep());
        (chain.concentrations().alpha, chain.concentrations().gamma)
    }));
}
