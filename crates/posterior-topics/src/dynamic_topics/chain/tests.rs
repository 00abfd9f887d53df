//! The chain against enumeration and quadrature, and against draws from the model itself.

use posterior_dist::Dirichlet;
use posterior_sampling::calibration::{JointDistribution, SimulationModel};
use posterior_testkit::significance::{LEVEL, chi_square_p_value};
use rand::Rng;
use rand::distr::Distribution;
use rand_distr::StandardNormal;

use super::*;
use crate::lda::Concentration;

const ALPHA: [f64; 2] = [0.6, 1.1];
const FIRST: f64 = 2.0;
const PRIOR: [f64; 2] = [2.0, 0.8];

/// p(words | topic, drift) of a topic that has `n[t][v]` tokens of two words at two times, by quadrature over
/// the differences of both numbers: walks of twice the variance.
fn of_topic(n: [[f64; 2]; 2], drift: f64) -> f64 {
    let step = 0.15;
    let normal = |x: f64, variance: f64| (-0.5 * x * x / variance).exp() / variance.sqrt();
    let words = |u: f64, n: [f64; 2]| -n[0] * (-u).exp().ln_1p() - n[1] * u.exp().ln_1p();
    let mut sum = 0.0;
    for i in -60..=60 {
        let u = f64::from(i) * step;
        let first = normal(u, 2.0 * FIRST) * words(u, n[0]).exp();
        for j in -60..=60 {
            let w = f64::from(j) * step;
            sum += first * normal(w, 2.0 * drift) * words(u + w, n[1]).exp();
        }
    }
    sum * step * step / std::f64::consts::TAU
}

/// Documents (0, 0, 1) and (0, 1, 1) of two times, 64 states. False alarm: one in a million seeds, if draws
/// twenty sweeps apart are independent.
#[test]
fn topics_follow_their_exact_posterior() {
    let names = |n: usize| (0..n).map(|i| i.to_string()).collect();
    let rows = vec![vec![(0, 2), (1, 1)], vec![(0, 1), (1, 2)]];
    let corpus = Corpus::from_rows(names(2), names(2), rows).unwrap();
    let options = DynamicTopicsOptions {
        topics: 2,
        alpha: Concentration::Asymmetric(ALPHA.to_vec()),
        first_variance: FIRST,
        drift_prior: PRIOR,
        seed: 4,
        ..DynamicTopicsOptions::default()
    };
    let words = [0, 0, 1, 0, 1, 1];
    // The drift by its logarithm: the density of an inverse gamma, times the drift.
    let drifts: Vec<(f64, f64)> = (-25..=25)
        .map(|i| {
            let drift = (0.2 * f64::from(i)).exp();
            (drift, drift.powf(-PRIOR[0]) * (-PRIOR[1] / drift).exp())
        })
        .collect();
    let mut known = std::collections::BTreeMap::new();
    let mut topic = |n: [[usize; 2]; 2]| -> Vec<f64> {
        let of = |drift: f64| of_topic(n.map(|n| n.map(|n| n as f64)), drift);
        known
            .entry(n)
            .or_insert_with(|| drifts.iter().map(|&(drift, _)| of(drift)).collect::<Vec<_>>())
            .clone()
    };
    let exact: Vec<f64> = (0..64)
        .map(|state: usize| {
            let mut n = [[[0; 2]; 2]; 2];
            let mut p = 1.0;
            for t in 0..2 {
                let mut seen = [0.0; 2];
                for (i, &word) in words[3 * t..3 * t + 3].iter().enumerate() {
                    let k = state >> (3 * t + i) & 1;
                    p *= (ALPHA[k] + seen[k]) / (ALPHA[0] + ALPHA[1] + i as f64);
                    seen[k] += 1.0;
                    n[k][t][word] += 1;
                }
            }
            let (first, second) = (topic(n[0]), topic(n[1]));
            let all = drifts.iter().zip(first.iter().zip(&second));
            p * all.map(|((_, weight), (a, b))| weight * a * b).sum::<f64>()
        })
        .collect();
    let all: f64 = exact.iter().sum();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let draws = 10_000;
    let visits = pool.install(|| {
        let mut chain = DynamicChain::new(&corpus, &[1.0, 3.0], &options).unwrap();
        chain.steady = 0;
        let mut visits = [0; 64];
        for _ in 0..draws {
            (0..20).for_each(|_| chain.sweep());
            let topics = chain.assignment();
            visits[topics.iter().enumerate().map(|(i, &k)| usize::from(k) << i).sum::<usize>()] += 1;
        }
        visits
    });
    let expected: Vec<f64> = exact.iter().map(|p| p / all * f64::from(draws)).collect();
    let p = chi_square_p_value(&visits, &expected);
    assert!(p > LEVEL, "p = {p}");
}

/// Three topics, two of them with the same concentration, four times with gaps of their own, three words, and
/// two documents of four tokens at each time.
struct Model;

const CONCENTRATIONS: [f64; 3] = [0.4, 0.4, 0.9];
const TIMES: [f64; 4] = [0.0, 2.0, 3.0, 5.0];
const WORDS: usize = 3;
const DOCUMENTS: usize = 8;
const TOKENS: usize = 4;
const PATHS_AT: usize = 1;
const TOPICS_AT: usize = PATHS_AT + 3 * WORDS * 4;

impl Model {
    /// Gaps in units of their median, 2, have the variances of steps.
    fn walk(drift: f64, rng: &mut impl Rng) -> [f64; 4] {
        let mut at = 0.0;
        [FIRST, drift, 0.5 * drift, drift].map(|variance: f64| {
            at += variance.sqrt() * rng.sample::<f64, _>(StandardNormal);
            at
        })
    }

