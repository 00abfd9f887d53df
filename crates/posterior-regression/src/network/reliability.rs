//! Whether events happen as often as was said.

use posterior_math::check::{ParamError, probability};
use posterior_math::linalg::DMatrix;

use crate::Error;

/// Predictions in bins of confidence, and how often they came true.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Reliability {
    /// The bins that hold predictions, by growing confidence.
    pub bins: Vec<Bin>,
}

/// Predictions of like confidence.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Bin {
    /// How many there are.
    pub count: usize,
    /// Their mean probability.
    pub confidence: f64,
    /// The share of them that came true.
    pub accuracy: f64,
}

impl Reliability {
    /// From predicted probabilities of events and whether they happened, in `bins` intervals of equal width.
    ///
    /// ```
    /// use posterior_regression::network::Reliability;
    ///
    /// let said = [0.9, 0.9, 0.9, 0.9, 0.2];
    /// let happened = [true, true, true, false, false];
    /// let reliability = Reliability::of_events(&said, &happened, 10)?;
    /// assert_eq!(reliability.bins[1].accuracy, 0.75);
    /// assert!((reliability.expected_error() - (0.8 * 0.15 + 0.2 * 0.2)).abs() < 1e-15);
    /// # Ok::<(), posterior_regression::Error>(())
    /// ```
    ///
    /// # Errors
    /// Different numbers of both, a number that is no probability, or no bins.
    pub fn of_events(probabilities: &[f64], happened: &[bool], bins: usize) -> Result<Self, Error> {
        if bins == 0 {
            return Err(ParamError::new("Reliability", "bins", 0.0, "at least one").into());
        }
        if probabilities.len() != happened.len() {
            let (expected, found) = (probabilities.len(), happened.len());
            return Err(Error::Dimension { what: "events", expected, found });
        }
        let mut sums = std::collections::BTreeMap::<usize, (usize, f64, usize)>::new();
        for (index, (&said, &happened)) in probabilities.iter().zip(happened).enumerate() {
            probability("Reliability", "probability", said).map_err(|error| error.at(index))?;
            let bin = ((said * bins as f64) as usize).min(bins - 1);
            let (count, confidence, true_ones) = sums.entry(bin).or_default();
            *count += 1;
            *confidence += said;
            *true_ones += usize::from(happened);
        }
        let bin = |&(count, confidence, true_ones): &(usize, f64, usize)| Bin {
            count,
            confidence: confidence / count as f64,
            accuracy: true_ones as f64 / count as f64,
        };
        Ok(Self { bins: sums.values().map(bin).collect() })
    }

    /// From predicted probabilities of classes, one row for each observation, and the classes that were seen: the events are
    /// that the most probable class, the first of equals, is the one.
    ///
    /// # Errors
    /// As for [`of_events`](Self::of_events), and rows without classes.
    pub fn of_classes(probabilities: &DMatrix<f64>, labels: &[usize], bins: usize) -> Result<Self, Error> {
        if probabilities.nrows() != labels.len() {
            let (expected, found) = (probabilities.nrows(), labels.len());
            return Err(Error::Dimension { what: "labels", expected, found });
        }
        if probabilities.ncols() == 0 {
            return Err(Error::Dimension { what: "classes", expected: 1, found: 0 });
        }
        let mut confidences = Vec::with_capacity(labels.len());
        let mut right = Vec::with_capacity(labels.len());
        for (row, &label) in probabilities.row_iter().zip(labels) {
            let (mut class, mut largest) = (0, row[0]);
            for (other, &p) in row.iter().enumerate() {
                if p > largest || p.is_nan() {
                    (class, largest) = (other, p);
                }
            }
            confidences.push(largest);
            right.push(class == label);
        }
        Self::of_events(&confidences, &right, bins)
    }

    /// The expected calibration error: Σ of the bins' shares times |accuracy - confidence|; 0 without predictions.
    ///
    /// # References
    /// M. Naeini, G. Cooper, M. Hauskrecht, Obtaining well calibrated probabilities using Bayesian binning, AAAI 2015.
    pub fn expected_error(&self) -> f64 {
        let count: usize = self.bins.iter().map(|bin| bin.count).sum();
        let weighted = self.bins.iter().map(|bin| bin.count as f64 * (bin.accuracy - bin.confidence).abs());
        weighted.sum::<f64>() / count.max(1) as f64
    }
}
