//! Concentrations drawn with the topics: the joint posterior by enumeration and quadrature, calibration from
//! the prior, and fits.

use posterior_dist::stream::stream;
use posterior_dist::{Dirichlet, Gamma};
use posterior_math::iteration::Silent;
use posterior_sampling::Draws;
use posterior_testkit::significance::{LEVEL, chi_square_p_value};
use posterior_topics::lda::gibbs::{self, LdaGibbs, LdaGibbsCheckpoint, LdaGibbsOptions};
use posterior_topics::lda::{ConcentrationPrior, Hyperparameters, Lda, Seed};
use posterior_topics::{Corpus, TopicModel};
use rand::distr::Distribution;
use rand::{Rng, RngExt};

use super::toy;
use crate::lda::variational::fitting::planted;
use crate::stopping::{StopAfter, refused_parameter};

/// a (a + 1) .. (a + n - 1).
fn rise(a: f64, n: usize) -> f64 {
    (0..n).map(|i| a + i as f64).product()
}

/// Logarithms from -14 to 4, and the prior probability of the cell around each.
fn grid([shape, rate]: [f64; 2], step: f64) -> Vec<(f64, f64)> {
    let points = (18.0 / step) as usize;
    let mut cells: Vec<(f64, f64)> = (0..=points)
        .map(|i| {
            let x = -14.0 + step * i as f64;
            (x.exp(), (shape * x - rate * x.exp()).exp())
        })
        .collect();
    let all: f64 = cells.iter().map(|(_, p)| p).sum();
    for (_, p) in &mut cells {
        *p /= all;
    }
    cells
}

/// Tokens by topic in each document, and by topic and word.
fn counts(state: usize) -> ([[usize; 2]; 2], [[usize; 3]; 2]) {
    let (mut documents, mut words) = ([[0; 2]; 2], [[0; 3]; 2]);
    for (&topic, (d, v)) in toy::topics(state).iter().zip(toy::PLACES) {
        documents[d][usize::from(topic)] += 1;
        words[usize::from(topic)][v] += 1;
    }
    (documents, words)
}

/// p(Z, alpha on this side of 1 for each topic, beta on this side of 1 | W) of every state: by cells
/// `4 above_0 + 2 above_1 + above_beta + 8 state`.
fn exact(prior: &ConcentrationPrior) -> Vec<f64> {
    let (alphas, betas) = (grid(prior.alpha, 0.05), grid(prior.beta, 0.01));
    let mut joint = vec![0.0; 8 * toy::STATES];
    for state in 0..toy::STATES {
        let (documents, words) = counts(state);
        let mut sides = [0.0; 4];
        for &(a, p) in &alphas {
            for &(b, q) in &alphas {
                if !prior.asymmetric && a != b {
                    continue;
                }
                let q = if prior.asymmetric { q } else { 1.0 };
                let topics = documents.map(|n| rise(a, n[0]) * rise(b, n[1]) / rise(a + b, 3));
                sides[2 * usize::from(a > 1.0) + usize::from(b > 1.0)] += p * q * topics[0] * topics[1];
            }
        }
        let mut below_above = [0.0; 2];
        for &(b, p) in &betas {
            let topic = |n: [usize; 3]| {
                n.iter().map(|&n| rise(b, n)).product::<f64>() / rise(3.0 * b, n.iter().sum())
            };
            below_above[usize::from(b > 1.0)] += p * topic(words[0]) * topic(words[1]);
        }
        for (side, p) in sides.iter().enumerate() {
            for (above, q) in below_above.iter().enumerate() {
                joint[8 * state + 2 * side + above] = p * q;
            }
        }
    }
    let all: f64 = joint.iter().sum();
    joint.iter().map(|p| p / all).collect()
}

/// Cells with fewer than ten expected visits are counted together.
fn merged(visits: &[u64], expected: &[f64]) -> (Vec<u64>, Vec<f64>) {
    let (mut rest, mut rest_expected) = (0, 0.0);
    let (mut seen, mut awaited) = (Vec::new(), Vec::new());
    for (&n, &e) in visits.iter().zip(expected) {
        if e < 10.0 {
            rest += n;
            rest_expected += e;
        } else {
            seen.push(n);
            awaited.push(e);
        }
    }
    if rest_expected > 10.0 {
        seen.push(rest);
        awaited.push(rest_expected);
    }
    (seen, awaited)
}

