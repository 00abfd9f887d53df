//! Curves, surfaces and fields between the places where they have values.

use posterior_report::{BandPoint, Field, FieldDot, Picture, Ribbon, Side, field, ribbons};

use crate::level::Level;
use crate::output::cell;

/// Rows whose places are drawn.
const MOST_DOTS: usize = 500;

/// An effect of one or two numbers over the range of the data.
#[derive(Debug)]
pub(super) struct EffectDrawing {
    /// What is along each axis.
    pub(super) names: Vec<String>,
    pub(super) axes: Vec<Vec<f64>>,
    /// The fixed effects that are part of it.
    pub(super) lines: Vec<String>,
    /// Where the rows are, by axes.
    pub(super) seen: Vec<Vec<f64>>,
    /// At each point of the grid, the first axis fastest.
    pub(super) means: Vec<f64>,
    /// Of a curve.
    pub(super) intervals: Vec<[f64; 2]>,
}

impl EffectDrawing {
    pub(super) fn picture(&self, name: &str) -> Option<Picture> {
        let rows = self.seen.first()?.len();
        let some = (0..rows).step_by(rows.div_ceil(MOST_DOTS).max(1));
        match (&self.axes[..], &self.names[..], &self.seen[..]) {
            ([x], [x_name], [seen]) => {
                let point = |(&x, [low, high]): (&f64, &[f64; 2])| BandPoint { x, low: *low, high: *high };
                let band: Vec<BandPoint> = x.iter().zip(&self.intervals).map(point).collect();
                let low = band.iter().map(|own| own.low).chain(self.means.iter().copied());
                let foot = low.filter(|own| own.is_finite()).fold(f64::INFINITY, f64::min);
                let dots: Vec<(f64, f64)> = some.map(|row| (seen[row], foot)).collect();
                let line = x.iter().copied().zip(self.means.iter().copied()).collect();
                let ribbon = Ribbon { name: String::new(), line, bands: vec![band] };
                Some(ribbons((x_name, name), &[ribbon], &dots, None))
            }
            ([x, z], [x_name, z_name], [seen_x, seen_z]) => {
                let largest = self.means.iter().fold(0.0_f64, |largest, own| largest.max(own.abs()));
                let plane = Field {
                    x: x.clone(),
                    y: z.clone(),
                    values: self.means.clone(),
                    ends: (-largest, largest),
                };
                let dot = |row: usize| FieldDot {
                    at: (seen_x[row], seen_z[row]),
                    radius: 1.2,
                    side: Side::Neither,
                };
                Some(field(name, (x_name, z_name), &plane, &some.map(dot).collect::<Vec<_>>()))
            }
            _ => None,
        }
    }

    pub(super) fn caption(&self, level: Level) -> String {
        let dots = if self.seen.first().is_some_and(|own| own.len() > MOST_DOTS) {
            format!("dots: {MOST_DOTS} or fewer of the rows")
        } else {
            "dots: where the rows are".to_owned()
        };
        match &self.axes[..] {
            [_] if self.intervals.is_empty() => format!("Line: the estimate; {dots}."),
            [_] => format!("Line: the mean; band: its interval of {level}; {dots}."),
            axes => {
                let points: Vec<String> = axes.iter().map(|axis| axis.len().to_string()).collect();
                format!("Means at {} points, on the scale above; {dots}.", points.join(" × "))
            }
        }
    }

    pub(super) fn sentence(&self) -> String {
        if self.lines.is_empty() {
            return "On the scale of the predictor.".to_owned();
        }
        format!(
            "On the scale of the predictor, less its mean over the rows. The coefficients of {} are part of it.",
            self.lines.join(", ")
        )
    }

    /// The points of the grid with what was found there: as many numbers for a curve as for a surface.
    pub(super) fn rows(&self) -> impl Iterator<Item = Vec<String>> + '_ {
        let width = self.axes.first().map_or(1, Vec::len).max(1);
        self.means.iter().enumerate().map(move |(point, mean)| {
            let x = self.axes.first().map_or(f64::NAN, |axis| axis[point % width]);
            let z = self.axes.get(1).map_or(f64::NAN, |axis| axis[point / width]);
            let [low, high] = self.intervals.get(point).copied().unwrap_or([f64::NAN; 2]);
            [x, z, *mean, low, high].map(cell).to_vec()
        })
    }
}
