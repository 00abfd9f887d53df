//! The files of a run: report, plots, tables as CSV.

use std::fs::File;
use std::io::{self, BufWriter};

use super::analysis::Moments;
use super::report;
use super::series_input::Input;
use super::specification::Smoothing;
use super::timeline::Timeline;
use crate::args::SeriesSmooth;
use crate::failure::Failure;
use crate::output_folder::OutputFolder;

/// What a run writes, as far as the names are always the same.
pub(super) const NAMES: &[&str] = &["report.html"];

/// Writes everything that a run leaves in `folder`.
pub(super) fn write(
    folder: &OutputFolder,
    args: &SeriesSmooth,
    input: &Input,
    timeline: &Timeline,
    all: &[Smoothing],
) -> Result<(), Failure> {
    for (place, own) in all.iter().enumerate() {
        let suffix = if all.len() == 1 { String::new() } else { format!("_{}", place + 1) };
        folder.put(&format!("smoothed{suffix}.csv"), |out| write_table(out, input, timeline, own))?;
        let picture = report::course(input, timeline, own);
        folder.put_text(&format!("series{suffix}.svg"), &picture.standalone())?;
    }
    folder.put_text("report.html", &report::page(args, input, timeline, all).html())
}

/// A row a time: what was seen, the signal with its band, what a value would be with its band, and the parts.
/// What is not known is empty.
fn write_table(
    out: &mut BufWriter<File>,
    input: &Input,
    timeline: &Timeline,
    own: &Smoothing,
) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    let fixed = [
        &own.column,
        "filtered_mean",
        "filtered_sd",
        "smoothed_mean",
        "smoothed_sd",
        "smoothed_q025",
        "smoothed_q975",
        "observation_sd",
        "observation_q025",
        "observation_q975",
        "noise_sd",
        "residual",
    ];
    let header = std::iter::once(input.time.clone()).chain(fixed.map(str::to_owned));
    let of_parts = own
        .analysis
        .parts
        .iter()
        .flat_map(|part| [format!("{}_mean", part.name), format!("{}_sd", part.name)]);
    csv.write_record(header.chain(of_parts))?;
    let cell = |value: f64| if value.is_nan() { String::new() } else { value.to_string() };
    for (t, &time) in timeline.times.iter().enumerate() {
        let (filtered, smoothed) = (own.analysis.filtered[t], own.analysis.smoothed[t]);
        let value = own.analysis.value(t);
        let ([signal_low, signal_high], [low, high]) = (smoothed.band(), value.band());
        let fixed = [
            time,
            own.values[t],
            filtered.map_or(f64::NAN, |own| own.mean),
            filtered.map_or(f64::NAN, Moments::sd),
            smoothed.mean,
            smoothed.sd(),
            signal_low,
            signal_high,
            value.sd(),
            low,
            high,
            own.analysis.noise[t].sqrt(),
            own.analysis.residuals[t],
        ];
        let parts = own.analysis.parts.iter().flat_map(|part| [part.moments[t].mean, part.moments[t].sd()]);
        csv.write_record(fixed.into_iter().chain(parts).map(cell))?;
    }
    csv.flush()
}
