//! Latent semantic analysis against dense eigenvalues, and on the State of the Union.

use posterior_math::linalg::{DMatrix, SymmetricEigen, multiply, transpose_multiply};
use posterior_testkit::accuracy::{assert_close, assert_within};
use posterior_topics::corpus::{Document, tf_idf};
use posterior_topics::semantic_analysis::{self, SemanticAnalysisOptions, cosine};
use posterior_topics::{Corpus, Weighting};

use crate::plsa::{corpus, random_counts};

/// Documents x words.
fn dense(corpus: &Corpus, weighting: Weighting) -> DMatrix<f64> {
    let mut matrix = DMatrix::zeros(corpus.documents(), corpus.vocabulary().len());
    if weighting == Weighting::TfIdf {
        for (d, row) in tf_idf(corpus).into_iter().enumerate() {
            for (w, value) in row {
                matrix[(d, w as usize)] = value;
            }
        }
    } else {
        for (d, document) in corpus.iter().enumerate() {
            for (&w, &n) in document.words.iter().zip(document.counts) {
                matrix[(d, w as usize)] = f64::from(n);
            }
        }
    }
    matrix
}

/// The singular values by the eigenvalues of A Aᵀ, largest first.
fn singular_values(matrix: &DMatrix<f64>) -> Vec<f64> {
    let gram = multiply(matrix, &matrix.transpose());
    let mut values: Vec<f64> =
        SymmetricEigen::new(&gram).unwrap().values().iter().map(|value| value.max(0.0).sqrt()).collect();
    values.sort_by(|a, b| b.total_cmp(a));
    values
}

#[test]
fn small_matrices_are_decomposed_to_the_last_digits() {
    let corpus = corpus(&random_counts(15, 25, 1));
    for weighting in [Weighting::Counts, Weighting::TfIdf] {
        let matrix = dense(&corpus, weighting);
        let options =
            SemanticAnalysisOptions { components: 6, weighting, ..SemanticAnalysisOptions::default() };
        let found = semantic_analysis::fit(&corpus, &options).unwrap();
        for (value, expected) in found.singular_values().iter().zip(singular_values(&matrix)) {
            assert_close(*value, expected, 1e-10);
        }
        // V is orthonormal, A V = U Σ, and Aᵀ U Σ = V Σ².
        let orthonormal = transpose_multiply(found.words(), found.words());
        assert!((orthonormal - DMatrix::identity(6, 6)).amax() < 1e-12);
        assert!((multiply(&matrix, found.words()) - found.documents()).amax() < 1e-10);
        let back = transpose_multiply(&matrix, found.documents());
        for (k, value) in found.singular_values().iter().enumerate() {
            let column = found.words().column(k) * (value * value);
            // The subspace is right to about the root of what its values are.
            assert!((column - back.column(k)).amax() < 1e-6 * value * value);
            let ends = found.leading_words(k, 1);
            let largest = found.words().column(k).amax();
            assert_eq!(ends.positive[0].weight, largest);
        }
        for d in 0..15 {
            for (x, k) in found.project(corpus.document(d)).iter().zip(0..) {
                assert_within(*x, found.documents()[(d, k)], 1e-10);
            }
        }
    }
}

#[test]
fn what_is_explained_adds_up() {
    let corpus = corpus(&random_counts(8, 12, 2));
    // All eight components.
    let all = semantic_analysis::fit(
        &corpus,
        &SemanticAnalysisOptions { components: 12, ..SemanticAnalysisOptions::default() },
    )
    .unwrap();
    assert_eq!(all.components(), 8);
    assert_close(all.explained_squares().iter().sum::<f64>(), 1.0, 1e-12);
    assert_close(all.explained_variance().iter().sum::<f64>(), 1.0, 1e-12);
    assert!(all.explained_squares().windows(2).all(|pair| pair[0] >= pair[1]));
    // Documents that are all alike: one component has all squares, and there is no variance.
    let alike = crate::plsa::corpus(&[vec![3, 1, 2], vec![3, 1, 2]]);
    let one = semantic_analysis::fit(
        &alike,
        &SemanticAnalysisOptions { components: 1, ..SemanticAnalysisOptions::default() },
    )
    .unwrap();
    assert_close(one.explained_squares()[0], 1.0, 1e-14);
    assert_eq!(one.explained_variance(), [0.0]);
    assert_close(one.singular_values()[0], 28_f64.sqrt(), 1e-14);
}

#[test]
fn the_nearest_matrix_of_its_rank() {
    // Eckart and Young: what is left is the sum of the squares of the dropped values.
    let corpus = corpus(&random_counts(20, 30, 3));
    let matrix = dense(&corpus, Weighting::Counts);
    // With as many directions as there are documents nothing is left to chance.
    let options =
        SemanticAnalysisOptions { components: 5, oversampling: 15, ..SemanticAnalysisOptions::default() };
    let found = semantic_analysis::fit(&corpus, &options).unwrap();
    let left = (multiply(found.documents(), &found.words().transpose()) - &matrix).norm_squared();
    let dropped: f64 = singular_values(&matrix)[5..].iter().map(|value| value * value).sum();
    assert_close(left, dropped, 1e-10);
}

