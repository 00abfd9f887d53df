//! The chain against enumeration and integrals, and against draws from the model itself.

use posterior_dist::choose;
use posterior_gaussian::MomentGaussian;
use posterior_math::linalg::Cholesky;
use posterior_math::special::ln_rising_factorial;
use posterior_sampling::Error;
use posterior_sampling::calibration::{JointDistribution, SimulationModel};
use posterior_sampling::diagnostics::mcse_mean;
use posterior_testkit::accuracy::{assert_close, assert_within};
use posterior_testkit::significance::{LEVEL, chi_square_p_value};
use rand::{Rng, RngExt};
use rand_distr::{Distribution, StandardNormal};

use super::*;
use crate::distributions::draw_ln_dirichlet;
use crate::structural_topics::options::StructuralTopicsOptions;
use crate::structural_topics::words::WordPrior;

pub(in crate::structural_topics) fn corpus() -> Corpus {
    let rows = vec![vec![(0, 2), (1, 1)], vec![(1, 2)]];
    Corpus::from_rows(["a", "b"].map(str::to_owned).to_vec(), names(2), rows).unwrap()
}

fn names(count: usize) -> Vec<String> {
    (0..count).map(|i| i.to_string()).collect()
}

/// A chain without features; documents have the levels 0, 1, 0 and so on.
pub(in crate::structural_topics) fn sampler<'a>(
    corpus: &'a Corpus,
    options: &StructuralTopicsOptions,
    levels: usize,
) -> StructuralGibbs<'a> {
    let documents = corpus.documents();
    sampler_of(corpus, DMatrix::zeros(documents, 0), levels, options)
}

fn sampler_of<'a>(
    corpus: &'a Corpus,
    features: DMatrix<f64>,
    levels: usize,
    options: &StructuralTopicsOptions,
) -> StructuralGibbs<'a> {
    let (documents, words, topics) = (corpus.documents(), corpus.vocabulary().len(), options.topics);
    let design = Design::new(&features, options).unwrap();
    let gamma = DMatrix::zeros(1 + features.ncols(), topics - 1);
    let regression = design.regression(gamma, &Cholesky::identity(topics - 1)).unwrap();
    let phi = DMatrix::from_element(topics, words, 1.0 / words as f64);
    StructuralGibbs {
        corpus,
        topics,
        seed: options.seed,
        sweeps: 0,
        levels: (0..documents).map(|d| d % levels).collect(),
        design,
        words: TopicWords::new(&phi, levels, ln_proportions(words), options),
        regression,
        first_constants: (0..topics - 1).map(|k| 0.4 * k as f64 - 0.3).collect(),
        eta: vec![0.0; documents * (topics - 1)],
        document_topic: vec![0; documents * topics],
        word_topic: vec![0; words * topics * levels],
    }
}

/// The last word is twice as frequent as others.
fn ln_proportions(words: usize) -> Vec<f64> {
    let weight = |v: usize| if v + 1 == words { 2.0 } else { 1.0 };
    (0..words).map(|v| f64::ln(weight(v) / (words as f64 + 1.0))).collect()
}

/// Weights of the counts of the first topic in the two documents of [`corpus`], and the integrals that go
/// with them: of `theta_0 theta_1`, of the precision of log-ratios, and of the constant times `theta_0`.
///
/// With the regression integrated out, log-ratios are Student t: `(2 v + e' M^-1 e)^(-5/2)`, M = I + V 1 1'.
fn exact(options: &StructuralTopicsOptions) -> ([f64; 12], [f64; 3]) {
    let spread = options.intercept_variance;
    let (mut integrals, mut sums) = ([0.0; 12], [[0.0; 3]; 12]);
    // In the logarithm of the distance from zero, at both sides: tails are long.
    let nodes: Vec<(f64, f64)> =
        (-320..=320).map(|i| f64::from(i) * 0.02).map(|t| (t.sinh(), t.cosh())).collect();
    for &(a, a_step) in &nodes {
        for &(b, b_step) in &nodes {
            let pulled = spread / (1.0 + 2.0 * spread) * (a + b);
            let distance = 2.0 * options.document_variance + a * a + b * b - pulled * (a + b);
            let weight = a_step * b_step * distance.powf(-2.5);
            let [p, q] = [a, b].map(|x: f64| 1.0 / (1.0 + (-x).exp()));
            for (cell, integral) in integrals.iter_mut().enumerate() {
                let (i, j) = ((cell / 3) as i32, (cell % 3) as i32);
                let own = weight * p.powi(i) * (1.0 - p).powi(3 - i) * q.powi(j) * (1.0 - q).powi(2 - j);
                *integral += own;
                let terms = [p * q, 5.0 / distance, pulled * p];
                sums[cell].iter_mut().zip(terms).for_each(|(sum, term)| *sum += own * term);
            }
        }
    }
    let words = [0_usize, 0, 1, 1, 1];
    let mut weights = [0.0; 12];
    for code in 0..32_usize {
        let mut counts = [[0_u64; 2]; 2];
        words.iter().enumerate().for_each(|(i, &word)| counts[code >> i & 1][word] += 1);
        let of_topic = |n: &[u64; 2]| {
            let each = n.iter().map(|&n| ln_rising_factorial(options.beta, n)).sum::<f64>();
            each - ln_rising_factorial(2.0 * options.beta, n[0] + n[1])
        };
        let first = |range: std::ops::Range<usize>| range.filter(|&i| code >> i & 1 == 0).count();
        weights[first(0..3) * 3 + first(3..5)] += counts.iter().map(of_topic).sum::<f64>().exp();
    }
    let total: f64 = weights.iter().zip(integrals).map(|(w, integral)| w * integral).sum();
    let cells = std::array::from_fn(|cell| weights[cell] * integrals[cell] / total);
    let means = std::array::from_fn(|i| {
        weights.iter().zip(&sums).map(|(weight, sums)| weight * sums[i]).sum::<f64>() / total
    });
    (cells, means)
}

