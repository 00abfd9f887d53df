//! The exact distribution of the topics of six tokens, by all numbers of tables of all partitions.
//!
//! By the definition of the process alone: customers of a document take tables, tables of all documents take
//! topics, and words are drawn from topics that are integrated out. Nothing of the samplers is used.

use posterior_latent::partition::{Partition, all_partitions};
use posterior_topics::Corpus;

/// Documents (0, 0, 1) and (1, 2, 2).
pub(super) fn corpus() -> Corpus {
    let words = ["a", "b", "c"].map(str::to_owned).to_vec();
    let names = ["first", "second"].map(str::to_owned).to_vec();
    Corpus::from_rows(words, names, vec![vec![(0, 2), (1, 1)], vec![(1, 1), (2, 2)]]).unwrap()
}

/// The tokens of a corpus in the order of the samplers: document and word.
pub(super) fn tokens(corpus: &Corpus) -> Vec<(usize, usize)> {
    let of_document = |(d, document): (usize, posterior_topics::corpus::Document<'_>)| {
        let entries: Vec<(u32, u32)> =
            document.words.iter().copied().zip(document.counts.iter().copied()).collect();
        entries.into_iter().flat_map(move |(w, n)| (0..n).map(move |_| (d, w as usize))).collect::<Vec<_>>()
    };
    corpus.iter().enumerate().flat_map(of_document).collect()
}

/// Prior concentrations of a model.
#[derive(Clone, Copy)]
pub(super) struct Known {
    pub(super) alpha: f64,
    pub(super) gamma: f64,
    pub(super) beta: f64,
}

/// p(partition, words) of every partition of the tokens, in the order of [`all_partitions`].
pub(super) fn joints(corpus: &Corpus, known: Known) -> Vec<(Partition, f64)> {
    let tokens = tokens(corpus);
    let words = corpus.vocabulary().len();
    let joint = |partition: Partition| {
        let topics = partition.blocks();
        let mut own = vec![vec![0_usize; topics]; corpus.documents()];
        let mut counts = vec![vec![0_usize; words]; topics];
        for (&(d, w), &k) in tokens.iter().zip(partition.labels()) {
            own[d][k as usize] += 1;
            counts[k as usize][w] += 1;
        }
        let probability = prior(&own, known) * likelihood(&counts, known.beta);
        (partition, probability)
    };
    all_partitions(tokens.len()).map(joint).collect()
}

/// a (a + 1) … (a + n - 1).
fn rising(a: f64, n: usize) -> f64 {
    (0..n).map(|i| a + i as f64).product()
}

/// |s(n, m)| by the recursion in integers.
fn stirling(n: usize, m: usize) -> u64 {
    match (n, m) {
        (0, 0) => 1,
        (0, _) | (_, 0) => 0,
        _ => stirling(n - 1, m - 1) + (n as u64 - 1) * stirling(n - 1, m),
    }
}

/// The probability that tokens have these topics: `own` has the tokens by document and topic.
fn prior(own: &[Vec<usize>], known: Known) -> f64 {
    let topics = own[0].len();
    let cells: Vec<usize> = own.iter().flatten().copied().collect();
    let seated: f64 = own.iter().map(|own| rising(known.alpha, own.iter().sum())).product();
    let mut sum = 0.0;
    let mut tables: Vec<usize> = cells.iter().map(|&n| n.min(1)).collect();
    loop {
        let ways: f64 = cells
            .iter()
            .zip(&tables)
            .map(|(&n, &m)| stirling(n, m) as f64 * known.alpha.powf(m as f64))
            .product();
        let served: Vec<usize> = (0..topics).map(|k| tables.iter().skip(k).step_by(topics).sum()).collect();
        let all: usize = served.iter().sum();
        let partition: f64 = served.iter().map(|&m| known.gamma * rising(1.0, m - 1)).product::<f64>()
            / rising(known.gamma, all);
        sum += ways * partition / seated;
        // The next numbers of tables, cell by cell.
        let Some(cell) = (0..cells.len()).find(|&cell| tables[cell] < cells[cell]) else { return sum };
        tables[cell] += 1;
        for before in 0..cell {
            tables[before] = cells[before].min(1);
        }
    }
}

/// The probability of the words given topics with these counts of words.
fn likelihood(counts: &[Vec<usize>], beta: f64) -> f64 {
    let topic = |counts: &Vec<usize>| {
        let words: f64 = counts.iter().map(|&n| rising(beta, n)).product();
        words / rising(beta * counts.len() as f64, counts.iter().sum())
    };
    counts.iter().map(topic).product()
}

/// The prior of partitions is one: without words, the sum is one. And with one document that has no table of
/// two customers in one topic... the process of one document alone is the Dirichlet process where γ is large.
#[test]
fn the_enumeration_is_a_distribution() {
    for known in [Known { alpha: 1.3, gamma: 0.7, beta: 0.5 }, Known { alpha: 0.2, gamma: 4.0, beta: 0.5 }] {
        let word = vec!["only".to_owned()];
        let names = ["first", "second"].map(str::to_owned).to_vec();
        let corpus = Corpus::from_rows(word, names, vec![vec![(0, 4)], vec![(0, 3)]]).unwrap();
        let sum: f64 = joints(&corpus, known).iter().map(|(_, p)| p).sum();
        assert!((sum - 1.0).abs() < 1e-12, "{sum}");
    }
}

/// As γ grows no two tables share a topic, and topics of one document are tables: the Chinese restaurant
/// process, whose golden numbers at concentration 1 are (24, 50, 35, 10, 1)/120 for five customers.
#[test]
fn one_document_far_from_sharing_is_a_chinese_restaurant() {
    let corpus =
        Corpus::from_rows(vec!["only".to_owned()], vec!["one".to_owned()], vec![vec![(0, 5)]]).unwrap();
    let mut distribution = [0.0; 5];
    for (partition, p) in joints(&corpus, Known { alpha: 1.0, gamma: 1e9, beta: 0.5 }) {
        distribution[partition.blocks() - 1] += p;
    }
    for (found, exact) in distribution.iter().zip([24.0, 50.0, 35.0, 10.0, 1.0]) {
        assert!((found - exact / 120.0).abs() < 1e-7, "{distribution:?}");
    }
}
