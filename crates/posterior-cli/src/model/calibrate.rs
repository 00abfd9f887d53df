//! `posterior model calibrate`.

use std::sync::atomic::{AtomicUsize, Ordering};

use posterior::dist::target::EvalError;
use posterior::model::{ModelError, StanPosterior};
use posterior::sampling::calibration::{
    Calibration, CalibrationReport, Ranks, SimulationModel, nearly_independent,
};
use posterior::sampling::hamiltonian::Nuts;
use posterior::sampling::{Draws, Error, Run as Chains, Start};
use rand::{Rng, RngExt};
use serde::Serialize;

use super::calibration_report::{self, LEVEL, LONGEST};
use super::input::Input;
use super::quantities::bracketed;
use super::sample::STATISTICS;
use crate::args::ModelCalibrate;
use crate::failure::{Failure, refused};
use crate::json::Number;
use crate::output::{grouped, significant};
use crate::run::Run;

/// Arrays of ones and zeros that compare a draw with the simulated parameters, and what stands for a smaller
/// draw: `lt_sim` of Stan's guide, `ranks_` of `sbc` of rstan.
const COMPARISONS: [(&str, f64); 2] = [("lt_sim", 1.0), ("ranks_", 0.0)];

/// What stands for the simulated parameter: more than the number of a smaller draw, less than another's.
const SIMULATED: f64 = 0.5;

/// A program that simulates its parameters and its data in the block of transformed data.
struct Simulator<'a> {
    input: &'a Input,
    names: Vec<String>,
    /// Places of the comparisons among all quantities.
    places: Vec<usize>,
    smaller: f64,
}

impl<'a> Simulator<'a> {
    fn new(input: &'a Input) -> Result<Self, Failure> {
        let all = input.posterior.names(true, true).map_err(refused)?;
        let own = |stem: &str| -> Vec<usize> {
            let is_own = |name: &String| {
                name.strip_prefix(stem).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
            };
            (0..all.len()).filter(|&place| is_own(&all[place])).collect()
        };
        let found = COMPARISONS.map(|(stem, smaller)| (own(stem), smaller));
        let Some((places, smaller)) = found.into_iter().find(|(places, _)| !places.is_empty()) else {
            return Err(Failure::data("the program generates neither `lt_sim` nor `ranks_`").with_hint(
                "draw parameters and data in the transformed data, as mu_sim = normal_rng(0, 1), and compare in the generated \
                 quantities: array[1] int lt_sim = {mu < mu_sim}",
            ));
        };
        let names = places.iter().map(|&place| bracketed(&all[place])).collect();
        Ok(Self { input, names, places, smaller })
    }

    /// The comparisons of each draw, 0 for a smaller one.
    fn compared(&self, posterior: &StanPosterior, free: &Draws, seed: u64) -> Result<Draws, Error> {
        let mut rows = Vec::with_capacity(free.len() * self.places.len());
        for draw in 0..free.len() {
            let values =
                posterior.values(free.draw(0, draw), true, Some((seed, draw as u64 + 1))).map_err(fatal)?;
            for (&place, name) in self.places.iter().zip(&self.names) {
                if values[place] != 0.0 && values[place] != 1.0 {
                    return Err(
                        EvalError::fatal(format!("{name} is {}, and must be 0 or 1", values[place])).into()
                    );
                }
                rows.push(f64::from(values[place] != self.smaller));
            }
        }
        Draws::new(self.names.clone(), vec![rows])
    }
}

impl SimulationModel for Simulator<'_> {
    type Data = StanPosterior;

    fn names(&self) -> Vec<String> {
        self.names.clone()
    }

    fn prior<R: Rng + ?Sized>(&self, _: &mut R) -> Result<Vec<f64>, Error> {
        Ok(vec![SIMULATED; self.names.len()])
    }

    fn simulate<R: Rng + ?Sized>(&self, _: &[f64], rng: &mut R) -> Result<StanPosterior, Error> {
        self.input.simulated(rng.random()).map_err(fatal)
    }
}

fn fatal(error: ModelError) -> Error {
    EvalError::fatal(error).into()
}