/// False alarm: one in ten thousand seeds.
#[test]
fn topics_and_log_ratios_follow_enumeration_and_integrals() {
    let options = StructuralTopicsOptions {
        topics: 2,
        beta: 0.7,
        intercept_variance: 1.5,
        document_variance: 0.8,
        seed: 5,
        ..StructuralTopicsOptions::default()
    };
    let (cells, means) = exact(&options);
    assert_close(cells.iter().sum(), 1.0, 1e-12);
    let corpus = corpus();
    let mut gibbs = sampler(&corpus, &options, 1);
    let mut counts = [0_u64; 12];
    let mut chains: [Vec<f64>; 3] = Default::default();
    const SWEEPS: usize = 100_000;
    const APART: usize = 20;
    for sweep in 0..SWEEPS {
        gibbs.draw_documents_and_words();
        gibbs.draw_regression().unwrap();
        let theta: Vec<f64> = gibbs.proportions().collect();
        let terms = [
            theta[0] * theta[2],
            gibbs.regression.precision[(0, 0)],
            gibbs.regression.gamma[(0, 0)] * theta[0],
        ];
        chains.iter_mut().zip(terms).for_each(|(chain, term)| chain.push(term));
        if sweep % APART == 0 {
            counts[(gibbs.document_topic[0] * 3 + gibbs.document_topic[2]) as usize] += 1;
        }
    }
    for (chain, exact) in chains.iter().zip(means) {
        let mean = chain.iter().sum::<f64>() / chain.len() as f64;
        let error = mcse_mean(&[chain]).unwrap();
        assert_within(mean, exact, 4.5 * error);
        assert!(error < 0.02);
    }
    let expected = cells.map(|p| p * (SWEEPS / APART) as f64);
    let p = chi_square_p_value(&counts, &expected);
    assert!(p > LEVEL, "{p}");
}

/// Five documents of six tokens, a feature, three topics, three words.
struct Model {
    options: StructuralTopicsOptions,
    levels: usize,
}

const DOCUMENTS: usize = 5;
const TOKENS: usize = 6;
const WORDS: usize = 3;

impl Model {
    fn features() -> DMatrix<f64> {
        DMatrix::from_fn(DOCUMENTS, 1, |d, _| d as f64 / 2.0 - 1.0)
    }

    /// Numbers of the regression, of log-ratios, and of words.
    fn lengths(&self) -> [usize; 3] {
        let rows = self.options.topics * self.levels;
        let shared = if self.levels > 1 { self.levels } else { 0 };
        let size = self.options.topics - 1;
        [2 * size + size * (size + 1) / 2, DOCUMENTS * size, WORDS * (rows + shared)]
    }

