//! Topics over the time of the documents.

use posterior_math::linalg::DMatrix;

use crate::Error;
use crate::checks::size;

/// The proportion of each topic at each time.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Trend {
    /// The distinct times, increasing.
    pub times: Vec<f64>,
    /// Tokens of the documents at each time.
    pub tokens: Vec<f64>,
    /// Times x topics: the proportion of the tokens of that time. Rows sum to one.
    pub proportions: DMatrix<f64>,
}

/// Proportions of topics over time with their uncertainty.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct TrendBands {
    /// Times, increasing.
    pub times: Vec<f64>,
    /// Times x topics: the median proportion. Rows need not sum to one.
    pub median: DMatrix<f64>,
    /// Times x topics: the lower end of the central interval.
    pub lower: DMatrix<f64>,
    /// Times x topics: its upper end.
    pub upper: DMatrix<f64>,
    /// The probability of the interval.
    pub level: f64,
}

impl Trend {
    /// The proportions at each distinct time, from the proportions (documents x topics), lengths in tokens
    /// and times of the documents. Documents without tokens or with a time that is not finite are left out.
    ///
    /// # Errors
    /// The three do not speak of the same number of documents.
    pub fn new(doc_topic: &DMatrix<f64>, lengths: &[u64], times: &[f64]) -> Result<Self, Error> {
        size("lengths of documents", doc_topic.nrows(), lengths.len())?;
        size("times of documents", doc_topic.nrows(), times.len())?;
        let mut documents: Vec<usize> =
            (0..times.len()).filter(|&d| times[d].is_finite() && lengths[d] > 0).collect();
        documents.sort_by(|&a, &b| times[a].total_cmp(&times[b]));
        let groups: Vec<&[usize]> = documents.chunk_by(|&a, &b| times[a] == times[b]).collect();
        let tokens: Vec<f64> =
            groups.iter().map(|group| group.iter().map(|&d| lengths[d] as f64).sum()).collect();
        let proportions = DMatrix::from_fn(groups.len(), doc_topic.ncols(), |t, k| {
            let sum: f64 = groups[t].iter().map(|&d| lengths[d] as f64 * doc_topic[(d, k)]).sum();
            sum / tokens[t]
        });
        Ok(Self { times: groups.iter().map(|group| times[group[0]]).collect(), tokens, proportions })
    }

    /// The proportions at `times`, each the mean over nearby times with Gaussian weights of this standard
    /// deviation (Nadaraya and Watson). Every time counts alike, however long its documents, so that one long
    /// document does not drown its neighbours. Rows sum to one.
    pub fn smoothed(&self, times: &[f64], bandwidth: f64) -> DMatrix<f64> {
        let mut smooth = DMatrix::zeros(times.len(), self.proportions.ncols());
        for (mut row, &at) in smooth.row_iter_mut().zip(times) {
            // Relative to the nearest time, so that the weights of a far one do not all underflow.
            let distances = self.times.iter().map(|t| ((t - at) / bandwidth).powi(2) / 2.0);
            let nearest = distances.clone().fold(f64::INFINITY, f64::min);
            let weights: Vec<f64> = distances.map(|d| (nearest - d).exp()).collect();
            let norm: f64 = weights.iter().sum();
            for (proportions, weight) in self.proportions.row_iter().zip(&weights) {
                row += proportions * (weight / norm);
            }
        }
        smooth
    }

    /// The mean time of each topic, weighted by its proportion at each time: where its mass lies.
    pub fn mean_times(&self) -> Vec<f64> {
        let columns = self.proportions.column_iter();
        columns
            .map(|column| {
                let moment: f64 = column.iter().zip(&self.times).map(|(proportion, t)| proportion * t).sum();
                moment / column.sum()
            })
            .collect()
    }
}
