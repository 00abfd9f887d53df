//! Times of filters and smoothers on the series of `b_gen_data.py`, in microseconds of CPU per observation.
//!
//! `compare_kalman DATA_DIR`: for each model `filter`, `filter` and `smooth`, and `ln_likelihood`, in both forms, with and without
//! the steady state; then many short series at once.

use std::path::Path;
use std::time::Instant;

use posterior_kalman::{
    FilterOptions, Form, Initial, ObservationEquation, Series, StateSpace, SteadyState, TransitionEquation,
    batch, filter, ln_likelihood,
};
use posterior_math::linalg::DMatrix;

type Failure = Box<dyn std::error::Error>;

fn matrix(path: &Path) -> Result<DMatrix<f64>, Failure> {
    let text = std::fs::read_to_string(path)?;
    let rows = text
        .lines()
        .skip(1)
        .map(|line| line.split(',').map(str::parse).collect::<Result<Vec<f64>, _>>())
        .collect::<Result<Vec<_>, _>>()?;
    let columns = rows.first().map_or(0, Vec::len);
    Ok(DMatrix::from_row_iterator(rows.len(), columns, rows.into_iter().flatten()))
}

/// CPU time of this thread in microseconds, where the system tells it, and time on the wall elsewhere.
fn clock(start: Instant) -> f64 {
    let spent = std::fs::read_to_string("/proc/thread-self/schedstat")
        .ok()
        .and_then(|text| text.split_whitespace().next()?.parse::<f64>().ok());
    spent.map_or_else(|| start.elapsed().as_secs_f64() * 1e6, |nanoseconds| nanoseconds / 1e3)
}

/// The best of several runs, in microseconds.
fn best<T>(mut run: impl FnMut() -> Result<T, posterior_kalman::Error>) -> Result<f64, Failure> {
    let (start, mut best) = (Instant::now(), f64::INFINITY);
    for _ in 0..5 {
        let before = clock(start);
        std::hint::black_box(run()?);
        best = best.min(clock(start) - before);
    }
    Ok(best)
}

fn main() -> Result<(), Failure> {
    let folder = std::env::args().nth(1).ok_or("usage: compare_kalman DATA_DIR")?;
    for name in ["2_1", "4_2", "10_3"] {
        let read = |part: &str| matrix(&Path::new(&folder).join(format!("b_kf_{name}_{part}.csv")));
        let model = StateSpace::new(
            TransitionEquation::constant(&read("F")?, &read("Q")?)?,
            ObservationEquation::constant(&read("H")?, &read("R")?)?,
            Initial::known(read("m0")?.as_slice(), &read("P0")?)?,
        )?;
        let rows = read("obs")?;
        let series = Series::new(&rows)?;
        let count = series.len() as f64;
        for form in [Form::SquareRoot, Form::Joseph] {
            for steady_state in [SteadyState::Detect, SteadyState::Ignore] {
                let options = FilterOptions::default().with_form(form).with_steady_state(steady_state);
                let filtering = best(|| filter(&model, &series, &options))? / count;
                let smoothing = best(|| filter(&model, &series, &options)?.smooth(&model))? / count;
                let likelihood = best(|| ln_likelihood(&model, &series, &options))? / count;
                let value = ln_likelihood(&model, &series, &options)?;
                println!(
                    "{name} {form:?} {steady_state:?}: filter {filtering:.4}, and smoother {smoothing:.4}, \
                     ln p {likelihood:.4} us; {value:.10}"
                );
            }
        }
        let many = (0..1000)
            .map(|k| Series::new(&rows.rows(100 * k, 100).into_owned()))
            .collect::<Result<Vec<_>, _>>()?;
        let options = FilterOptions::default();
        let alone =
            best(|| many.iter().map(|one| filter(&model, one, &options)).collect::<Result<Vec<_>, _>>())?;
        let together = best(|| batch::filter(&model, &many, &options))?;
        let smoothed = best(|| batch::smooth(&model, &batch::filter(&model, &many, &options)?))?;
        let likelihoods = best(|| batch::ln_likelihoods(&model, &many, &options))?;
        println!(
            "{name} 1000 series of 100: alone {:.4}, together {:.4}, and smoother {:.4}, ln p {:.4} us",
            alone / count,
            together / count,
            smoothed / count,
            likelihoods / count
        );
    }
    Ok(())
}
