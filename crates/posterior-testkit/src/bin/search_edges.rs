//! `search_edges [--cases N] [--seed S] [--only NAME [--case SEED]] [--threads N]`: what
//! `cargo xtask search-edges` runs.

use std::process::ExitCode;
use std::time::Instant;

use posterior_testkit::edges::{Options, search};

/// Points that are looked at unless stated otherwise.
const CASES: u64 = 10_000_000;

#[expect(clippy::print_stdout, reason = "the findings are the output of the program")]
fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let options = match options(&words) {
        Ok(options) => options,
        Err(message) => return refuse(&message),
    };
    // A panic is a finding, and its message part of it.
    std::panic::set_hook(Box::new(|_| {}));
    println!("search-edges: --seed {}, {} threads", options.seed, options.threads);
    let start = Instant::now();
    match search(&options) {
        Ok(report) => {
            println!("{report}, {:.1} s", start.elapsed().as_secs_f64());
            if report.findings() == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Err(message) => refuse(&message),
    }
}

#[expect(clippy::print_stderr, reason = "the error of a program")]
fn refuse(message: &str) -> ExitCode {
    eprintln!("error: {message}");
    ExitCode::from(2)
}

fn options(words: &[String]) -> Result<Options, String> {
    let usage = || {
        "usage: cargo xtask search-edges [--cases N] [--seed S] [--only NAME [--case SEED]] [--threads N]"
            .to_owned()
    };
    let mut options = Options {
        cases: CASES,
        seed: 1,
        only: None,
        case: None,
        threads: std::thread::available_parallelism().map_or(1, usize::from),
        clock: true,
    };
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let value = words.next().ok_or_else(usage)?;
        let number = || value.replace('_', "").parse::<u64>().map_err(|_| usage());
        match word.as_str() {
            "--cases" => options.cases = number()?,
            "--seed" => options.seed = number()?,
            "--case" => options.case = Some(number()?),
            "--threads" => options.threads = number()?.max(1) as usize,
            "--only" => options.only = Some(value.clone()),
            _ => return Err(usage()),
        }
    }
    Ok(options)
}