/// Runs the verb.
pub(crate) fn run(args: &ModelCalibrate) -> Result<(), Failure> {
    let common = &args.input.common;
    let mut run = Run::start(common)?;
    let input = Input::read(&args.input, &run)?;
    let model = Simulator::new(&input)?;
    run.claim(args.input.out.as_deref(), calibration_report::NAMES)?;
    input.check_memory(&args.input, args.num_samples as usize, STATISTICS)?;
    let draws = args.num_draws as usize;
    if args.num_samples < args.num_draws {
        let message = format!("--num-samples {}: fewer than --num-draws {draws}", args.num_samples);
        return Err(Failure::Usage(message));
    }
    let calibration = Calibration { simulations: args.simulations as usize, draws, seed: common.seed };
    let nuts = Nuts { target_accept: args.adapt_delta, ..Nuts::default() };
    let (divergences, dependent) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let calibrated = run.during("simulations", || {
        calibration.run(&model, |posterior, rng| {
            let seed = rng.random();
            let (warm_up, draws_of_chain) = (args.num_warmup as usize, args.num_samples as usize);
            let mut chain = Chains { chains: 1, warm_up, draws: draws_of_chain, seed, ..Chains::default() };
            loop {
                let sampled = chain.sample(posterior, &nuts, &Start::default())?.draws;
                match nearly_independent(&sampled, draws) {
                    Err(Error::TooDependent { .. }) if chain.thin < LONGEST => chain.thin *= 2,
                    found => {
                        let own = sampled.sampler_report().divergences.unwrap_or_default();
                        divergences.fetch_add(own.iter().sum(), Ordering::Relaxed);
                        // A simulation that is left out would leave out data of its kind.
                        let taken = match found {
                            Err(Error::TooDependent { .. }) => {
                                dependent.fetch_add(1, Ordering::Relaxed);
                                sampled
                            }
                            independent => independent?,
                        };
                        return model.compared(posterior, &taken, seed);
                    }
                }
            }
        })
    });
    let report = calibrated.map_err(refused)?;
    let output = Output::new(&report, divergences.into_inner(), dependent.into_inner());
    run.write("report.html", |folder| calibration_report::write(folder, &run, &report, output.dependent))?;
    run.print(|| &output, || output.text(&report))
}

/// The verdict; its JSON is the contract of the command line.
#[derive(Serialize)]
struct Output {
    simulations: usize,
    draws: usize,
    quantities: Vec<Quantity>,
    /// The least of all quantities, times twice their number.
    p_value: f64,
    calibrated: bool,
    divergences: usize,
    /// Simulations whose draws were not nearly independent after the longest chain.
    dependent: usize,
}

#[derive(Serialize)]
struct Quantity {
    name: String,
    mean_rank: f64,
    coverage_50: Number,
    coverage_90: Number,
    p_histogram: f64,
    p_distribution: f64,
    /// For each simulation, how many draws are below the simulated value.
    ranks: Vec<usize>,
}

impl Output {
    fn new(report: &CalibrationReport, divergences: usize, dependent: usize) -> Self {
        let quantity = |own: &Ranks| {
            let coverage = |level| Number(own.coverage(level).map_or(f64::NAN, |coverage| coverage.rate()));
            Quantity {
                name: own.name().to_owned(),
                mean_rank: own.mean(),
                coverage_50: coverage(0.5),
                coverage_90: coverage(0.9),
                p_histogram: own.chi_square_p_value(),
                p_distribution: own.ecdf_p_value(),
                ranks: own.ranks().to_vec(),
            }
        };
        let first = report.quantities.first();
        Self {
            simulations: first.map_or(0, Ranks::simulations),
            draws: first.map_or(0, Ranks::draws),
            quantities: report.quantities.iter().map(quantity).collect(),
            p_value: report.p_value(),
            calibrated: report.passes(LEVEL),
            divergences,
            dependent,
        }
    }

    fn text(&self, report: &CalibrationReport) -> String {
        let p = significant(self.p_value);
        let verdict = if self.calibrated {
            format!("p = {p}: nothing speaks against the program and its sampler")
        } else {
            format!(
                "warning: the ranks are not uniform (p = {p}): program and simulation are not one model, or the sampler misses a part"
            )
        };
        let divergent = match self.divergences {
            0 => String::new(),
            n => format!(
                "warning: steps that diverged: {}; --adapt-delta nearer to 1, or other parameters\n",
                grouped(n as u64)
            ),
        };
        let dependent = match self.dependent {
            0 => String::new(),
            n => format!("warning: {}\n", calibration_report::dependent(n, self.simulations)),
        };
        format!(
            "{} simulations, ranks among {} draws of each\n\n{report}\nA mean rank above 1/2: the posterior is too low; coverage \
             below its level: too narrow.\n{verdict}\n{divergent}{dependent}",
            grouped(self.simulations as u64),
            grouped(self.draws as u64)
        )
    }
}
