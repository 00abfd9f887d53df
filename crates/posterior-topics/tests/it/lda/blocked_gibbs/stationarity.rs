//! The chain draws from the exact posterior of the toy corpus.

use posterior_testkit::accuracy::assert_within;
use posterior_testkit::significance::{LEVEL, chi_square_p_value, kolmogorov_smirnov_p_value};
use posterior_topics::lda::blocked_gibbs::{LdaBlockedGibbs, LdaBlockedGibbsOptions};
use posterior_topics::lda::{WordWeights, gibbs};

use crate::lda::gibbs::toy;

const DRAWS: usize = 30_000;
/// This chain needs more sweeps from one draw to the next than the collapsed one.
const SWEEPS_APART: usize = 30;

/// The pairs of document and word with the number of their tokens: three words, two documents.
const PAIRS: [u32; 4] = [2, 1, 1, 2];

/// The tokens of topic 1 in each pair, by the counts of words and of documents: on the toy these say it all.
fn ones(chain: &LdaBlockedGibbs<'_>) -> [u32; 4] {
    let (first, second) = (chain.word_counts(0)[1], chain.word_counts(2)[1]);
    [first, chain.document_counts(0)[1] - first, chain.document_counts(1)[1] - second, second]
}

fn class(ones: [u32; 4]) -> usize {
    ones.iter().zip(PAIRS).fold(0, |class, (&n, tokens)| class * (tokens as usize + 1) + n as usize)
}

/// The class of one of the 64 states: tokens 0 and 1 are one pair, 4 and 5 another.
fn class_of_state(s: usize) -> usize {
    let z: Vec<u32> = toy::topics(s).into_iter().map(u32::from).collect();
    class([z[0] + z[1], z[2], z[3], z[4] + z[5]])
}

fn on_one_thread<T: Send>(run: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap().install(run)
}

/// The 64 states fall into 36 classes of equal counts, within which all states are equally likely. False
/// alarm: one in a million seeds.
fn check(options: &LdaBlockedGibbsOptions, exact: &gibbs::LdaGibbsOptions) -> Vec<u64> {
    let corpus = toy::corpus();
    let (posterior, _) = toy::posterior(&corpus, exact);
    let mut expected = vec![0.0; 36];
    for (s, p) in posterior.iter().enumerate() {
        expected[class_of_state(s)] += p * DRAWS as f64;
    }
    let visits = on_one_thread(|| {
        let mut chain = LdaBlockedGibbs::new(&corpus, options).unwrap();
        let mut visits = vec![0; expected.len()];
        for _ in 0..DRAWS {
            for _ in 0..SWEEPS_APART {
                chain.sweep();
            }
            visits[class(ones(&chain))] += 1;
        }
        visits
    });
    let p = chi_square_p_value(&visits, &expected);
    println!("p = {p}");
    assert!(p > LEVEL, "p = {p}");
    visits
}

fn toy_options() -> LdaBlockedGibbsOptions {
    LdaBlockedGibbsOptions {
        topics: 2,
        alpha: 0.5.into(),
        beta: 0.5,
        seed: 5,
        ..LdaBlockedGibbsOptions::default()
    }
}

#[test]
fn the_topics_of_tokens_follow_the_exact_posterior_and_its_co_assignments() {
    let visits = check(&toy_options(), &toy::options());
    // From classes back to chances that two tokens share a topic.
    let mut same = [0.0; 6];
    for (class, &n) in visits.iter().enumerate() {
        let [a, b, c, d] = [class / 12, class / 6 % 2, class / 3 % 2, class % 3].map(|n| n as f64);
        let proportion = n as f64 / DRAWS as f64;
        let both = |p: f64, q: f64| p * q + (1.0 - p) * (1.0 - q);
        let pair = |n: f64| if n == 1.0 { 0.0 } else { 1.0 };
        let chances =
            [pair(a), both(a / 2.0, b), both(b, c), both(a / 2.0, d / 2.0), pair(d), both(a / 2.0, c)];
        same.iter_mut().zip(chances).for_each(|(same, chance)| *same += proportion * chance);
    }
    // TOPIC-02, by enumeration: tokens (0, 1), (0, 2), (2, 3), (0, 5), (4, 5), (0, 3). Standard errors are
    // below 0.003.
    let exact =
        [0.873551324503, 0.695985099338, 0.548013245033, 0.266866721854, 0.873551324503, 0.370447019868];
    for (found, exact) in same.into_iter().zip(exact) {
        assert_within(found, exact, 0.015);
    }
}

#[test]
fn unequal_concentrations_are_sampled_exactly() {
    let alphas = vec![0.3, 1.1];
    let exact = gibbs::LdaGibbsOptions { alpha: alphas.clone().into(), ..toy::options() };
    check(&LdaBlockedGibbsOptions { alpha: alphas.into(), ..toy_options() }, &exact);
}

#[test]
fn each_topic_has_its_own_concentrations_of_words() {
    let own = WordWeights::Topics(vec![vec![3.0, 0.2, 0.9], vec![0.5, 0.5, 2.4]]);
    let exact = gibbs::LdaGibbsOptions { word_weights: own.clone(), ..toy::options() };
    check(&LdaBlockedGibbsOptions { word_weights: own, ..toy_options() }, &exact);
}

/// Given the topics of tokens, the chance of topic 0 in the first document is a beta distribution: over the
/// posterior, a mixture of four. So are the probabilities of a word. False alarm: two in a million seeds.
#[test]
fn proportions_and_topics_follow_their_exact_posterior() {
    let (corpus, exact) = (toy::corpus(), toy::options());
    let (posterior, _) = toy::posterior(&corpus, &exact);
    let (thetas, phis): (Vec<f64>, Vec<f64>) = on_one_thread(|| {
        let mut chain = LdaBlockedGibbs::new(&corpus, &toy_options()).unwrap();
        let draw = |_| {
            for _ in 0..SWEEPS_APART {
                chain.sweep();
            }
            (chain.proportions(0)[0], chain.word_probabilities(1)[0])
        };
        (0..DRAWS / 3).map(draw).unzip()
    });
    let beta_cdf = |a: f64, b: f64, x: f64| {
        use posterior_dist::Univariate;
        posterior_dist::Beta::new(a, b).unwrap().cdf(x)
    };
    let cdf = |distribution: &dyn Fn(usize) -> (f64, f64), x: f64| -> f64 {
        posterior
            .iter()
            .enumerate()
            .map(|(s, p)| {
                let (a, b) = distribution(s);
                p * beta_cdf(a, b, x)
            })
            .sum()
    };
    let zeros =
        |s: usize, tokens: &[usize]| tokens.iter().filter(|&&i| toy::topics(s)[i] == 0).count() as f64;
    let theta = |s: usize| (0.5 + zeros(s, &[0, 1, 2]), 0.5 + 3.0 - zeros(s, &[0, 1, 2]));
    let phi = |s: usize| (0.5 + zeros(s, &[2, 3]), 1.0 + zeros(s, &[0, 1, 4, 5]));
    for (draws, distribution) in [(thetas, &theta as &dyn Fn(usize) -> (f64, f64)), (phis, &phi)] {
        let p = kolmogorov_smirnov_p_value(&draws, |x| cdf(distribution, x));
        println!("p = {p}");
        assert!(p > LEVEL, "p = {p}");
    }
}
