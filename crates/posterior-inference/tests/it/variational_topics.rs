//! Variational latent Dirichlet allocation: coordinate ascent, and a part of the documents at a time.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use posterior_dist::finite::information::entropy;
use posterior_dist::{Categorical, Dirichlet, Stats};
use posterior_inference::variational::{
    AscentOptions, ConjugateFactor, CoordinateAscent, StochasticAscent, StochasticAscentOptions, Watch,
    coordinate_ascent, stochastic_ascent,
};
use posterior_math::ParamError;
use posterior_math::iteration::{Silent, Stop};
use posterior_math::log_space::softmax_in_place;
use posterior_math::optimize::StepSchedule;
use posterior_testkit::accuracy::{assert_all_close, assert_close, assert_within};
use posterior_testkit::reference::{count, counts, list, load, number, rows};

type Factor = ConjugateFactor<Categorical, Dirichlet>;

struct Corpus {
    documents: Vec<Vec<usize>>,
    topics: usize,
    words: usize,
    alpha: f64,
    beta: f64,
}

/// q: of the topic of each token, of the proportions of each document, of the words of each topic.
#[derive(Debug, Clone, PartialEq)]
struct Factors {
    tokens: Vec<Vec<Vec<f64>>>,
    proportions: Vec<Factor>,
    topics: Vec<Factor>,
}

/// The factor of a symmetric prior with this posterior.
fn factor(prior: f64, posterior: &[f64]) -> Factor {
    let length = posterior.len();
    let mut factor = Factor::new(Dirichlet::symmetric(length, prior).unwrap(), length).unwrap();
    let sums: Vec<f64> = posterior.iter().map(|alpha| alpha - prior).collect();
    factor.update(Stats::from_totals(length, sums, 0.0, 0.0).unwrap()).unwrap();
    factor
}

impl Corpus {
    fn start(&self, gamma: &[Vec<f64>], lambda: &[Vec<f64>]) -> Factors {
        Factors {
            tokens: self
                .documents
                .iter()
                .map(|d| vec![vec![1.0 / self.topics as f64; self.topics]; d.len()])
                .collect(),
            proportions: gamma.iter().map(|gamma| factor(self.alpha, gamma)).collect(),
            topics: lambda.iter().map(|lambda| factor(self.beta, lambda)).collect(),
        }
    }

    fn proportions_of(&self, tokens: &[Vec<f64>]) -> Result<Stats<Categorical>, ParamError> {
        let mut stats = Stats::new(self.topics);
        for proportions in tokens {
            proportions
                .iter()
                .enumerate()
                .try_for_each(|(k, &proportion)| stats.push_weighted(&k, proportion))?;
        }
        Ok(stats)
    }

    fn words_of(
        &self,
        tokens: &[Vec<Vec<f64>>],
        from: usize,
        k: usize,
    ) -> Result<Stats<Categorical>, ParamError> {
        let mut stats = Stats::new(self.words);
        for (document, tokens) in self.documents[from..].iter().zip(tokens) {
            document
                .iter()
                .zip(tokens)
                .try_for_each(|(w, proportions)| stats.push_weighted(w, proportions[k]))?;
        }
        Ok(stats)
    }

    fn assign(&self, d: usize, q: &mut Factors) {
        for (w, proportions) in self.documents[d].iter().zip(&mut q.tokens[d]) {
            for (k, proportion) in proportions.iter_mut().enumerate() {
                *proportion = q.proportions[d].expected().ln_pdf(&k) + q.topics[k].expected().ln_pdf(w);
            }
            softmax_in_place(proportions);
        }
    }

    /// The bound of a document, without the divergence of the topics.
    fn document_bound(&self, d: usize, q: &Factors) -> Result<f64, ParamError> {
        let mut bound: f64 = q.tokens[d].iter().map(|proportions| entropy(proportions)).sum();
        bound += q.proportions[d].bound(&self.proportions_of(&q.tokens[d])?);
        for (k, topic) in q.topics.iter().enumerate() {
            let words = self.words_of(&q.tokens[d..=d], d, k)?;
            bound += topic.expected().ln_likelihood(&words);
        }
        Ok(bound)
    }

    fn topic_divergence(q: &Factors) -> f64 {
        q.topics.iter().map(|topic| -topic.bound(&Stats::new(topic.prior().concentration().len()))).sum()
    }
}

impl CoordinateAscent for Corpus {
    type State = Factors;
    type Error = ParamError;

    fn factors(&self) -> usize {
        3
    }

    fn update(&self, q: &mut Factors, factor: usize) -> Result<(), ParamError> {
        match factor {
            0 => (0..self.documents.len()).for_each(|d| self.assign(d, q)),
            1 => {
                for d in 0..self.documents.len() {
                    q.proportions[d].update(self.proportions_of(&q.tokens[d])?)?;
                }
            }
            _ => {
                for k in 0..self.topics {
                    q.topics[k].update(self.words_of(&q.tokens, 0, k)?)?;
                }
            }
        }
        Ok(())
    }

    fn elbo(&self, q: &Factors) -> Result<f64, ParamError> {
        let documents: f64 =
            (0..self.documents.len()).map(|d| self.document_bound(d, q)).sum::<Result<_, _>>()?;
        Ok(documents - Self::topic_divergence(q))
    }
}

