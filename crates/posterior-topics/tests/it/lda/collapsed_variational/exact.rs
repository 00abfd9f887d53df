//! Expectations by enumeration, the toy corpus, and the fit against the textbook's update.

use std::ops::ControlFlow;

use posterior_math::iteration::{Silent, Step};
use posterior_math::linalg::DMatrix;
use posterior_testkit::accuracy::{assert_close, assert_within};
use posterior_topics::lda::collapsed_variational::{
    self, ExpectedCounts, LdaCollapsedVariationalOptions, Order, Precision, token_posterior,
};
use posterior_topics::lda::variational::{self, VariationalStart};
use posterior_topics::{Corpus, TopicModel};

use crate::lda::enumeration::{TOY_LN_EVIDENCE, ln_evidence, toy};
use crate::lda::variational::fitting::planted;

/// The distribution of the number of tokens of a topic, token by token: O(N²).
fn count_distribution(probabilities: &[f64]) -> Vec<f64> {
    let mut distribution = vec![1.0];
    for p in probabilities {
        distribution.push(0.0);
        for n in (0..distribution.len()).rev() {
            distribution[n] = distribution[n] * (1.0 - p) + if n > 0 { distribution[n - 1] * p } else { 0.0 };
        }
    }
    distribution
}

fn exact_expected_ln(a: f64, probabilities: &[f64]) -> f64 {
    count_distribution(probabilities).iter().zip(0_u32..).map(|(p, n)| p * (a + f64::from(n)).ln()).sum()
}

#[test]
fn expectations_are_as_published() {
    let probabilities = [0.2, 0.5, 0.9];
    let mut counts = ExpectedCounts::new(1);
    for p in probabilities {
        counts.push(&[p]);
    }
    let (mean, variance) = (counts.means()[0], counts.variances()[0]);
    assert_within(exact_expected_ln(0.1, &probabilities), 0.39009113861, 1e-11);
    assert_within(Order::Second.expected_ln(0.1, mean, variance), 0.44412306075, 1e-11);
    assert_within(Order::Zeroth.expected_ln(0.1, mean, variance), 0.53062825106, 1e-11);
}

/// The more tokens, the better both expansions are, and the second order is better than the zeroth.
#[test]
fn expansions_are_good_for_many_tokens() {
    let mut errors = Vec::new();
    for tokens in [50, 200, 800] {
        let probabilities: Vec<f64> =
            (0..tokens).map(|i| 0.1 + 0.6 * f64::from(i) / f64::from(tokens)).collect();
        let mut counts = ExpectedCounts::new(1);
        for &p in &probabilities {
            counts.push(&[p]);
        }
        let exact = exact_expected_ln(0.1, &probabilities);
        let error =
            |order: Order| (order.expected_ln(0.1, counts.means()[0], counts.variances()[0]) - exact).abs();
        assert!(error(Order::Second) < 0.05 * error(Order::Zeroth));
        errors.push((error(Order::Zeroth), error(Order::Second)));
    }
    // Of order 1/N and 1/N².
    assert!(errors[2].0 < errors[0].0 / 12.0 && errors[2].1 < errors[0].1 / 150.0, "{errors:?}");
}

fn options() -> LdaCollapsedVariationalOptions {
    LdaCollapsedVariationalOptions {
        topics: 2,
        alpha: 0.5.into(),
        beta: 0.5,
        precision: Precision::Double,
        tolerance: 0.0,
        threads: 1,
        ..LdaCollapsedVariationalOptions::default()
    }
}

/// q(z) of the toy is as published: with it, expected counts are what they are here.
#[test]
fn the_toy_ends_at_the_published_fixed_point() {
    let (a, b) = (0.801756191534, 0.65110932936);
    // Word by topic: the words a and b of the first document, b and c of the second.
    let expected = [2.0 * a, 2.0 * (1.0 - a), b + (1.0 - b), b + (1.0 - b), 2.0 * (1.0 - a), 2.0 * a];
    let mut met = false;
    for seed in 0..6 {
        let options = LdaCollapsedVariationalOptions {
            seed,
            start: VariationalStart::Sampled(3),
            max_iterations: 3000,
            ..options()
        };
        let fitted = collapsed_variational::fit(&toy(), &options, &mut Silent).unwrap();
        let counts = fitted.model.expected_counts();
        let close = |turned: bool| {
            counts.chunks(2).zip(expected.chunks(2)).all(|(n, e)| {
                let (first, second) = if turned { (n[1], n[0]) } else { (n[0], n[1]) };
                (first - e[0]).abs() < 1e-9 && (second - e[1]).abs() < 1e-9
            })
        };
        met |= close(false) || close(true);
    }
    assert!(met, "from none of six starts");
}

