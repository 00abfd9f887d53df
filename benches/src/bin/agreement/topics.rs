//! Latent Dirichlet allocation against all assignments of a tiny corpus; factorisations that are twins.

use std::error::Error;

use posterior::dist::stream::stream;
use posterior::math::iteration::Silent;
use posterior::math::linalg::DMatrix;
use posterior::math::log_space::ln_sum_exp;
use posterior::math::special::{ln_gamma, ln_multivariate_beta};
use posterior::sampling::tempering::TemperatureSchedule;
use posterior::topics::held_out::{
    Annealed, Chib, HeldOutEstimate, LeftToRight, annealed, chib, exact, left_to_right,
};
use posterior::topics::lda::gibbs::{LdaGibbs, LdaGibbsOptions, TopicSampler};
use posterior::topics::lda::{collapsed_variational, variational};
use posterior::topics::nonnegative_factorization::{self, FactorizationUpdate};
use posterior::topics::{Corpus, TopicModel, Topics, plsa};
use posterior_testkit::significance::chi_square_p_value;
use rand::RngExt;

use crate::row::{Comparison, Gaps, Measure, Row, Rows};

type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

/// The document and the word of each token of the corpus.
const TOKENS: [(usize, usize); 6] = [(0, 0), (0, 0), (0, 1), (1, 1), (1, 2), (1, 2)];

pub(crate) fn rows() -> Rows {
    let mut rows = vec![joint()?];
    rows.extend(samplers()?);
    rows.extend(bounds()?);
    rows.push(twins()?);
    rows.extend(held_out()?);
    Ok(rows)
}

/// Documents (0, 0, 1) and (1, 2, 2).
fn corpus() -> Outcome<Corpus> {
    let words = ["a", "b", "c"].map(str::to_owned).to_vec();
    let names = ["first", "second"].map(str::to_owned).to_vec();
    Ok(Corpus::from_rows(words, names, vec![vec![(0, 2), (1, 1)], vec![(1, 1), (2, 2)]])?)
}

fn options() -> LdaGibbsOptions {
    LdaGibbsOptions { topics: 2, alpha: 0.5.into(), beta: 0.5, ..LdaGibbsOptions::default() }
}

fn topics_of(state: usize) -> Vec<u16> {
    (0..6).map(|i| (state >> i & 1) as u16).collect()
}

/// ln p(W, Z) of all 64 states by the formula.
fn ln_joints() -> Vec<f64> {
    let of = |state: usize| {
        let (mut documents, mut words) = ([[0.5; 2]; 2], [[0.5; 3]; 2]);
        for (i, (d, w)) in TOKENS.into_iter().enumerate() {
            let k = state >> i & 1;
            documents[d][k] += 1.0;
            words[k][w] += 1.0;
        }
        let documents: f64 =
            documents.iter().map(|n| ln_multivariate_beta(n) - ln_multivariate_beta(&[0.5; 2])).sum();
        documents
            + words.iter().map(|n| ln_multivariate_beta(n) - ln_multivariate_beta(&[0.5; 3])).sum::<f64>()
    };
    (0..64).map(of).collect()
}

fn joint() -> Outcome<Row> {
    let corpus = corpus()?;
    let mut seen = Comparison::default();
    for (state, expected) in ln_joints().into_iter().enumerate() {
        seen.see(LdaGibbs::from_assignments(&corpus, &options(), &topics_of(state))?.ln_joint(), expected);
    }
    Ok(seen.exact(
        "ln p(words, topics)",
        ["counts of the sampler", "formula, document by document"],
        "all 64 states of two documents of three words",
        "1e-14 (`posterior-topics/lda/gibbs/reference.rs`)",
    ))
}

fn samplers() -> Outcome<Vec<Row>> {
    let corpus = corpus()?;
    let joints = ln_joints();
    let ln_evidence = ln_sum_exp(&joints);
    let mut rows = Vec::new();
    let kinds = [
        ("dense sampler", TopicSampler::Dense),
        ("sparse sampler", TopicSampler::Sparse),
        ("proposals", TopicSampler::MetropolisHastings),
    ];
    for (name, sampler) in kinds {
        for (groups, on) in
            [(1, "the same corpus, one block"), (2, "the same corpus, two blocks side by side")]
        {
            let draws = if sampler == TopicSampler::Sparse { 5000 } else { 15_000 };
            let options = LdaGibbsOptions { sampler, groups: Some(groups), seed: 7, ..options() };
            let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
            let visits = pool.install(|| -> Result<Vec<u64>, posterior::topics::Error> {
                let mut chain = LdaGibbs::new(&corpus, &options)?;
                let mut visits = vec![0; 64];
                for _ in 0..draws {
                    (0..10).for_each(|_| chain.sweep());
                    let state: usize =
                        chain.assignments().iter().enumerate().map(|(i, &z)| usize::from(z) << i).sum();
                    visits[state] += 1;
                }
                Ok(visits)
            })?;
            let expected: Vec<f64> =
                joints.iter().map(|ln| (ln - ln_evidence).exp() * f64::from(draws)).collect();
            let p = chi_square_p_value(&visits, &expected);
            rows.push(
                Row::new(
                    "distribution of all assignments",
                    [name, "64 states"],
                    on,
                    Measure::PValue(p),
                    "p > 1e-6 (`posterior-topics/lda/gibbs/stationarity.rs`)",
                )
                .of(64),
            );
        }
    }
    Ok(rows)
}

