//! Topics over time: the curves that several pictures of the page share.

use posterior::math::linalg::DMatrix;
use posterior::topics::kernel_topics::{BandOptions, KernelTopics, bands};
use posterior::topics::{Corpus, Error, Trend, TrendBands};
use posterior_report::{EVENT_SHADE, Stretch, short};

use super::Shown;

/// Points of the curves.
const GRID: usize = 240;
/// Documents up to which each is an observation of its own for the bands; beyond, those of one time are one.
const MOST_DOCUMENTS: usize = 5_000;

/// Draws of single topics in all that bands are taken of, and the fewest of each: their ends are then within
/// a tenth of a standard deviation.
const DRAWS: usize = 100_000;
const FEWEST_DRAWS: usize = 500;

/// The curves over time.
pub(super) struct Course {
    pub(super) times: Vec<f64>,
    /// Times x topics, as the page shows them: weighted means over nearby times. Rows sum to one.
    pub(super) proportions: DMatrix<f64>,
    pub(super) bandwidth: f64,
    /// Topics by their mean times.
    pub(super) order: Vec<usize>,
    trend: Trend,
}

impl Course {
    /// `None` if the documents with words are all of one time.
    pub(super) fn new(corpus: &Corpus, shown: &Shown<'_>, times: &[f64]) -> Result<Option<Self>, Error> {
        let trend = Trend::new(&shown.doc_topic, &lengths(corpus), times)?;
        let (Some(&first), Some(&last)) = (trend.times.first(), trend.times.last()) else { return Ok(None) };
        if first == last {
            return Ok(None);
        }
        let step = (last - first) / (GRID - 1) as f64;
        let times: Vec<f64> = (0..GRID).map(|i| first + i as f64 * step).collect();
        let bandwidth = (last - first) / 100.0;
        let mean_times = trend.mean_times();
        let mut order: Vec<usize> = (0..shown.len()).collect();
        order.sort_by(|&a, &b| mean_times[a].total_cmp(&mean_times[b]));
        Ok(Some(Self { proportions: trend.smoothed(&times, bandwidth), times, bandwidth, order, trend }))
    }

    /// Medians and 95 % bands of the trends, and what an observation of theirs was.
    pub(super) fn bands(
        &self,
        corpus: &Corpus,
        doc_topic: &DMatrix<f64>,
        document_times: &[f64],
        kernel: Option<&KernelTopics>,
    ) -> Result<(TrendBands, &'static str), Error> {
        let most = DRAWS / self.order.len().max(1);
        let default = BandOptions::default();
        let draws = default.draws.min(most.max(FEWEST_DRAWS));
        let options = BandOptions { draws, ..default };
        if let Some(model) = kernel {
            return Ok((model.bands(&self.times, &options)?, "documents, by the model itself"));
        }
        if corpus.documents() <= MOST_DOCUMENTS {
            let found = bands(doc_topic, &lengths(corpus), document_times, &self.times, &options);
            return Ok((found?, "documents"));
        }
        let tokens: Vec<u64> = self.trend.tokens.iter().map(|&tokens| tokens as u64).collect();
        let found = bands(&self.trend.proportions, &tokens, &self.trend.times, &self.times, &options);
        Ok((found?, "times, all documents of a time together"))
    }

    /// The leading topic at a point of the grid, or at its end.
    pub(super) fn leading(&self, point: usize) -> usize {
        let proportions = self.proportions.row(point.min(GRID - 1));
        (0..self.order.len()).max_by(|&a, &b| proportions[a].total_cmp(&proportions[b])).unwrap_or(0)
    }

    pub(super) fn proportions_of(&self, k: usize) -> Vec<f64> {
        self.proportions.column(k).iter().copied().collect()
    }
}

fn lengths(corpus: &Corpus) -> Vec<u64> {
    corpus.iter().map(|document| document.tokens()).collect()
}

/// One topic over time, small, with its band.
pub(super) struct SmallCourse {
    pub(super) times: Vec<f64>,
    pub(super) line: Vec<f64>,
    /// Its lower and upper end.
    pub(super) band: Option<(Vec<f64>, Vec<f64>)>,
    pub(super) events: Vec<Stretch>,
}

impl SmallCourse {
    /// The picture in the colour `colour`. Zero is at the bottom.
    pub(super) fn svg(&self, colour: &str) -> String {
        use posterior_report::{Scale, line_to};
        use std::fmt::Write as _;
        let upper = self.band.as_ref().map_or(&self.line, |(_, upper)| upper);
        let most = self.line.iter().chain(upper).copied().fold(0.0, f64::max);
        let last = self.times.len() - 1;
        let x = Scale { data: (self.times[0], self.times[last]), pixels: (1.0, 259.0) };
        let y = Scale { data: (0.0, most), pixels: (70.0, 12.0) };
        let peak = (0..=last).max_by(|&a, &b| self.line[a].total_cmp(&self.line[b])).unwrap_or(0);
        let mut svg = format!(
            "<svg class=\"spark\" viewBox=\"0 0 260 84\" role=\"img\" aria-label=\"Proportion from {} to {}; highest around {}, {:.0} %\">",
            short(self.times[0].round()),
            short(self.times[last].round()),
            short(self.times[peak].round()),
            100.0 * self.line[peak]
        );
        // Writing to a string cannot fail.
        for event in &self.events {
            let (from, to) = event.clipped(&x);
            let _ = write!(
                svg,
                "<rect style=\"{EVENT_SHADE}\" x=\"{from:.1}\" y=\"12\" width=\"{:.1}\" height=\"58\"/>",
                (to - from).max(1.0)
            );
        }
        let place = |values: &[f64]| -> Vec<(f64, f64)> {
            self.times.iter().zip(values).map(|(&t, &proportion)| (x.at(t), y.at(proportion))).collect()
        };
        if let Some((lower, upper)) = &self.band {
            let mut area = String::new();
            line_to(&mut area, 'M', place(upper).into_iter().chain(place(lower).into_iter().rev()));
            let _ = write!(svg, "<path style=\"fill:{colour};fill-opacity:.3\" d=\"{area}Z\"/>");
        }
        let mut line = String::new();
        line_to(&mut line, 'M', place(&self.line));
        let _ = write!(
            svg,
            "<path class=\"line\" style=\"stroke:{colour}\" d=\"{line}\"/>\
             <line class=\"base\" x1=\"1\" x2=\"259\" y1=\"70\" y2=\"70\"/>\
             <text class=\"tick\" style=\"text-anchor:start\" x=\"1\" y=\"9\">{:.0} %</text>\
             <text class=\"tick\" style=\"text-anchor:start\" x=\"1\" y=\"82\">{}</text>\
             <text class=\"tick\" style=\"text-anchor:end\" x=\"259\" y=\"82\">{}</text></svg>",
            100.0 * most,
            short(self.times[0].round()),
            short(self.times[last].round())
        );
        svg
    }
}