    fn chain<'a>(&self, corpus: &'a Corpus, parameters: &[f64]) -> StructuralGibbs<'a> {
        let mut gibbs = sampler_of(corpus, Self::features(), self.levels, &self.options);
        let size = self.options.topics - 1;
        let [regression, documents, _] = self.lengths();
        let gamma = DMatrix::from_fn(2, size, |j, k| parameters[2 * k + j].sinh());
        let mut place = 2 * size;
        let mut root = DMatrix::zeros(size, size);
        for i in 0..size {
            for j in 0..=i {
                root[(i, j)] = if i == j { parameters[place].exp() } else { parameters[place].sinh() };
                place += 1;
            }
        }
        gibbs.regression = gibbs.design.regression(gamma, &Cholesky::from_factor(root).unwrap()).unwrap();
        gibbs.eta = parameters[regression..regression + documents].iter().map(|x| x.sinh()).collect();
        let words = &parameters[regression + documents..];
        let (own, shared) = words.split_at(WORDS * gibbs.words.rows);
        match &mut gibbs.words.prior {
            WordPrior::Common { .. } => gibbs.words.ln_phi.copy_from_slice(own),
            WordPrior::Levels(deviations) => {
                deviations.own.copy_from_slice(own);
                deviations.shared.copy_from_slice(shared);
                deviations.write(&mut gibbs.words.ln_phi);
            }
        }
        gibbs.words.phi = gibbs.words.ln_phi.iter().map(|ln| ln.exp()).collect();
        gibbs
    }

    fn parameters(gibbs: &StructuralGibbs<'_>) -> Vec<f64> {
        let mut parameters: Vec<f64> = gibbs.regression.gamma.iter().map(|x| x.asinh()).collect();
        let root = Cholesky::new(&gibbs.regression.covariance).unwrap().into_factor();
        for i in 0..root.nrows() {
            parameters.extend((0..i).map(|j| root[(i, j)].asinh()));
            parameters.push(root[(i, i)].ln());
        }
        parameters.extend(gibbs.eta.iter().map(|x| x.asinh()));
        match &gibbs.words.prior {
            WordPrior::Common { .. } => parameters.extend(&gibbs.words.ln_phi),
            WordPrior::Levels(deviations) => {
                parameters.extend(&deviations.own);
                parameters.extend(&deviations.shared);
            }
        }
        parameters
    }
}

fn normal<R: Rng + ?Sized>(variance: f64, rng: &mut R) -> f64 {
    let noise: f64 = StandardNormal.sample(rng);
    variance.sqrt() * noise
}

/// Written from the definition of the model: topic, level and interaction on their own.
impl SimulationModel for Model {
    type Data = Corpus;

    fn names(&self) -> Vec<String> {
        (0..self.lengths().iter().sum::<usize>()).map(|i| format!("parameter {i}")).collect()
    }

    fn prior<R: Rng + ?Sized>(&self, rng: &mut R) -> Result<Vec<f64>, Error> {
        let StructuralTopicsOptions { topics, document_variance, .. } = self.options;
        let size = topics - 1;
        // An inverse Wishart draw is the inverse of a sum of as many squares of Gaussians.
        let scale =
            (DMatrix::identity(size, size) + DMatrix::from_element(size, size, 1.0)) * document_variance;
        let half = Cholesky::new(&Cholesky::new(&scale).unwrap().inverse()).unwrap().into_factor();
        let noise = DMatrix::from_fn(size, size + 2, |_, _| StandardNormal.sample(rng));
        let squares = &half * noise;
        let covariance = Cholesky::new(&(&squares * squares.transpose())).unwrap().inverse();
        let root = Cholesky::new(&covariance).unwrap().into_factor();
        let variances = [self.options.intercept_variance, self.options.feature_variance];
        let noise = DMatrix::from_fn(2, size, |j, _| normal(variances[j], rng));
        let gamma = noise * root.transpose();
        let features = Self::features();
        let mut parameters: Vec<f64> = gamma.iter().map(|x| x.asinh()).collect();
        for i in 0..size {
            parameters.extend((0..i).map(|j| root[(i, j)].asinh()));
            parameters.push(root[(i, i)].ln());
        }
        for d in 0..DOCUMENTS {
            let noise = DMatrix::from_fn(size, 1, |_, _| StandardNormal.sample(rng));
            let noise = &root * noise;
            let eta = |k: usize| gamma[(0, k)] + gamma[(1, k)] * features[(d, 0)] + noise[k];
            parameters.extend((0..size).map(|k| eta(k).asinh()));
        }
        let rows = topics * self.levels;
        if self.levels == 1 {
            let columns: Vec<Vec<f64>> =
                (0..topics).map(|_| draw_ln_dirichlet(&[self.options.beta; WORDS], rng)).collect();
            parameters.extend((0..WORDS * rows).map(|place| columns[place % rows][place / rows]));
            return Ok(parameters);
        }
        let mut shared = Vec::new();
        for _ in 0..WORDS {
            let of_topic: Vec<f64> = (0..topics).map(|_| normal(self.options.topic_variance, rng)).collect();
            let of_level: Vec<f64> =
                (0..self.levels).map(|_| normal(self.options.level_variance, rng)).collect();
            for row in 0..rows {
                let both = normal(self.options.interaction_variance, rng);
                parameters.push(of_topic[row % topics] + of_level[row / topics] + both);
            }
            shared.extend(of_level);
        }
        parameters.extend(shared);
        Ok(parameters)
    }