    fn options() -> DynamicTopicsOptions {
        DynamicTopicsOptions {
            topics: 3,
            alpha: Concentration::Asymmetric(CONCENTRATIONS.to_vec()),
            first_variance: FIRST,
            drift_prior: PRIOR,
            threads: 1,
            ..DynamicTopicsOptions::default()
        }
    }

    fn corpus(tokens: &[u32]) -> Corpus {
        let names = |n: usize| (0..n).map(|i| i.to_string()).collect();
        let row = |words: &[u32]| words.iter().map(|&word| (word, 1)).collect();
        Corpus::from_rows(names(WORDS), names(DOCUMENTS), tokens.chunks_exact(TOKENS).map(row).collect()).unwrap()
    }
}

/// Written from the definition of the model. Parameters are ln drift, paths, and the topic of each token;
/// data are the words of the tokens.
impl SimulationModel for Model {
    type Data = Vec<u32>;

    fn names(&self) -> Vec<String> {
        (0..TOPICS_AT + DOCUMENTS * TOKENS).map(|i| format!("parameter {i}")).collect()
    }

    fn prior<R: Rng + ?Sized>(&self, mut rng: &mut R) -> Result<Vec<f64>, posterior_sampling::Error> {
        let drift = InverseGamma::new(PRIOR[0], PRIOR[1])?.sample(&mut rng);
        let mut parameters = vec![drift.ln()];
        for _ in 0..3 * WORDS {
            parameters.extend(Self::walk(drift, &mut rng));
        }
        let proportions = Dirichlet::new(&CONCENTRATIONS)?;
        for _ in 0..DOCUMENTS {
            let theta = proportions.sample(&mut rng);
            for _ in 0..TOKENS {
                let u = rng.random::<f64>();
                let topic = [theta[0], theta[0] + theta[1]].iter().filter(|&&sum| sum <= u).count();
                parameters.push(topic as f64);
            }
        }
        Ok(parameters)
    }

    fn simulate<R: Rng + ?Sized>(
        &self,
        parameters: &[f64],
        rng: &mut R,
    ) -> Result<Vec<u32>, posterior_sampling::Error> {
        let topics = parameters[TOPICS_AT..].iter().enumerate();
        let word = |(i, &topic): (usize, &f64)| {
            let period = i / TOKENS / 2;
            let paths = &parameters[PATHS_AT + topic as usize * WORDS * 4..];
            let weights = [0, 1, 2].map(|v| paths[v * 4 + period].exp());
            let u = rng.random::<f64>() * weights.iter().sum::<f64>();
            [weights[0], weights[0] + weights[1]].iter().filter(|&&sum| sum <= u).count() as u32
        };
        Ok(topics.map(word).collect())
    }

    fn quantity_names(&self) -> Vec<String> {
        ["squares", "ln p(words, topics)"].map(str::to_owned).to_vec()
    }

    fn quantities(&self, parameters: &[f64], tokens: &Vec<u32>) -> Vec<f64> {
        let corpus = Self::corpus(tokens);
        let chain = chain_at(&corpus, parameters, tokens);
        let squares: f64 = chain.topics.iter().map(|topic| topic.squares(&chain.walk)).sum();
        vec![squares.ln(), chain.ln_joint()]
    }
}

fn chain_at<'a>(corpus: &'a Corpus, parameters: &[f64], tokens: &[u32]) -> DynamicChain<'a> {
    let times: Vec<f64> = (0..DOCUMENTS).map(|d| TIMES[d / 2]).collect();
    let mut chain = DynamicChain::new(corpus, &times, &Model::options()).unwrap();
    chain.steady = 0;
    chain.drift = parameters[0].exp();
    for (topic, paths) in chain.topics.iter_mut().zip(parameters[PATHS_AT..].chunks_exact(WORDS * 4)) {
        topic.paths.copy_from_slice(paths);
    }
    let all: Vec<(u32, u16)> =
        tokens.iter().zip(&parameters[TOPICS_AT..]).map(|(&word, &topic)| (word, topic as u16)).collect();
    chain.tokens = all.chunks_exact(TOKENS).map(<[_]>::to_vec).collect();
    chain.count();
    chain.set_phi();
    chain
}

fn check_joint_distribution(runs: usize) {
    let test = JointDistribution { draws: 200 * runs, runs, steps: 100, seed: 1 };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let kernel = |parameters: &mut Vec<f64>, tokens: &Vec<u32>, rng: &mut rand_pcg::Pcg64| {
        let corpus = Model::corpus(tokens);
        let mut chain = chain_at(&corpus, parameters, tokens);
        // A number of its own for each step: streams depend on it. The drift starts after the first sweep.
        chain.seed = rng.random();
        chain.sweeps = 1;
        chain.sweep();
        parameters[0] = chain.drift.ln();
        let paths = chain.topics.iter().flat_map(|topic| &topic.paths);
        parameters[PATHS_AT..TOPICS_AT].iter_mut().zip(paths).for_each(|(to, from)| *to = *from);
        let topics = chain.tokens.iter().flatten();
        parameters[TOPICS_AT..].iter_mut().zip(topics).for_each(|(to, from)| *to = f64::from(from.1));
        Ok(())
    };
    let report = pool.install(|| test.run(&Model, kernel)).unwrap();
    println!("{report}");
    assert!(report.passes(1e-4), "{}", report.p_value());
}

/// False alarm: one in ten thousand seeds.
#[test]
fn sweeps_keep_the_joint_distribution_of_the_model() {
    check_joint_distribution(100);
}

#[test]
#[ignore = "slow: two thousand runs"]
fn many_sweeps_keep_the_joint_distribution_of_the_model() {
    check_joint_distribution(2000);
}
