//! The result: documents and words as points.

use posterior_latent::principal_components::TruncatedSvd;
use posterior_math::linalg::{DMatrix, written};
use serde::{Deserialize, Serialize};

use crate::Corpus;
use crate::checkpoint::check_format;
use crate::corpus::Document;
use crate::term_matrix::TermMatrix;
use crate::topics::require_word;

const FORMAT: &str = "posterior-semantic-analysis-1";

/// A latent semantic analysis: documents and words in the coordinates of the leading singular vectors.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "File", into = "File")]
pub struct SemanticAnalysis {
    vocabulary: Vec<String>,
    /// By what counts are multiplied.
    factors: Vec<f64>,
    values: Vec<f64>,
    documents: DMatrix<f64>,
    words: DMatrix<f64>,
    explained_squares: Vec<f64>,
    explained_variance: Vec<f64>,
}

/// A word and its coordinate in a component.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct WeightedWord {
    /// The word's id.
    pub word: usize,
    /// Its coordinate.
    pub weight: f64,
}

/// The words at both ends of a component, the furthest first.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Ends {
    /// The words with the largest coordinates.
    pub positive: Vec<WeightedWord>,
    /// The words with the smallest coordinates, all of them negative.
    pub negative: Vec<WeightedWord>,
}

impl SemanticAnalysis {
    pub(super) fn new(corpus: &Corpus, matrix: &TermMatrix, factors: Vec<f64>, found: TruncatedSvd) -> Self {
        let documents = found.scores();
        let rows = matrix.documents() as f64;
        let squares: f64 = matrix.values().iter().map(|value| value * value).sum();
        let explained_squares = found.values.iter().map(|value| value * value / squares).collect();
        let whole = variance(matrix);
        let explained_variance = documents
            .column_iter()
            .map(|column| {
                let mean = column.sum() / rows;
                let scatter: f64 = column.iter().map(|x| (x - mean).powi(2)).sum();
                // Of documents that are all alike there is nothing to explain.
                if whole > 0.0 { scatter / rows / whole } else { 0.0 }
            })
            .collect();
        Self {
            vocabulary: corpus.vocabulary().to_vec(),
            factors,
            values: found.values,
            documents,
            words: found.right,
            explained_squares,
            explained_variance,
        }
    }

    /// The number of components.
    pub const fn components(&self) -> usize {
        self.values.len()
    }

    /// The words, by id.
    pub fn vocabulary(&self) -> &[String] {
        &self.vocabulary
    }

    /// The leading singular values, largest first.
    pub fn singular_values(&self) -> &[f64] {
        &self.values
    }

    /// U Σ, documents x components: the coordinates of the documents.
    pub const fn documents(&self) -> &DMatrix<f64> {
        &self.documents
    }

    /// V, words x components: orthonormal columns, the number of largest size in each is positive.
    pub const fn words(&self) -> &DMatrix<f64> {
        &self.words
    }

    /// The proportion of the sum of all squared weights that each component has.
    pub fn explained_squares(&self) -> &[f64] {
        &self.explained_squares
    }

    /// The proportion of the variance of the weights, over the documents, that each component has. The first
    /// component is near the mean, and may have less than the second.
    pub fn explained_variance(&self) -> &[f64] {
        &self.explained_variance
    }

    /// Folds a document in: its coordinates, x V for its weights x. Those of a document of the corpus are its
    /// row of [`documents`](Self::documents).
    ///
    /// # Panics
    /// When a word id is outside the vocabulary.
    #[track_caller]
    pub fn project(&self, document: Document<'_>) -> Vec<f64> {
        let mut coordinates = vec![0.0; self.components()];
        for (&word, &count) in document.words.iter().zip(document.counts) {
            require_word(word, self.factors.len());
            let weight = f64::from(count) * self.factors[word as usize];
            for (x, v) in coordinates.iter_mut().zip(self.words.row(word as usize).iter()) {
                *x += weight * v;
            }
        }
        coordinates
    }

    /// Up to `n` words at each end of a component, equal ones by their id.
    ///
    /// # Panics
    /// When there is no such component.
    #[track_caller]
    pub fn leading_words(&self, component: usize, n: usize) -> Ends {
        let column = self.words.column(component);
        let mut order: Vec<usize> = (0..column.len()).collect();
        order.sort_by(|&a, &b| column[b].total_cmp(&column[a]));
        let weighted = |word: usize| WeightedWord { word, weight: column[word] };
        let positive = order.iter().map(|&word| weighted(word)).take_while(|w| w.weight > 0.0).take(n);
        let positive = positive.collect();
        order.sort_by(|&a, &b| column[a].total_cmp(&column[b]));
        let negative = order.iter().map(|&word| weighted(word)).take_while(|w| w.weight < 0.0).take(n);
        Ends { positive, negative: negative.collect() }
    }
}

/// The sum of the variances of the weights of all words over the documents.
fn variance(matrix: &TermMatrix) -> f64 {
    let rows = matrix.documents() as f64;
    let means: Vec<f64> = matrix.word_totals().into_iter().map(|total| total / rows).collect();
    let mut scatter = 0.0;
    let mut entries = vec![0.0; means.len()];
    for d in 0..matrix.documents() {
        let (words, values) = matrix.document(d);
        for (&word, value) in words.iter().zip(values) {
            scatter += (value - means[word as usize]).powi(2);
            entries[word as usize] += 1.0;
        }
    }
    // The zeros of each word.
    scatter += means.iter().zip(&entries).map(|(mean, entries)| (rows - entries) * mean * mean).sum::<f64>();
    scatter / rows
}

/// The cosine of the angle between two points, 0 if one of them is the origin.
///
/// # Panics
/// When the lengths differ.
#[track_caller]
pub fn cosine(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len(), "points of one space");
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let lengths = dot(a, a).sqrt() * dot(b, b).sqrt();
    if lengths == 0.0 { 0.0 } else { (dot(a, b) / lengths).clamp(-1.0, 1.0) }
}

/// The file form of an analysis.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    format: String,
    vocabulary: Vec<String>,
    factors: Vec<f64>,
    values: Vec<f64>,
    #[serde(with = "written")]
    documents: DMatrix<f64>,
    #[serde(with = "written")]
    words: DMatrix<f64>,
    explained_squares: Vec<f64>,
    explained_variance: Vec<f64>,
}

impl From<SemanticAnalysis> for File {
    fn from(analysis: SemanticAnalysis) -> Self {
        let SemanticAnalysis { vocabulary, factors, values, documents, words, .. } = analysis;
        Self {
            format: FORMAT.to_owned(),
            vocabulary,
            factors,
            values,
            documents,
            words,
            explained_squares: analysis.explained_squares,
            explained_variance: analysis.explained_variance,
        }
    }
}

impl TryFrom<File> for SemanticAnalysis {
    type Error = String;

    fn try_from(file: File) -> Result<Self, String> {
        check_format(&file.format, FORMAT)?;
        let File { vocabulary, factors, values, documents, words, .. } = file;
        let (explained_squares, explained_variance) = (file.explained_squares, file.explained_variance);
        let components = values.len();
        if words.shape() != (vocabulary.len(), components)
            || documents.ncols() != components
            || factors.len() != vocabulary.len()
            || [explained_squares.len(), explained_variance.len()] != [components; 2]
        {
            return Err("words, documents and components are of different sizes".to_owned());
        }
        if !words.iter().chain(&documents).chain(&factors).chain(&values).all(|x| x.is_finite()) {
            return Err("coordinates must be finite".to_owned());
        }
        Ok(Self { vocabulary, factors, values, documents, words, explained_squares, explained_variance })
    }
}