/// E ln p(W, Z) + H(q) by enumeration, for tokens with these probabilities of the first of two topics.
fn collapsed_bound(corpus: &Corpus, q: &[[f64; 2]], alpha: f64, beta: f64) -> f64 {
    use posterior_math::special::ln_multivariate_beta as ln_b;
    let places: Vec<(usize, usize)> = corpus
        .iter()
        .enumerate()
        .flat_map(|(d, document)| {
            let tokens = document.words.iter().zip(document.counts);
            tokens.flat_map(move |(&w, &n)| (0..n).map(move |_| (d, w as usize))).collect::<Vec<_>>()
        })
        .collect();
    let words = corpus.vocabulary().len();
    let mut bound = 0.0;
    for state in 0..1_usize << places.len() {
        let mut documents = vec![[alpha; 2]; corpus.documents()];
        let mut phi = vec![vec![beta; words]; 2];
        let mut probability = 1.0;
        for (i, &(d, w)) in places.iter().enumerate() {
            let k = state >> i & 1;
            documents[d][k] += 1.0;
            phi[k][w] += 1.0;
            probability *= q[i][k];
        }
        let joint: f64 = documents.iter().map(|n| ln_b(n) - ln_b(&[alpha; 2])).sum::<f64>()
            + phi.iter().map(|n| ln_b(n) - ln_b(&vec![beta; words])).sum::<f64>();
        if probability > 0.0 {
            bound += probability * (joint - probability.ln());
        }
    }
    bound
}

/// With exact expectations the collapsed bound lies between that of variational Bayes, at the same q(z) and
/// at its own best, and the evidence.
#[test]
fn the_collapsed_bound_is_between() {
    let (a, b) = (0.801756191534, 0.65110932936);
    let published = [a, a, b, 1.0 - b, 1.0 - a, 1.0 - a].map(|p| [p, 1.0 - p]);
    let at_published = collapsed_bound(&toy(), &published, 0.5, 0.5);
    // q(z) of variational Bayes at its limit, by its published parameters.
    let run = variational::LdaVariationalOptions {
        topics: 2,
        alpha: 0.5.into(),
        beta: 0.5,
        tolerance: 1e-15,
        max_iterations: 5000,
        threads: 1,
        ..variational::LdaVariationalOptions::default()
    };
    let fitted = variational::fit(&toy(), &run, &mut Silent).unwrap();
    let limit = *fitted.report.trace.last().unwrap();
    let counts = fitted.model.expected_counts();
    // Words a and c occur in one document each, twice; b once in each, and its proportions mirror each other.
    let (word_a, word_c) = (counts[0] / 2.0, counts[4] / 2.0);
    let major = fitted.doc_topic[(0, 0)] * 4.0 - 0.5 - counts[0];
    let q = [word_a, word_a, major, 1.0 - major, word_c, word_c].map(|p| [p, 1.0 - p]);
    let at_mean_field = collapsed_bound(&toy(), &q, 0.5, 0.5);
    assert!(at_mean_field >= limit - 1e-9, "{at_mean_field} {limit}");
    assert!(at_published.max(at_mean_field) <= TOY_LN_EVIDENCE);
    assert!(at_published >= limit, "{at_published} {limit}");
    assert_close(ln_evidence(&toy(), &[0.5; 2], 0.5), TOY_LN_EVIDENCE, 1e-13);
}

/// One pass of a fit, pair by pair with the textbook's update. With one group and no repeated word, the order
/// is that of the corpus.
#[test]
fn a_pass_is_the_textbook_pair_by_pair() {
    for (order, repeated) in
        [(Order::Zeroth, false), (Order::Zeroth, true), (Order::Second, false), (Order::Second, true)]
    {
        let corpus = if repeated { planted(6, 20, 3) } else { distinct(6) };
        let topics = 3;
        let alpha = vec![0.2, 0.5, 0.9];
        let start = LdaCollapsedVariationalOptions {
            topics,
            alpha: alpha.clone().into(),
            beta: 0.1,
            precision: Precision::Double,
            order,
            groups: Some(1),
            start: VariationalStart::Documents,
            tolerance: 0.0,
            threads: 1,
            ..LdaCollapsedVariationalOptions::default()
        };
        // The start is q(z) from the topics of the start and from what of the document was seen.
        let run = variational::LdaVariationalOptions {
            topics,
            alpha: alpha.clone().into(),
            beta: 0.1,
            ..variational::LdaVariationalOptions::default()
        };
        let begin = variational::VariationalBayes::new(
            &corpus,
            &variational::LdaVariationalOptions { start: VariationalStart::Documents, ..run },
        )
        .unwrap();
        let twin = Twin::new(&corpus, &begin.lambda(), &alpha, 0.1, order);
        for passes in [1, 3] {
            let mut twin = twin.clone();
            let mut seen = Vec::new();
            let mut observer = |step: &Step| {
                seen.push(step.objective);
                ControlFlow::Continue(())
            };
            let fitted = collapsed_variational::fit(
                &corpus,
                &LdaCollapsedVariationalOptions { max_iterations: passes, ..start.clone() },
                &mut observer,
            )
            .unwrap();
            for _ in 0..passes {
                twin.pass();
            }
            let mut totals: Vec<f64> = twin.all.means().to_vec();
            totals.sort_by(|a, b| b.total_cmp(a));
            let all: f64 = totals.iter().sum();
            for (weight, total) in fitted.model.topics().weights().iter().zip(&totals) {
                assert_within(*weight, total / all, 1e-12);
            }
            assert_eq!(seen.len(), passes);
            if order == Order::Zeroth {
                assert_close(seen[passes - 1], twin.objective, 1e-12);
            }
        }
    }
}

