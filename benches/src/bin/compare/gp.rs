//! Gaussian-process regression side by side: ours, and that of Python's libraries when a Python program is
//! named; on one thread by CPU time, and on two by the clock.

use std::hint::black_box;

use posterior::gp::hyperparameters::{HyperparameterOptions, Regression, fit};
use posterior::math::iteration::Silent;
use posterior::math::optimize::LbfgsOptions;
use posterior_benches::comparison::{Outcome, Settings, figure, print_head, print_row, ratio};
use posterior_benches::gaussian_processes::{Workload, process, start};
use posterior_benches::peers::Measurements;
use posterior_benches::timing::{cpu_seconds, elapsed_seconds, least};

const TASKS: [&str; 3] = ["evaluate", "predict", "fit"];
/// The steps of a fit, as GPy's.
const STEPS: usize = 30;

/// Prints the tables.
pub(super) fn compare(settings: &Settings) -> Outcome {
    println!(
        "seconds: the evidence with its gradient (RBF, two length scales, noise), mean and deviation at 1,000 places, a fit of {STEPS} steps; CPU \
         time of one thread, elapsed time of two; o / p: ours / peer\n"
    );
    let figures =
        ["n", "threads", "evidence and gradient", "o / p", "predictions", "o / p", "fit", "o / p", "ln p"];
    print_head(&["program"], &figures);
    for threads in settings.size(1..=2, 1..=1) {
        let peers = Measurements::run(settings, "gaussian_processes.py", threads)?;
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
        for &n in settings.size(&[1000, 2000, 4000][..], &[200]) {
            let workload = match peers.folder() {
                Some(folder) => Workload::read(folder, n)?,
                None => Workload::generate(n),
            };
            let (times, value) = pool.install(|| ours(&workload, threads))?;
            let line = |program: &str, of: &dyn Fn(usize) -> Option<f64>, value: Option<f64>| {
                let mut cells = vec![program.to_owned(), n.to_string(), threads.to_string()];
                for (task, ours) in times.iter().enumerate() {
                    let own = program == "posterior";
                    cells.extend([
                        figure(of(task), 4),
                        if own { String::new() } else { ratio(*ours, of(task)) },
                    ]);
                }
                cells.push(figure(value, 7));
                print_row(&cells);
            };
            line("posterior", &|task| times[task], Some(value));
            for peer in &peers.peers {
                line(peer, &|task| peers.of(n, peer, TASKS[task]), peers.of(n, peer, "ln_p"));
            }
        }
    }
    Ok(())
}

/// The times of the tasks and the log-evidence; large fits are left out.
fn ours(workload: &Workload, threads: usize) -> Outcome<([Option<f64>; 3], f64)> {
    let Workload { inputs, outputs, places } = workload;
    let passes = if outputs.len() <= 1000 { 7 } else { 3 };
    let (prior, noise) = process()?;
    let evaluate = || -> Outcome<(f64, Vec<f64>)> {
        let posterior = prior.condition(inputs, outputs, &noise)?;
        Ok((posterior.ln_evidence(), posterior.gradient()))
    };
    let (value, _) = evaluate()?;
    let evaluation = seconds(threads, passes, || evaluate().map(drop))?;
    let posterior = prior.condition(inputs, outputs, &noise)?;
    let prediction = seconds(threads, passes, || {
        black_box(posterior.latent(places)?);
        Ok(())
    })?;
    let fitting = if outputs.len() <= 2000 {
        let (prior, noise) = start()?;
        let problem = Regression::new(prior, noise, inputs, outputs)?;
        let options = HyperparameterOptions {
            search: LbfgsOptions { max_iterations: STEPS, ..LbfgsOptions::default() },
            ..HyperparameterOptions::default()
        };
        let time = seconds(threads, 1, || {
            black_box(fit(&problem, &options, &mut Silent)?);
            Ok(())
        })?;
        Some(time)
    } else {
        None
    };
    Ok(([Some(evaluation), Some(prediction), fitting], value))
}

/// The least of several passes.
fn seconds(threads: usize, passes: usize, call: impl FnMut() -> Outcome) -> Outcome<f64> {
    Ok(least(passes, if threads == 1 { cpu_seconds } else { elapsed_seconds }, call)?.0)
}