    fn simulate<R: Rng + ?Sized>(&self, parameters: &[f64], rng: &mut R) -> Result<Corpus, Error> {
        let (topics, [regression, ..]) = (self.options.topics, self.lengths());
        let eta = &parameters[regression..];
        let words = &eta[DOCUMENTS * (topics - 1)..];
        let rows = topics * self.levels;
        let pick = |weights: &[f64], rng: &mut R| {
            choose(weights, rng.random::<f64>() * weights.iter().sum::<f64>()).unwrap()
        };
        let base = ln_proportions(WORDS);
        let base = |v: usize| if self.levels == 1 { 0.0 } else { base[v] };
        let documents = (0..DOCUMENTS).map(|d| {
            let own = (0..topics - 1).map(|k| eta[d * (topics - 1) + k].sinh().exp());
            let theta: Vec<f64> = own.chain([1.0]).collect();
            let token = |_| {
                let row = d % self.levels * topics + pick(&theta, rng);
                let phi: Vec<f64> = (0..WORDS).map(|v| (base(v) + words[v * rows + row]).exp()).collect();
                (pick(&phi, rng) as u32, 1)
            };
            (0..TOKENS).map(token).collect()
        });
        let documents = documents.collect();
        Ok(Corpus::from_rows(names(WORDS), names(DOCUMENTS), documents).unwrap())
    }

    fn quantity_names(&self) -> Vec<String> {
        vec!["ln p(words)".to_owned()]
    }

    fn quantities(&self, parameters: &[f64], corpus: &Corpus) -> Vec<f64> {
        let gibbs = self.chain(corpus, parameters);
        let theta: Vec<f64> = gibbs.proportions().collect();
        let topics = self.options.topics;
        let of_document = |d: usize| {
            let document = corpus.document(d);
            let ln = |(&word, &count): (&u32, &u32)| {
                let phi = &gibbs.words.phi[word as usize * gibbs.words.rows + gibbs.levels[d] * topics..];
                let p: f64 = (0..topics).map(|k| theta[d * topics + k] * phi[k]).sum();
                f64::from(count) * p.ln()
            };
            document.words.iter().zip(document.counts).map(ln).sum::<f64>()
        };
        vec![(0..DOCUMENTS).map(of_document).sum()]
    }
}

fn check_joint_distribution(model: &Model, runs: usize) {
    let test = JointDistribution { draws: 200 * runs, runs, steps: 100, seed: 1 };
    let sweep = |parameters: &mut Vec<f64>, corpus: &Corpus, rng: &mut rand_pcg::Pcg64| {
        let mut gibbs = model.chain(corpus, parameters);
        gibbs.seed = rng.random();
        gibbs.draw_documents_and_words();
        gibbs.draw_regression().unwrap();
        *parameters = Model::parameters(&gibbs);
        Ok(())
    };
    let report = test.run(model, sweep).unwrap();
    println!("{report}");
    assert!(report.passes(1e-4), "{}", report.p_value());
}

fn options() -> StructuralTopicsOptions {
    StructuralTopicsOptions {
        topics: 3,
        beta: 1.2,
        document_variance: 0.6,
        feature_variance: 0.5,
        intercept_variance: 1.3,
        topic_variance: 1.5,
        level_variance: 0.4,
        interaction_variance: 0.7,
        ..StructuralTopicsOptions::default()
    }
}

/// False alarm: one in ten thousand seeds.
#[test]
fn sweeps_keep_the_joint_distribution_of_the_model() {
    for levels in [1, 2] {
        check_joint_distribution(&Model { options: options(), levels }, 100);
    }
}

#[test]
#[ignore = "slow: thousands of runs"]
fn many_sweeps_keep_the_joint_distribution_of_the_model() {
    for levels in [1, 2] {
        check_joint_distribution(&Model { options: options(), levels }, 2000);
    }
}

/// ln p(words, topics of tokens, log-ratios) from its definition.
#[test]
fn the_joint_is_the_sum_of_its_parts() {
    let corpus = corpus();
    let mut gibbs = sampler(&corpus, &options(), 2);
    gibbs.draw_documents_and_words();
    gibbs.draw_regression().unwrap();
    let theta: Vec<f64> = gibbs.proportions().collect();
    let count = |n: u32, p: f64| f64::from(n) * p.ln();
    let words: f64 = gibbs.word_topic.iter().zip(&gibbs.words.phi).map(|(&n, &phi)| count(n, phi)).sum();
    let topics: f64 = gibbs.document_topic.iter().zip(&theta).map(|(&n, &theta)| count(n, theta)).sum();
    let documents = gibbs.eta.chunks_exact(2).zip(gibbs.regression.means.column_iter());
    let normals = documents.map(|(eta, mean)| {
        let mean: Vec<f64> = mean.iter().copied().collect();
        MomentGaussian::new(&mean, &gibbs.regression.covariance).unwrap().ln_pdf(eta).unwrap()
    });
    assert_close(gibbs.ln_joint(), words + topics + normals.sum::<f64>(), 1e-10);
}