/// E ln p(W, Z) - E ln q(Z) for tokens that are independent under q.
fn collapsed_bound(q: &[[f64; 2]; 6]) -> f64 {
    let term = |(state, joint): (usize, &f64)| {
        let p: f64 = (0..6).map(|i| q[i][state >> i & 1]).product();
        if p > 0.0 { p * (joint - p.ln()) } else { 0.0 }
    };
    ln_joints().iter().enumerate().map(term).sum()
}

fn bounds() -> Outcome<Vec<Row>> {
    let corpus = corpus()?;
    let ln_evidence = ln_sum_exp(&ln_joints());
    let [mut mean_field, mut collapsed] = [Gaps::default(); 2];
    let vb = variational::LdaVariationalOptions {
        topics: 2,
        alpha: 0.5.into(),
        beta: 0.5,
        threads: 1,
        ..variational::LdaVariationalOptions::default()
    };
    let vb = variational::LdaVariationalOptions { tolerance: 1e-15, max_iterations: 5000, ..vb };
    let fitted = variational::fit(&corpus, &vb, &mut Silent)?;
    mean_field.see(fitted.report.trace.last().copied().unwrap_or(f64::NAN), ln_evidence);
    // What collapsed variational Bayes says of each token, at its end.
    let cvb = collapsed_variational::LdaCollapsedVariationalOptions {
        topics: 2,
        alpha: 0.5.into(),
        beta: 0.5,
        ..collapsed_variational::LdaCollapsedVariationalOptions::default()
    };
    let cvb = collapsed_variational::LdaCollapsedVariationalOptions {
        max_iterations: 2000,
        tolerance: 1e-14,
        ..cvb
    };
    let found = collapsed_variational::fit(&corpus, &cvb, &mut Silent)?;
    let counts = found.model.expected_counts();
    // Words a and c occur in one document each; of b the rest of the first document's counts.
    let first = found.doc_topic[(0, 0)] * 4.0 - 0.5;
    let (a, c) = (counts[0] / 2.0, counts[4] / 2.0);
    let b = first - counts[0];
    let other = found.doc_topic[(1, 0)] * 4.0 - 0.5 - counts[4];
    let q = [a, a, b, other, c, c].map(|p| [p, 1.0 - p]);
    collapsed.see(collapsed_bound(&q), ln_evidence);
    let on = "the same corpus";
    Ok(vec![
        mean_field.row(
            "evidence from below",
            ["variational Bayes", "64 states"],
            on,
            "bound (`posterior-topics/lda/variational/exact.rs`)",
        ),
        collapsed.row(
            "evidence from below",
            ["collapsed variational Bayes, its q(z)", "64 states"],
            on,
            "bound, above that of variational Bayes (`posterior-topics/lda/collapsed_variational/exact.rs`)",
        ),
    ])
}

/// Probabilistic semantic analysis is the factorisation by divergence, updated jointly.
fn twins() -> Outcome<Row> {
    let mut rng = stream(1, &[]);
    let counts: Vec<Vec<u32>> =
        (0..9).map(|_| (0..7).map(|_| rng.random_range(0..6_u32).saturating_sub(2)).collect()).collect();
    let words = (0..7).map(|w| format!("w{w}")).collect();
    let names = (0..9).map(|d| format!("d{d}")).collect();
    let row = |row: &Vec<u32>| row.iter().enumerate().map(|(w, &n)| (w as u32, n)).collect();
    let corpus = Corpus::from_rows(words, names, counts.iter().map(row).collect())?;
    let one = plsa::PlsaOptions { topics: 3, max_iterations: 1, ..plsa::PlsaOptions::default() };
    let start = plsa::fit(&corpus, &one, &mut Silent)?;
    let totals: Vec<f64> = counts.iter().map(|row| f64::from(row.iter().sum::<u32>())).collect();
    let documents = DMatrix::from_fn(9, 3, |d, k| totals[d] * start.doc_topic[(d, k)]);
    let joint = nonnegative_factorization::FactorizationOptions {
        update: FactorizationUpdate::Joint,
        ..nonnegative_factorization::FactorizationOptions::default()
    };
    let joint =
        nonnegative_factorization::FactorizationOptions { tolerance: 0.0, max_iterations: 25, ..joint };
    let topics = start.model.topics().topic_word();
    let factors = nonnegative_factorization::fit_from(&corpus, &documents, topics, &joint, &mut Silent)?;
    let em = plsa::PlsaOptions { tolerance: 0.0, max_iterations: 25, ..plsa::PlsaOptions::default() };
    let twin = plsa::fit_from(&corpus, &start.parameters(), &em, &mut Silent)?;
    let mut seen = Comparison::default();
    seen.see_all(factors.doc_topic.as_slice(), twin.doc_topic.as_slice());
    seen.see_all(factors.model.topics().topic_word().as_slice(), twin.model.topics().topic_word().as_slice());
    Ok(seen.exact(
        "25 steps: topics and proportions",
        ["semantic analysis by EM", "factorisation by divergence, joint updates"],
        "9 documents, 7 words, 3 topics",
        "1e-11 (`posterior-topics/nonnegative_factorization.rs`)",
    ))
}

