//! Tests of the chain.

use posterior_dist::stream::stream;
use posterior_math::linalg::DMatrix;
use posterior_math::special::ln_rising_factorial;

use super::*;

/// ln p(W, Z) of two documents (0, 0, 1) and (1, 2, 2) from its definition, token by token.
fn ln_joint(z: &[usize], alpha: &DMatrix<f64>, beta: f64) -> f64 {
    let words = [0, 0, 1, 1, 2, 2];
    let (mut document, mut word, mut total) = ([[0.0; 2]; 2], [[0.0; 2]; 3], [0.0; 2]);
    let mut ln = 0.0;
    for (i, (&k, &w)) in z.iter().zip(&words).enumerate() {
        let d = i / 3;
        let before = (i % 3) as f64;
        ln += ((alpha[(d, k)] + document[d][k]) / (alpha.row(d).sum() + before)).ln();
        ln += ((beta + word[w][k]) / (3.0 * beta + total[k])).ln();
        document[d][k] += 1.0;
        word[w][k] += 1.0;
        total[k] += 1.0;
    }
    ln
}

/// 64 assignments by enumeration: chi-square with 63 degrees of freedom beyond 119.6 has probability 2e-5 if
/// draws are independent; each tenth sweep of six tokens is.
#[test]
fn the_stationary_distribution_is_that_of_enumeration() {
    let names = ["1", "2"].map(str::to_owned).to_vec();
    let vocabulary = ["a", "b", "c"].map(str::to_owned).to_vec();
    let corpus =
        Corpus::from_rows(vocabulary, names, vec![vec![(0, 2), (1, 1)], vec![(1, 1), (2, 2)]]).unwrap();
    for alpha in [[0.5, 0.5, 0.5, 0.5], [0.3, 0.9, 1.2, 0.2]] {
        let alpha = DMatrix::from_row_slice(2, 2, &alpha);
        let assignment = |code: usize| -> Vec<usize> { (0..6).map(|i| code >> i & 1).collect() };
        let ln: Vec<f64> = (0..64).map(|code| ln_joint(&assignment(code), &alpha, 0.5)).collect();
        let evidence: f64 = ln.iter().map(|ln| ln.exp()).sum();
        if alpha[(0, 0)] == 0.5 {
            assert!((evidence.ln() + 7.579_509_060_188_357).abs() < 1e-12);
        }
        let mut rng = stream(1, &[]);
        let mut chain = TokenTopics::new(&corpus, 2, 0.5, |_| rng.random_range(0..2));
        let mut counts = [0.0; 64];
        let draws = 20_000;
        for _ in 0..draws {
            for d in (0..10).flat_map(|_| 0..2) {
                let own: Vec<f64> = alpha.row(d).iter().copied().collect();
                chain.sweep_document(d, &(0..2), &own, &mut (), &mut rng);
            }
            let code: usize = chain.assignment().iter().enumerate().map(|(i, &k)| usize::from(k) << i).sum();
            counts[code] += 1.0;
        }
        let chi_square: f64 = (0..64)
            .map(|code| {
                let expected = f64::from(draws) * ln[code].exp() / evidence;
                (counts[code] - expected).powi(2) / expected
            })
            .sum();
        assert!(chi_square < 119.6, "{chi_square}");
    }
}

#[test]
fn words_given_topics() {
    let names = ["1", "2"].map(str::to_owned).to_vec();
    let vocabulary = ["a", "b", "c"].map(str::to_owned).to_vec();
    let corpus =
        Corpus::from_rows(vocabulary, names, vec![vec![(0, 2), (1, 1)], vec![(1, 1), (2, 2)]]).unwrap();
    let mut rng = stream(4, &[]);
    let chain = TokenTopics::new(&corpus, 2, 0.5, |_| rng.random_range(0..2));
    let z: Vec<usize> = chain.assignment().iter().map(|&k| usize::from(k)).collect();
    let alpha = DMatrix::from_element(2, 2, 0.5);
    let documents: f64 = z
        .chunks(3)
        .map(|z| {
            let ones = z.iter().sum::<usize>() as u64;
            let ln = |n| ln_rising_factorial(0.5, n);
            ln(ones) + ln(3 - ones) - ln_rising_factorial(1.0, 3)
        })
        .sum();
    assert!((chain.ln_words() + documents - ln_joint(&z, &alpha, 0.5)).abs() < 1e-12);
}