/// The joint of topics, `alpha` and `beta` on the toy corpus. False alarm: one in a million seeds, if draws
/// twenty sweeps apart are independent.
#[test]
fn topics_and_concentrations_follow_their_exact_joint_posterior() {
    let corpus = toy::corpus();
    for (asymmetric, groups) in [(true, 1), (true, 2), (false, 1)] {
        let prior = ConcentrationPrior { asymmetric, alpha: [3.0, 2.5], beta: [3.0, 2.0] };
        let options = LdaGibbsOptions {
            groups: Some(groups),
            seed: 5,
            concentration_prior: Some(prior),
            ..toy::options()
        };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let draws = 6_000;
        let visits = pool.install(|| {
            let mut chain = LdaGibbs::new(&corpus, &options).unwrap();
            let mut visits = vec![0; 8 * toy::STATES];
            for _ in 0..draws {
                for _ in 0..20 {
                    chain.sweep();
                    chain.draw_hyperparameters(&prior).unwrap();
                }
                let above = |x: f64| usize::from(x > 1.0);
                let side = 4 * above(chain.alpha()[0]) + 2 * above(chain.alpha()[1]) + above(chain.beta());
                visits[8 * toy::state(&chain.assignments()) + side] += 1;
            }
            visits
        });
        let expected: Vec<f64> = exact(&prior).iter().map(|p| p * f64::from(draws)).collect();
        let (seen, awaited) = merged(&visits, &expected);
        assert!(seen.len() > 40, "{}", seen.len());
        let p = chi_square_p_value(&seen, &awaited);
        assert!(p > LEVEL, "asymmetric {asymmetric}, {groups} groups: p = {p}");
    }
}

const TOPICS: usize = 3;
const WORDS: usize = 5;
const PRIOR: ConcentrationPrior =
    ConcentrationPrior { asymmetric: true, alpha: [2.0, 2.0], beta: [2.0, 4.0] };

/// Concentrations from the prior, and a corpus from them: 8 documents of 10 tokens.
fn simulate(rng: &mut impl Rng) -> (Vec<f64>, f64, Corpus) {
    let gamma = |[shape, rate]: [f64; 2]| Gamma::shape_rate(shape, rate).unwrap();
    let alpha: Vec<f64> = (0..TOPICS).map(|_| gamma(PRIOR.alpha).sample(rng)).collect();
    let beta: f64 = gamma(PRIOR.beta).sample(rng);
    let words = Dirichlet::new(&[beta; WORDS]).unwrap();
    let phi: Vec<Vec<f64>> = (0..TOPICS).map(|_| words.sample(rng)).collect();
    let pick = |p: &[f64], rng: &mut dyn Rng| {
        let mut left: f64 = rng.random();
        let found = p.iter().position(|p| {
            left -= p;
            left < 0.0
        });
        found.unwrap_or(p.len() - 1)
    };
    let rows = (0..8).map(|_| {
        let theta = Dirichlet::new(&alpha).unwrap().sample(rng);
        (0..10)
            .map(|_| {
                let topic = pick(&theta, &mut *rng);
                (pick(&phi[topic], &mut *rng) as u32, 1)
            })
            .collect()
    });
    let rows = rows.collect();
    let names = |n: usize| (0..n).map(|i| i.to_string()).collect();
    (alpha, beta, Corpus::from_rows(names(WORDS), names(8), rows).unwrap())
}

/// What is ranked: one concentration, the sum and the least of all, and that of the words.
fn summaries(alpha: &[f64], beta: f64) -> [f64; 4] {
    let least = alpha.iter().copied().fold(f64::INFINITY, f64::min);
    [alpha[0], alpha.iter().sum(), least, beta]
}

