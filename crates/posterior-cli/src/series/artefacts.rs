//! The files of a run: report, plots, tables as CSV.

use super::analysis::Moments;
use super::report;
use super::series_input::Input;
use super::specification::Smoothing;
use super::timeline::Timeline;
use crate::args::SeriesSmooth;
use crate::failure::Failure;
use crate::output_folder::OutputFolder;
use crate::run::Run;

/// What a run writes, as far as the names are always the same.
pub(super) const NAMES: &[&str] = &["report.html"];

/// Writes everything that a run leaves in `folder`.
pub(super) fn write(
    folder: &OutputFolder,
    run: &Run<'_>,
    args: &SeriesSmooth,
    input: &Input,
    timeline: &Timeline,
    all: &[Smoothing],
) -> Result<(), Failure> {
    for (place, own) in all.iter().enumerate() {
        let suffix = if all.len() == 1 { String::new() } else { format!("_{}", place + 1) };
        write_table(folder, &format!("smoothed{suffix}.csv"), input, timeline, own)?;
        folder.put_picture(&format!("series{suffix}"), &report::course(input, timeline, own))?;
    }
    folder.put_text("report.html", &report::page(run, args, input, timeline, all).html())
}

fn write_table(
    folder: &OutputFolder,
    name: &str,
    input: &Input,
    timeline: &Timeline,
    own: &Smoothing,
) -> Result<(), Failure> {
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
    let cell = |value: f64| if value.is_nan() { String::new() } else { value.to_string() };
    let rows = timeline.times.iter().enumerate().map(|(t, &time)| {
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
        let parts =
            own.analysis.parts.iter().flat_map(move |part| [part.moments[t].mean, part.moments[t].sd()]);
        fixed.into_iter().chain(parts).map(cell)
    });
    folder.put_table(name, header.chain(of_parts), rows)
}