/// Documents of ten different words each.
fn distinct(documents: u32) -> Corpus {
    let words = (0..30).map(|v| format!("w{v}")).collect();
    let rows = (0..documents).map(|d| (0..10).map(|i| ((d * 7 + i * 3) % 30, 1)).collect()).collect();
    Corpus::from_rows(words, (0..documents).map(|d| d.to_string()).collect(), rows).unwrap()
}

/// Collapsed variational Bayes as it stands in the textbook, where tokens of one word in one document share
/// their q(z).
#[derive(Clone)]
struct Twin<'a> {
    corpus: &'a Corpus,
    order: Order,
    alpha: Vec<f64>,
    beta: f64,
    q: Vec<Vec<Vec<f64>>>,
    documents: Vec<ExpectedCounts>,
    words: Vec<ExpectedCounts>,
    all: ExpectedCounts,
    objective: f64,
}

impl<'a> Twin<'a> {
    fn new(corpus: &'a Corpus, lambda: &DMatrix<f64>, alpha: &[f64], beta: f64, order: Order) -> Self {
        let none = ExpectedCounts::new(alpha.len());
        let mut twin = Self {
            corpus,
            order,
            alpha: alpha.to_vec(),
            beta,
            q: Vec::new(),
            documents: vec![none.clone(); corpus.documents()],
            words: vec![none.clone(); corpus.vocabulary().len()],
            all: none,
            objective: 0.0,
        };
        for (d, document) in corpus.iter().enumerate() {
            let mut row = Vec::new();
            for (&word, &count) in document.words.iter().zip(document.counts) {
                let mut q: Vec<f64> = (0..alpha.len())
                    .map(|k| {
                        let phi = lambda[(k, word as usize)] / lambda.row(k).sum();
                        (alpha[k] + twin.documents[d].means()[k]) * phi
                    })
                    .collect();
                let sum: f64 = q.iter().sum();
                for q in &mut q {
                    *q /= sum;
                }
                twin.change(d, word as usize, count, |counts| counts.push(&q));
                row.push(q);
            }
            twin.q.push(row);
        }
        twin
    }

    fn change(&mut self, d: usize, word: usize, times: u32, change: impl Fn(&mut ExpectedCounts)) {
        for _ in 0..times {
            for counts in [&mut self.documents[d], &mut self.words[word], &mut self.all] {
                change(counts);
            }
        }
    }

    fn pass(&mut self) {
        self.objective = 0.0;
        for d in 0..self.corpus.documents() {
            let document = self.corpus.document(d);
            for (i, (&word, &count)) in document.words.iter().zip(document.counts).enumerate() {
                let (word, before) = (word as usize, self.q[d][i].clone());
                self.change(d, word, 1, |counts| counts.pop(&before));
                let three = [&self.documents[d], &self.words[word], &self.all];
                let words = self.corpus.vocabulary().len();
                let after = token_posterior(self.order, three, &self.alpha, self.beta, words);
                let predictive: f64 = (0..self.alpha.len())
                    .map(|k| {
                        (three[0].means()[k] + self.alpha[k]) * (three[1].means()[k] + self.beta)
                            / (three[2].means()[k] + words as f64 * self.beta)
                    })
                    .sum();
                let others = document.tokens() as f64 - 1.0 + self.alpha.iter().sum::<f64>();
                self.objective += f64::from(count) * (predictive / others).ln();
                self.change(d, word, 1, |counts| counts.push(&before));
                self.change(d, word, count, |counts| {
                    counts.pop(&before);
                    counts.push(&after);
                });
                self.q[d][i] = after;
            }
        }
    }
}
