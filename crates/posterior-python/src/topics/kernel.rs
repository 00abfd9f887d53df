//! What is kept of a kernel topic model: its topics, and its curves at the times of the documents.

use posterior_math::linalg::DMatrix;
use posterior_topics::Error;
use posterior_topics::kernel_topics::{BandOptions, KernelTopics};
use posterior_topics::lda::Lda;
use serde::{Deserialize, Serialize};

/// A fitted kernel topic model.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct KernelFit {
    pub(super) lda: Lda,
    /// The distinct times of the documents.
    pub(super) times: Vec<f64>,
    /// Medians of proportions and the ends of their intervals, by time and topic.
    pub(super) curves: [Vec<Vec<f64>>; 3],
    /// Bands of documents, and means and standard deviations of their offsets, by topic.
    pub(super) bands: Vec<(String, Vec<f64>, Vec<f64>)>,
    /// Over which time the curve of each topic changes.
    pub(super) length_scales: Vec<f64>,
}

impl KernelFit {
    pub(super) fn of(model: &KernelTopics, has_bands: bool) -> Result<Self, Error> {
        let mut times = model.covariates().times().to_vec();
        times.sort_by(f64::total_cmp);
        times.dedup();
        let found = model.bands(&times, &BandOptions::default())?;
        let rows = |matrix: &DMatrix<f64>| {
            matrix.row_iter().map(|row| row.iter().copied().collect()).collect::<Vec<Vec<f64>>>()
        };
        let curves = [rows(&found.median), rows(&found.lower), rows(&found.upper)];
        let effects = if has_bands { model.effects(0)? } else { Vec::new() };
        let names = effects.first().map(Vec::as_slice).unwrap_or_default();
        let band = |at: usize| {
            let each = || effects.iter().map(|topic| &topic[at]);
            (
                names[at].label.clone(),
                each().map(|own| own.mean).collect(),
                each().map(|own| own.sd).collect(),
            )
        };
        Ok(Self {
            lda: model.lda().clone(),
            times,
            curves,
            bands: (0..names.len()).map(band).collect(),
            length_scales: model.curves().scales().iter().map(|own| own.length_scale).collect(),
        })
    }
}