/// False alarm: four in a million seeds.
#[test]
fn concentrations_from_the_prior_rank_uniformly() {
    const DRAWS: usize = 19;
    let mut seen = [[0_u64; DRAWS + 1]; 4];
    let corpora = 400;
    for seed in 0..corpora {
        let mut rng = stream(seed, &[7]);
        let (alpha, beta, corpus) = simulate(&mut rng);
        let options = LdaGibbsOptions {
            topics: TOPICS,
            alpha: 1.0.into(),
            beta: 0.5,
            seed,
            ..LdaGibbsOptions::default()
        };
        let mut chain = LdaGibbs::new(&corpus, &options).unwrap();
        let truth = summaries(&alpha, beta);
        let mut ranks = [0; 4];
        for draw in 0..DRAWS + 4 {
            for _ in 0..10 {
                chain.sweep();
                chain.draw_hyperparameters(&PRIOR).unwrap();
            }
            // The first forty sweeps find the posterior distribution.
            if draw >= 4 {
                let drawn = summaries(chain.alpha(), chain.beta());
                ranks.iter_mut().zip(drawn.iter().zip(truth)).for_each(|(rank, (drawn, truth))| {
                    *rank += usize::from(*drawn < truth);
                });
            }
        }
        seen.iter_mut().zip(ranks).for_each(|(seen, rank)| seen[rank] += 1);
    }
    for (seen, what) in seen.iter().zip(["alpha_0", "sum", "least", "beta"]) {
        let expected = [corpora as f64 / (DRAWS + 1) as f64; DRAWS + 1];
        let p = chi_square_p_value(seen, &expected);
        assert!(p > LEVEL, "{what}: p = {p}, {seen:?}");
    }
}

/// Intervals as a fit reports them hold the truth as often as they say: 4.5 standard deviations of the
/// number of 200 would be 19.
#[test]
fn ninety_percent_intervals_hold_the_truth() {
    let mut held = [0; 2];
    for seed in 0..200 {
        let mut rng = stream(seed, &[8]);
        let (alpha, beta, corpus) = simulate(&mut rng);
        let options = LdaGibbsOptions {
            topics: TOPICS,
            iterations: 500,
            trace_every: 500,
            concentration_prior: Some(PRIOR),
            seed,
            threads: 1,
            ..LdaGibbsOptions::default()
        };
        let model = gibbs::fit(&corpus, &options, &mut Silent).unwrap().model;
        let draws = model.concentration_draws().unwrap();
        let sums = draws.map(["sum", "beta"], |row, out| {
            out.copy_from_slice(&[row[..TOPICS].iter().sum(), row[TOPICS]]);
        });
        let summary = sums.unwrap().summary_of_level(0.9).unwrap();
        for ((held, own), truth) in held.iter_mut().zip(&summary.parameters).zip([alpha.iter().sum(), beta]) {
            let (low, high) = (own.low.unwrap(), own.high.unwrap());
            *held += usize::from((low..=high).contains(&truth));
        }
    }
    assert!(held.iter().all(|held| (161..=199).contains(held)), "{held:?}");
}

fn options(topics: usize, iterations: usize, prior: ConcentrationPrior) -> LdaGibbsOptions {
    let concentration_prior = Some(prior);
    LdaGibbsOptions { topics, iterations, concentration_prior, draws: 4, ..LdaGibbsOptions::default() }
}

fn mean(draws: &Draws, name: &str) -> f64 {
    let chain = draws.named(name).unwrap().concat();
    chain.iter().sum::<f64>() / chain.len() as f64
}

#[test]
fn a_fit_keeps_draws_of_the_second_half() {
    let corpus = planted(60, 40, 5);
    let own = options(3, 90, ConcentrationPrior::default());
    let fitted = gibbs::fit(&corpus, &own, &mut Silent).unwrap();
    let draws = fitted.model.concentration_draws().unwrap();
    assert_eq!(draws.names(), ["alpha_0", "alpha_1", "alpha_2", "beta"]);
    assert_eq!((draws.chains(), draws.len()), (1, 45));
    for k in 0..3 {
        assert!((fitted.model.alpha()[k] / mean(draws, &format!("alpha_{k}")) - 1.0).abs() < 1e-12);
    }
    assert!((fitted.model.beta() / mean(draws, "beta") - 1.0).abs() < 1e-12);
    let text = serde_json::to_string(&fitted.model).unwrap();
    let back: Lda = serde_json::from_str(&text).unwrap();
    assert_eq!(back, fitted.model);
    let damaged = text.replace("\"alpha_1\"", "\"alpha_9\"");
    let error = serde_json::from_str::<Lda>(&damaged).unwrap_err().to_string();
    assert!(error.starts_with("draws of concentrations must be positive"), "{error}");

    // One concentration for all topics; and words with concentrations of their own keep them.
    let symmetric = ConcentrationPrior { asymmetric: false, ..ConcentrationPrior::default() };
    let model = gibbs::fit(&corpus, &options(3, 60, symmetric), &mut Silent).unwrap().model;
    assert_eq!(model.concentration_draws().unwrap().names(), ["alpha", "beta"]);
    assert!(model.alpha().iter().all(|&a| a == model.alpha()[0]));
    let seeds = vec![Seed { topic: 1, word: 2, weight: 5.0 }];
    let guided =
        LdaGibbsOptions { word_weights: seeds.into(), ..options(3, 60, ConcentrationPrior::default()) };
    let model = gibbs::fit(&corpus, &guided, &mut Silent).unwrap().model;
    assert_eq!(model.concentration_draws().unwrap().names(), ["alpha_0", "alpha_1", "alpha_2"]);
    assert_eq!(model.beta(), guided.beta);
    let plain = LdaGibbsOptions { concentration_prior: None, ..own };
    assert!(gibbs::fit(&corpus, &plain, &mut Silent).unwrap().model.concentration_draws().is_none());
}