/// One document at a time, its own factors to convergence.
impl StochasticAscent for Corpus {
    type State = Factors;
    type Error = ParamError;

    fn batches(&self) -> usize {
        self.documents.len()
    }

    fn step(&self, q: &mut Factors, d: usize, rate: f64) -> Result<f64, ParamError> {
        for _ in 0..200 {
            self.assign(d, q);
            q.proportions[d].update(self.proportions_of(&q.tokens[d])?)?;
        }
        let all = self.documents.len() as f64;
        let bound = all * self.document_bound(d, q)? - Self::topic_divergence(q);
        for k in 0..self.topics {
            let mut words = self.words_of(&q.tokens[d..=d], d, k)?;
            words.scale(all)?;
            q.topics[k].step(rate, words)?;
        }
        Ok(bound)
    }
}

#[test]
fn one_sweep_is_that_of_the_reference_table() {
    for case in list(&load("lda")["cases"]) {
        let table = &case["mean_field"];
        let document = |d: &serde_json::Value| counts(d).iter().map(|&w| w as usize).collect();
        let corpus = Corpus {
            documents: list(&case["documents"]).iter().map(document).collect(),
            topics: count(&case["topics"]) as usize,
            words: count(&case["vocabulary"]) as usize,
            alpha: number(&case["alpha"]),
            beta: number(&case["beta"]),
        };
        let mut q = corpus.start(&rows(&table["gamma"]), &rows(&table["lambda"]));
        corpus.update(&mut q, 0).unwrap();
        for (tokens, expected) in q.tokens.iter().zip(list(&table["phi"])) {
            for (proportions, expected) in tokens.iter().zip(rows(expected)) {
                assert_all_close(proportions, &expected, 1e-11);
            }
        }
        assert_close(corpus.elbo(&q).unwrap(), number(&table["elbo_after_phi"]), 1e-12);
        corpus.update(&mut q, 1).unwrap();
        for (factor, expected) in q.proportions.iter().zip(rows(&table["new_gamma"])) {
            assert_all_close(factor.posterior().concentration(), &expected, 1e-12);
        }
        assert_close(corpus.elbo(&q).unwrap(), number(&table["elbo_after_gamma"]), 1e-12);
        corpus.update(&mut q, 2).unwrap();
        for (factor, expected) in q.topics.iter().zip(rows(&table["new_lambda"])) {
            assert_all_close(factor.posterior().concentration(), &expected, 1e-11);
        }
        assert_close(corpus.elbo(&q).unwrap(), number(&table["elbo_after_lambda"]), 1e-12);

        let options = AscentOptions { watch: Watch::Update, ..AscentOptions::default() };
        let fitted = coordinate_ascent(&corpus, q, &options, &mut Silent).unwrap();
        assert_eq!(fitted.report.falls, []);
        assert!(fitted.report.converged());
    }
}

/// Two documents of three tokens that are about different topics.
fn toy() -> Corpus {
    Corpus { documents: vec![vec![0, 0, 1], vec![1, 2, 2]], topics: 2, words: 3, alpha: 0.5, beta: 0.5 }
}

#[test]
fn the_limit_of_batches_is_near_that_of_coordinate_ascent() {
    let corpus = toy();
    let start = corpus.start(&vec![vec![1.0, 1.0]; 2], &[vec![1.2, 1.0, 0.8], vec![0.8, 1.0, 1.2]]);
    let tight = AscentOptions { tolerance: 1e-14, ..AscentOptions::default() };
    let full = coordinate_ascent(&corpus, start.clone(), &tight, &mut Silent).unwrap();
    assert!(full.report.falls.is_empty());
    let options = StochasticAscentOptions {
        schedule: StepSchedule::Power { initial: 1.0, delay: 1.0, power: 1.0 },
        max_iterations: 5000,
        ..StochasticAscentOptions::default()
    };
    let parts = stochastic_ascent(&corpus, start, &options, &mut Silent).unwrap();
    assert_eq!((parts.report.stop, parts.report.iterations()), (Stop::MaxIterations, 5000));
    for (a, b) in parts.model.topics.iter().zip(&full.model.topics) {
        for (a, b) in a.posterior().concentration().iter().zip(b.posterior().concentration()) {
            assert_within(*a, *b, 5e-3);
        }
    }
}

#[test]
fn a_rate_that_is_none_is_refused_and_leaves_the_factor() {
    let mut factor = factor(0.5, &[1.0, 2.0, 3.0]);
    let before = factor.clone();
    for rate in [-0.1, 1.5, f64::NAN] {
        assert!(factor.step(rate, Stats::new(3)).is_err());
    }
    assert!(factor.update(Stats::new(4)).is_err());
    assert_eq!(factor, before);
    factor.step(0.25, Stats::new(3)).unwrap();
    assert_all_close(factor.posterior().concentration(), &[0.875, 1.625, 2.375], 1e-15);
}

#[test]
fn without_documents_nothing_moves() {
    let nothing = Corpus { documents: vec![], ..toy() };
    let start = nothing.start(&[], &[vec![1.0; 3], vec![2.0; 3]]);
    let fitted =
        stochastic_ascent(&nothing, start.clone(), &StochasticAscentOptions::default(), &mut Silent).unwrap();
    assert_eq!((fitted.model, fitted.report.iterations()), (start, 0));
}