/// How far value `k` is too low, relatively, after `q` power iterations with `size` random directions, on
/// average at most.
///
/// The projection has a vector at tangent t from singular vector `k`, with E t² = sum over i >= m of (σ_i /
/// σ_k)^(4 q + 2) / (size - m - 1) for any m up to size - 2 (Halko, Martinsson and Tropp 2011, theorems 9.1
/// and 10.5), and values are right to t² / 2: their exponent is twice the 2 q + 1 of the vectors. On the
/// counts of the State of the Union the errors of six seeds are below it.
fn values_tolerance(values: &[f64], k: usize, size: usize, q: usize) -> f64 {
    let power = 4.0 * q as f64 + 2.0;
    let of_first = |m: usize| {
        let proportions = values[m..].iter().map(|value| (value / values[k]).powf(power));
        0.5 * proportions.sum::<f64>() / (size - m - 1) as f64
    };
    (k + 1..size - 1).map(of_first).fold(f64::INFINITY, f64::min)
}

#[test]
fn components_of_the_state_of_the_union() {
    let sotu = posterior_datasets::sotu::load();
    let names = sotu.addresses.iter().map(|address| address.name.clone()).collect();
    let rows = sotu.addresses.into_iter().map(|address| address.counts).collect();
    let corpus = Corpus::from_rows(sotu.vocabulary, names, rows).unwrap();
    let options = SemanticAnalysisOptions { components: 10, ..SemanticAnalysisOptions::default() };
    let found = semantic_analysis::fit(&corpus, &options).unwrap();
    let expected = singular_values(&dense(&corpus, Weighting::Counts));
    for power_iterations in [2, 4, 6, 20] {
        let found = semantic_analysis::fit(&corpus, &SemanticAnalysisOptions { power_iterations, ..options })
            .unwrap();
        for (k, value) in found.singular_values().iter().enumerate() {
            let tolerance = values_tolerance(&expected, k, 20, power_iterations).max(1e-10);
            let error = 1.0 - value / expected[k];
            // No value of a projection is above that of the matrix.
            assert!(error > -1e-12 && error < tolerance, "{power_iterations}, {k}: {error:e} {tolerance:e}");
        }
    }
    // All but the first have both signs, in hundreds of words.
    for k in 1..10 {
        let negative = found.words().column(k).iter().filter(|x| **x < -1e-4).count();
        let positive = found.words().column(k).iter().filter(|x| **x > 1e-4).count();
        assert!(negative > 500 && positive > 500, "{k}: {negative} and {positive}");
    }
    // An address is nearer to one of its time than to one of another century.
    let near = |a: &str, b: &str| {
        let place = |year: &str| corpus.names().iter().position(|name| name.starts_with(year)).unwrap();
        let [a, b] = [a, b].map(|year| found.project(corpus.document(place(year))));
        cosine(&a, &b)
    };
    assert!(near("1863", "1864") > near("1863", "2001"));
    assert!(near("2002", "2003") > near("2002", "1850"));
}

#[test]
fn seeds_and_threads() {
    let corpus = corpus(&random_counts(300, 90, 4));
    let options = SemanticAnalysisOptions { components: 4, seed: 7, ..SemanticAnalysisOptions::default() };
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| semantic_analysis::fit(&corpus, &options).unwrap())
    };
    assert_eq!(run(1), run(3));
    // The values of noise are close to each other: only many power iterations tell them apart.
    let other = SemanticAnalysisOptions { seed: 8, power_iterations: 200, ..options };
    let other = semantic_analysis::fit(&corpus, &other).unwrap();
    assert_close(run(1).singular_values()[0], other.singular_values()[0], 1e-10);
    for (a, b) in run(1).singular_values().iter().zip(other.singular_values()) {
        assert!(*a < b * (1.0 + 1e-12) && *a > 0.97 * b, "{a} {b}");
    }
}

#[test]
fn edges() {
    let single = corpus(&[vec![u32::MAX]]);
    let found = semantic_analysis::fit(&single, &SemanticAnalysisOptions::default()).unwrap();
    assert_eq!((found.components(), found.leading_words(0, 9).positive.len()), (1, 1));
    assert_close(found.singular_values()[0], f64::from(u32::MAX), 1e-14);
    let shared = corpus(&[vec![1, 2], vec![3, 1]]);
    let weightless =
        SemanticAnalysisOptions { weighting: Weighting::TfIdf, ..SemanticAnalysisOptions::default() };
    assert!(semantic_analysis::fit(&shared, &weightless).is_err_and(|error| error.is_corpus()));
    assert!(
        semantic_analysis::fit(
            &shared,
            &SemanticAnalysisOptions { components: 0, ..SemanticAnalysisOptions::default() }
        )
        .is_err_and(|error| error.is_parameter())
    );
    let gaps = corpus(&[vec![0, 0, 0], vec![1, 0, 2], vec![2, 0, 1]]);
    let found = semantic_analysis::fit(&gaps, &weightless).unwrap();
    assert_eq!(found.project(Document { words: &[], counts: &[] }), vec![0.0; found.components()]);
    assert!(found.documents().row(0).iter().all(|&x| x == 0.0));
    assert_eq!(cosine(&[0.0, 0.0], &[1.0, 0.0]), 0.0);
}
