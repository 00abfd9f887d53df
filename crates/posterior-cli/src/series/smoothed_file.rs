//! `smoothed.csv`: all that is known of a column, a row for each time.

use super::mixture::Figures;
use super::series_input::Input;
use super::specification::Smoothing;
use super::timeline::{Time, Timeline};
use crate::failure::Failure;
use crate::output::cell;
use crate::output_folder::OutputFolder;

/// Writes all times of a column.
pub(super) fn write(
    folder: &OutputFolder,
    name: &str,
    input: &Input,
    timeline: &Timeline,
    own: &Smoothing,
) -> Result<(), Failure> {
    let ends = |of: &str| own.level.names().map(|end| format!("{of}_{end}"));
    let fixed = [&own.column, "filtered_mean", "filtered_sd", "smoothed_mean", "smoothed_sd"];
    let header = std::iter::once(input.time.clone()).chain(fixed.map(str::to_owned));
    let header = header.chain(ends("smoothed")).chain(["observation_sd".to_owned()]);
    let header = header.chain(ends("observation")).chain(["noise_sd", "residual"].map(str::to_owned));
    let of_parts = own
        .analysis
        .parts
        .iter()
        .flat_map(|part| [format!("{}_mean", part.name), format!("{}_sd", part.name)]);
    let rows = (0..timeline.times.len()).map(|t| {
        let (filtered, smoothed) = (own.analysis.filtered[t], own.analysis.smoothed[t]);
        let value = own.analysis.values[t];
        let ([signal_low, signal_high], [low, high]) = (smoothed.band, value.band);
        let fixed = [
            own.values[t],
            filtered.map_or(f64::NAN, |own| own.mean),
            filtered.as_ref().map_or(f64::NAN, Figures::sd),
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
        let time = match timeline.time(t) {
            Time::Number(time) => cell(time),
            Time::Date(text) => text,
        };
        std::iter::once(time).chain(fixed.into_iter().chain(parts).map(cell))
    });
    folder.put_table(name, header.chain(of_parts), rows)
}