const ALPHA: [f64; 3] = [0.3, 0.8, 0.15];
const PHI: [[f64; 5]; 3] =
    [[0.55, 0.30, 0.05, 0.05, 0.05], [0.05, 0.10, 0.60, 0.20, 0.05], [0.05, 0.05, 0.05, 0.15, 0.70]];

/// ln p(w) as the sum over all assignments of topics to the tokens.
fn enumerated(tokens: &[usize]) -> f64 {
    let total: f64 = ALPHA.iter().sum();
    let mut sum = 0.0;
    for code in 0..3_usize.pow(tokens.len() as u32) {
        let (mut counts, mut words) = ([0_usize; 3], 1.0);
        for (n, &word) in tokens.iter().enumerate() {
            let k = code / 3_usize.pow(n as u32) % 3;
            counts[k] += 1;
            words *= PHI[k][word];
        }
        let prior: f64 = counts.iter().zip(ALPHA).map(|(&n, a)| ln_gamma(a + n as f64) - ln_gamma(a)).sum();
        sum += words * (prior + ln_gamma(total) - ln_gamma(total + tokens.len() as f64)).exp();
    }
    sum.ln()
}

fn held_out() -> Outcome<Vec<Row>> {
    let words: Vec<String> = (0..5).map(|v| format!("w{v}")).collect();
    let topics = Topics::new(
        words.clone(),
        DMatrix::from_fn(3, 5, |k, v| PHI[k][v]),
        vec![1.0 / 3.0; 3],
        vec![0.2; 5],
    )?;
    let rows = vec![vec![(0, 2), (1, 1), (2, 3), (4, 2)], vec![(0, 1), (3, 7)], vec![(2, 2), (4, 7)]];
    let names = (0..3).map(|d| format!("d{d}")).collect();
    let unseen = Corpus::from_rows(words, names, rows.clone())?;
    let known = exact(&topics, &ALPHA, &unseen, 10_000)?;
    let mut seen = Comparison::default();
    for (row, ln) in rows.iter().zip(&known.ln_likelihood) {
        let tokens: Vec<usize> = row.iter().flat_map(|&(w, n)| vec![w as usize; n as usize]).collect();
        seen.see(*ln, enumerated(&tokens));
    }
    let off = |estimate: &HeldOutEstimate| {
        let pairs = estimate.ln_likelihood.iter().zip(&known.ln_likelihood).zip(&estimate.standard_errors);
        pairs.map(|((ln, exact), error)| ((exact - ln).exp_m1() / error).abs()).fold(0.0, f64::max)
    };
    let sequential = left_to_right(
        &topics,
        &ALPHA,
        &unseen,
        &LeftToRight { particles: 5, runs: 1000, seed: 4, ..LeftToRight::default() },
    )?;
    let tempered = annealed(
        &topics,
        &ALPHA,
        &unseen,
        &Annealed { runs: 1000, seed: 4, ..Annealed::new(TemperatureSchedule::power(50, 3.0)?) },
    )?;
    let by_chib = chib(&topics, &ALPHA, &unseen, &Chib { runs: 1000, seed: 4, ..Chib::default() })?;
    let mut found = vec![seen.exact(
        "ln p(document), topics given",
        ["recursion over counts of topics", "all assignments"],
        "3 documents of 8 or 9 words, 3 topics",
        "1e-13 (`posterior-topics/held_out/exact.rs`)",
    )];
    for (name, estimate) in [
        ("left to right", &sequential),
        ("annealed importance sampling", &tempered),
        ("Chib's estimator", &by_chib),
    ] {
        found.push(
            Row::new(
                "ln p(document), topics given",
                [name, "recursion over counts of topics"],
                "the same documents, 1,000 runs",
                Measure::StandardErrors(off(estimate)),
                "4 s.e. (`posterior-topics/held_out/estimators.rs`)",
            )
            .of(3),
        );
    }
    Ok(found)
}
