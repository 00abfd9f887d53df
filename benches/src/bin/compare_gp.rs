//! Gaussian-process regression side by side: ours, and that of Python's libraries when a Python program is named; on one thread by CPU time,
//! and on two by the clock.

use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

use posterior::gp::hyperparameters::{FitOptions, Regression, fit};
use posterior::math::iteration::Silent;
use posterior::math::optimize::LbfgsOptions;
use posterior_benches::gaussian_processes::{SIZES, Workload, process, start};
use posterior_benches::peers::Measurements;
use posterior_benches::timing::cpu_seconds;

const TASKS: [&str; 3] = ["evaluate", "predict", "fit"];
/// The steps of a fit, as GPy's.
const STEPS: usize = 30;

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> Outcome<()> {
    let python = std::env::args().nth(1);
    println!(
        "seconds: the evidence with its gradient (RBF, two length scales, noise), mean and deviation at 1,000 places, a fit of {STEPS} steps\n"
    );
    println!(
        "| n | threads | program | evidence and gradient | predictions | fit | ln p |\n|--:|--:|---|--:|--:|--:|--:|"
    );
    for threads in [1, 2] {
        let folder = tempfile::tempdir()?;
        let peers = match &python {
            Some(program) => Measurements::run(program, "gaussian_processes.py", folder.path(), threads)?,
            None => Measurements::default(),
        };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
        for n in SIZES {
            let workload = match &python {
                Some(_) => Workload::read(folder.path(), n)?,
                None => Workload::generate(n),
            };
            let row = pool.install(|| ours(&workload, threads).map_err(|error| error.to_string()))?;
            println!("| {n} | {threads} | posterior | {row} |");
            for peer in &peers.peers {
                let cell = |what| peers.of(n, peer, what).map_or("-".to_owned(), |time| format!("{time:.4}"));
                let value = peers.of(n, peer, "ln_p").map_or("-".to_owned(), |value| format!("{value:.7}"));
                println!("| {n} | {threads} | {peer} | {} | {value} |", TASKS.map(cell).join(" | "));
            }
        }
    }
    Ok(())
}

/// The times and the log-evidence, as cells of a table.
fn ours(workload: &Workload, threads: usize) -> Outcome<String> {
    let Workload { inputs, outputs, places } = workload;
    let passes = if outputs.len() <= 1000 { 7 } else { 3 };
    let (prior, noise) = process()?;
    let evaluate = || -> Outcome<(f64, Vec<f64>)> {
        let posterior = prior.condition(inputs, outputs, &noise)?;
        Ok((posterior.ln_marginal_likelihood(), posterior.gradient()))
    };
    let (value, _) = evaluate()?;
    let evaluation = seconds(threads, passes, || evaluate().map(drop))?;
    let posterior = prior.condition(inputs, outputs, &noise)?;
    let prediction = seconds(threads, passes, || {
        black_box(posterior.predict(places)?);
        Ok(())
    })?;
    let fitting = if outputs.len() <= 2000 {
        let (prior, noise) = start()?;
        let problem = Regression::new(prior, noise, inputs, outputs)?;
        let options = FitOptions::default().with_search(LbfgsOptions::default().with_max_iterations(STEPS));
        let time = seconds(threads, 1, || {
            black_box(fit(&problem, &options, &mut Silent)?);
            Ok(())
        })?;
        format!("{time:.4}")
    } else {
        "-".to_owned()
    };
    Ok(format!("{evaluation:.4} | {prediction:.4} | {fitting} | {value:.7}"))
}

/// The least of several passes.
fn seconds(threads: usize, passes: usize, mut call: impl FnMut() -> Outcome<()>) -> Outcome<f64> {
    let origin = Instant::now();
    let clock = || if threads == 1 { cpu_seconds() } else { origin.elapsed().as_secs_f64() };
    let mut least = f64::INFINITY;
    for _ in 0..passes {
        let start = clock();
        call()?;
        least = least.min(clock() - start);
    }
    Ok(least)
}
