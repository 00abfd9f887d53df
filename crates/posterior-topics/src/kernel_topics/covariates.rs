//! What is known of the documents: a time, and labels of any number of kinds.

use posterior_math::linalg::DMatrix;

use crate::Error;
use crate::checks::{index, size};

/// A time for each document, and labels such as who spoke, as places of a Gaussian process.
///
/// ```
/// use posterior_topics::kernel_topics::Covariates;
///
/// let covariates = Covariates::new(&[1790.0, 1791.0, 1801.0])?
///     .with_labels("president", &["Washington", "Washington", "Jefferson"])?;
/// assert_eq!(covariates.labels(0), ["Jefferson", "Washington"]);
/// assert_eq!(covariates.place(1802.0, &["Jefferson"])?, [1802.0, 0.0]);
/// // Nobody the model knows.
/// assert_eq!(covariates.place(1809.0, &["Madison"])?, [1809.0, 2.0]);
/// # Ok::<(), posterior_topics::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Covariates {
    times: Vec<f64>,
    kinds: Vec<Kind>,
}

/// Labels of one kind.
#[derive(Debug, Clone, PartialEq)]
struct Kind {
    name: String,
    /// In alphabetical order.
    labels: Vec<String>,
    /// The number of each document's label.
    codes: Vec<usize>,
}

impl Covariates {
    /// Documents at these times, in any unit: that of the length scales.
    ///
    /// # Errors
    /// There is no document, or a time is not finite.
    pub fn new(times: &[f64]) -> Result<Self, Error> {
        if times.is_empty() {
            return Err(Error::Corpus("no document has a time".to_owned()));
        }
        for (index, &time) in times.iter().enumerate() {
            posterior_math::check::finite("Covariates", "times", time).map_err(|error| error.at(index))?;
        }
        Ok(Self { times: times.to_vec(), kinds: Vec::new() })
    }

    /// The same documents with labels of one more kind, one a document: documents with equal labels share an
    /// offset.
    ///
    /// # Errors
    /// Another number of labels than documents, or a second kind of this name.
    pub fn with_labels<S: AsRef<str>>(mut self, kind: &str, labels: &[S]) -> Result<Self, Error> {
        size("labels of documents", self.times.len(), labels.len())?;
        if self.kinds.iter().any(|other| other.name == kind) {
            return Err(Error::Corpus(format!("labels of kind {kind:?} are there twice")));
        }
        let mut sorted: Vec<String> = labels.iter().map(|label| label.as_ref().to_owned()).collect();
        sorted.sort_unstable();
        sorted.dedup();
        let code = |label: &S| sorted.partition_point(|other| other.as_str() < label.as_ref());
        let codes = labels.iter().map(code).collect();
        self.kinds.push(Kind { name: kind.to_owned(), labels: sorted, codes });
        Ok(self)
    }

    /// The number of documents.
    pub fn documents(&self) -> usize {
        self.times.len()
    }

    /// The time of each document.
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// The names of the kinds of labels.
    pub fn kinds(&self) -> impl ExactSizeIterator<Item = &str> {
        self.kinds.iter().map(|kind| kind.name.as_str())
    }

    /// The different labels of a kind, in alphabetical order.
    ///
    /// # Panics
    /// When there is no such kind.
    #[track_caller]
    pub fn labels(&self, kind: usize) -> &[String] {
        &self.kinds[kind].labels
    }

    /// The place of a document that is not among these: its time, and the number of its label for each kind.
    /// A label that no document has gets a number of its own, whose offset is that of the prior.
    ///
    /// # Errors
    /// A time that is not finite, or another number of labels than kinds.
    pub fn place<S: AsRef<str>>(&self, time: f64, labels: &[S]) -> Result<Vec<f64>, Error> {
        posterior_math::check::finite("Covariates", "time", time)?;
        size("labels, one of each kind", self.kinds.len(), labels.len())?;
        let codes = self.kinds.iter().zip(labels).map(|(kind, label)| {
            let found = kind.labels.binary_search_by(|other| other.as_str().cmp(label.as_ref()));
            found.unwrap_or(kind.labels.len()) as f64
        });
        Ok(std::iter::once(time).chain(codes).collect())
    }

    /// The places of all documents, one a row.
    pub fn places(&self) -> DMatrix<f64> {
        DMatrix::from_fn(self.times.len(), 1 + self.kinds.len(), |d, j| match j {
            0 => self.times[d],
            _ => self.kinds[j - 1].codes[d] as f64,
        })
    }

    /// The places of these documents alone; labels keep their numbers.
    ///
    /// # Errors
    /// There is no such document, or none at all.
    pub fn select(&self, documents: &[usize]) -> Result<Self, Error> {
        if documents.is_empty() {
            return Err(Error::Corpus("no document is selected".to_owned()));
        }
        for &d in documents {
            index("document", d, self.times.len())?;
        }
        let kinds = self
            .kinds
            .iter()
            .map(|kind| Kind { codes: documents.iter().map(|&d| kind.codes[d]).collect(), ..kind.clone() });
        Ok(Self { times: documents.iter().map(|&d| self.times[d]).collect(), kinds: kinds.collect() })
    }

    /// The different places, one a row, and the number of each document's.
    pub(super) fn distinct_places(&self) -> (DMatrix<f64>, Vec<usize>) {
        let places = self.places();
        let row = |d: usize| places.row(d).iter().copied().collect::<Vec<f64>>();
        let mut order: Vec<usize> = (0..self.times.len()).collect();
        let compare = |a: usize, b: usize| {
            row(a).iter().zip(&row(b)).map(|(a, b)| a.total_cmp(b)).find(|order| order.is_ne())
        };
        order.sort_by(|&a, &b| compare(a, b).unwrap_or(a.cmp(&b)));
        let mut number = vec![0; order.len()];
        let mut leaders: Vec<usize> = Vec::new();
        for &d in &order {
            if leaders.last().is_none_or(|&leader| compare(leader, d).is_some()) {
                leaders.push(d);
            }
            number[d] = leaders.len() - 1;
        }
        (places.select_rows(&leaders), number)
    }

    /// From the first time to the last, and the smallest positive step between two.
    pub(super) fn span_and_step(&self) -> (f64, f64) {
        let mut sorted = self.times.clone();
        sorted.sort_by(f64::total_cmp);
        let steps = sorted.windows(2).map(|pair| pair[1] - pair[0]).filter(|&step| step > 0.0);
        (sorted[sorted.len() - 1] - sorted[0], steps.fold(f64::INFINITY, f64::min))
    }
}