/// The draws have the order of the topics: a topic of all documents has a larger concentration than one of
/// few.
#[test]
fn draws_go_with_their_topics() {
    let rows = (0..60).map(|d| if d % 6 == 0 { vec![(0, 9), (1, 9)] } else { vec![(2, 12), (3, 10)] });
    let names = |n: usize| (0..n).map(|i| i.to_string()).collect();
    let corpus = Corpus::from_rows(names(4), names(60), rows.collect()).unwrap();
    for seed in 0..4 {
        let options = LdaGibbsOptions { seed, ..options(2, 200, ConcentrationPrior::default()) };
        let model = gibbs::fit(&corpus, &options, &mut Silent).unwrap().model;
        let draws = model.concentration_draws().unwrap();
        assert!(model.topics().topic_word()[(0, 2)] > 0.4);
        assert!(mean(draws, "alpha_0") > mean(draws, "alpha_1"), "seed {seed}");
    }
}

#[test]
fn neither_threads_nor_a_pause_change_the_draws() {
    let corpus = planted(60, 40, 5);
    let options = LdaGibbsOptions { groups: Some(3), ..options(3, 60, ConcentrationPrior::default()) };
    let whole = gibbs::fit(&corpus, &LdaGibbsOptions { threads: 1, ..options.clone() }, &mut Silent).unwrap();
    let many = gibbs::fit(&corpus, &LdaGibbsOptions { threads: 3, ..options.clone() }, &mut Silent).unwrap();
    assert_eq!(whole.model, many.model);
    for stop in [5, 25, 45] {
        let mut stopping = StopAfter::new(stop);
        let part = gibbs::fit(&corpus, &options, &mut stopping).unwrap();
        assert_eq!(part.model.concentration_draws().is_some(), stop > 30);
        let checkpoint = LdaGibbsCheckpoint::read_from(stopping.file.as_slice()).unwrap();
        let resumed = gibbs::resume(&corpus, &checkpoint, &mut Silent).unwrap();
        assert_eq!(resumed.model, whole.model, "stopped after {stop}");
    }
}

#[test]
fn priors_out_of_range_are_refused() {
    let corpus = toy::corpus();
    let refused = |options: LdaGibbsOptions| refused_parameter(gibbs::fit(&corpus, &options, &mut Silent));
    let bad = ConcentrationPrior { beta: [1.0, 0.0], ..ConcentrationPrior::default() };
    assert_eq!(
        refused(options(2, 5, bad)),
        "ConcentrationPrior: rate of beta = 0 must be from 1e-30 to 1e30"
    );
    let both = LdaGibbsOptions {
        hyperparameters: Hyperparameters::Optimized,
        ..options(2, 5, ConcentrationPrior::default())
    };
    assert!(refused(both).contains("drawn or fitted"));
    let symmetric = ConcentrationPrior { asymmetric: false, ..ConcentrationPrior::default() };
    let several = LdaGibbsOptions { alpha: vec![0.5, 0.7].into(), ..options(2, 5, symmetric) };
    assert!(refused(several).starts_with("ConcentrationPrior: alpha at the start[1] = 0.7 must be"));
}
