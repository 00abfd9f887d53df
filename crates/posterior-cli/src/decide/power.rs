//! `posterior decide power`.

use std::collections::BTreeMap;

use posterior::decision::stopping::{Experiment, Outcomes, SimulatedExperiment};
use posterior::math::special::normal_upper_quantile;
use posterior_report::{Figure, Page, PageTable, Ribbon, ribbons};
use serde::Serialize;

use crate::args::DecidePower;
use crate::failure::Failure;
use crate::long_work::LongWork;
use crate::output::{cell, grouped, percent, significant};
use crate::run::Run;
use crate::text_table;

#[derive(Serialize)]
struct Output {
    /// Of each arm.
    units: u64,
    difference: f64,
    power: f64,
    /// The standard error of the simulation.
    power_error: f64,
    false_alarms: f64,
    looks: u64,
    /// By who stops at the first find of any look.
    power_at_any_look: f64,
    false_alarms_at_any_look: f64,
    /// By intervals that hold at all times, none of numbers.
    power_at_all_times: Option<f64>,
    false_alarms_at_all_times: Option<f64>,
    curve: Vec<CurvePoint>,
}

/// The power of so many units.
#[derive(Debug, Clone, Copy, Serialize)]
struct CurvePoint {
    units: u64,
    power: f64,
}

/// What is simulated.
struct Plan<'a> {
    args: &'a DecidePower,
    with: Outcomes,
    without: Outcomes,
    difference: f64,
    /// The power of so many units, as far as it was simulated.
    known: BTreeMap<u64, f64>,
}

/// More units of an arm are not searched for.
const MOST: u64 = 1 << 34;

/// Runs the verb.
pub(crate) fn run(args: &DecidePower) -> Result<(), Failure> {
    let mut run = Run::start(&args.common)?;
    let mut plan = Plan::of(args)?;
    run.claim(args.out.as_deref(), &["power.csv", "power.svg", "report.html"])?;
    let work = run.work(1, "simulating");
    let units = match args.units {
        Some(units) => units,
        None => plan.search(&work)?,
    };
    work.say(format!("simulating {} units", grouped(units)));
    let found = plan.simulate(plan.with, units)?;
    plan.known.insert(units, found.at_end);
    let null = plan.simulate(plan.without, units)?;
    for quarters in [1_u128, 2, 3, 4, 6] {
        let part = (u128::from(units) * quarters / 4).min(1 << 40) as u64;
        plan.at(part.max(3 * args.looks))?;
    }
    drop(work);
    let curve = plan.known.iter().map(|(&units, &power)| CurvePoint { units, power }).collect();
    let some = |own: f64| (!own.is_nan()).then_some(own);
    let output = Output {
        units,
        difference: plan.difference,
        power: found.at_end,
        power_error: (found.at_end * (1.0 - found.at_end) / args.runs as f64).sqrt(),
        false_alarms: null.at_end,
        looks: args.looks,
        power_at_any_look: found.at_any_look,
        false_alarms_at_any_look: null.at_any_look,
        power_at_all_times: some(found.at_any_time),
        false_alarms_at_all_times: some(null.at_any_time),
        curve,
    };
    run.write("report.html", |folder| {
        let rows = output.curve.iter().map(|own| [own.units.to_string(), cell(own.power)]);
        folder.put_table("power.csv", ["units", "power"], rows)?;
        let line = output.curve.iter().map(|own| (own.units as f64, own.power));
        let dots: Vec<(f64, f64)> = line.clone().collect();
        let picture = ribbons(
            ("units of each arm", "power"),
            &[Ribbon::line("power", line)],
            &dots,
            Some(units as f64),
        );
        folder.put_picture("power", &picture)?;
        let title = format!("{} units of each arm find it in {}", grouped(units), percent(output.power));
        let mut page = Page::new("Experiment", title);
        page.standfirst.push(plan.question());
        page.lead = Some(Figure::new(
            picture,
            "The proportion of simulated experiments in which the difference was found.",
        ));
        page.section("What is found", LOOKING, PageTable::new(HEADER, rows_of(&output)));
        run.sign(
            &mut page,
            "Simulated.",
            &[("runs", &args.runs), ("level", &args.level), ("looks", &args.looks)],
        );
        folder.put_text("report.html", &page.html())
    })?;
    run.print(|| &output, || {
        let table = text_table::aligned(&HEADER, rows_of(&output));
        let (units, error) = (grouped(units), significant(100.0 * output.power_error));
        format!("{}\nunits of each arm: {units}\n\n{table}\nsimulated {} times: the power is good to {error} %\n{LOOKING}\n", plan.question(), args.runs)
    })
}

/// What the rows of the table are.
const LOOKING: &str = "At the end: one look, when all units are there. At any look: stopping at the first find, by intervals that hold at one time only, \
                       finds too much. At all times: the same by intervals that hold at all times together.";

const HEADER: [&str; 3] = ["something is found", "of the difference", "of none (false alarms)"];

fn rows_of(output: &Output) -> Vec<Vec<String>> {
    let row = |name: &str, power: f64, alarms: f64| vec![name.to_owned(), percent(power), percent(alarms)];
    let mut rows = vec![row("at the end", output.power, output.false_alarms)];
    if output.looks > 1 {
        let name = format!("at any of {} looks", output.looks);
        rows.push(row(&name, output.power_at_any_look, output.false_alarms_at_any_look));
    }
    if let (Some(power), Some(alarms)) = (output.power_at_all_times, output.false_alarms_at_all_times) {
        rows.push(row("at all times", power, alarms));
    }
    rows
}

impl<'a> Plan<'a> {
    fn of(args: &'a DecidePower) -> Result<Self, Failure> {
        let usage = |message: String| Err(Failure::Usage(message));
        let base = args.rate.or(args.mean);
        let difference = match (args.difference, args.lift, base) {
            (Some(difference), ..) => difference,
            (None, Some(lift), Some(base)) => lift * base,
            _ => return usage("--lift: a part of what? say the control's --mean".to_owned()),
        };
        if !(difference.is_finite() && difference != 0.0) {
            return usage(format!("the difference is {difference}: expected another number than 0"));
        }
        if !(args.power > 0.0 && args.power < 1.0) {
            return usage(format!("--power {}: expected a probability between 0 and 1", args.power));
        }
        let [with, without] = [difference, 0.0].map(|difference| match (args.rate, args.sd) {
            (Some(rate), _) => Outcomes::Proportions([rate, rate + difference]),
            (None, sd) => Outcomes::Numbers {
                means: [0.0, difference].map(|own| own + args.mean.unwrap_or(0.0)),
                sds: [sd.unwrap_or(f64::NAN); 2],
            },
        });
        if let Outcomes::Proportions([base, other]) = with
            && ![base, other].iter().all(|p| (0.0..=1.0).contains(p))
        {
            return usage(format!("proportions of {base} and {other}: expected probabilities from 0 to 1"));
        }
        Ok(Self { args, with, without, difference, known: BTreeMap::new() })
    }

    fn experiment(&self, outcomes: Outcomes, units: u64) -> Experiment {
        let DecidePower { looks, level, runs, common, .. } = self.args;
        Experiment {
            looks: *looks,
            level: level.probability(),
            runs: *runs,
            seed: common.seed,
            ..Experiment::new(outcomes, units)
        }
    }

    fn simulate(&self, outcomes: Outcomes, units: u64) -> Result<SimulatedExperiment, Failure> {
        Ok(self.experiment(outcomes, units).simulate()?)
    }

    /// The power to find the difference.
    fn at(&mut self, units: u64) -> Result<f64, Failure> {
        if let Some(known) = self.known.get(&units) {
            return Ok(*known);
        }
        let found = self.experiment(self.with, units).power()?;
        self.known.insert(units, found);
        Ok(found)
    }

    /// Units of each arm by the normal approximation, where the search begins.
    fn guess(&self) -> f64 {
        let variance = match self.with {
            Outcomes::Proportions(all) => all.iter().map(|p| p * (1.0 - p)).sum::<f64>(),
            _ => 2.0 * self.args.sd.unwrap_or(f64::NAN).powi(2),
        };
        let z =
            normal_upper_quantile(self.args.level.ends()[0]) + normal_upper_quantile(1.0 - self.args.power);
        (z / self.difference).powi(2) * variance
    }

    /// The least number of units that has the power, to one part in a hundred.
    fn search(&mut self, work: &LongWork) -> Result<u64, Failure> {
        let least = 3 * self.args.looks;
        // A float beyond all integers becomes the largest.
        let mut high = (self.guess() as u64).clamp(least, MOST);
        let mut low = high;
        let try_out = |units: u64| work.say(format!("trying {} units", grouped(units)));
        try_out(high);
        while self.at(high)? < self.args.power {
            if high >= MOST {
                let message = format!("{} units of each arm are too few to find it", grouped(MOST));
                return Err(
                    Failure::data(message).with_hint("look for a larger difference, or with less --power")
                );
            }
            (low, high) = (high, (high + high.div_ceil(8)).min(MOST));
            try_out(high);
        }
        while low > least && self.at(low)? >= self.args.power {
            (low, high) = ((low - low.div_ceil(8)).max(least), low);
        }
        if self.at(low)? >= self.args.power {
            return Ok(low);
        }
        while high - low > 1 + high / 100 {
            let middle = low.midpoint(high);
            try_out(middle);
            if self.at(middle)? < self.args.power {
                low = middle;
            } else {
                high = middle;
            }
        }
        Ok(high)
    }

    /// What is looked for.
    fn question(&self) -> String {
        let level = self.args.level;
        match self.with {
            Outcomes::Proportions([base, other]) => format!(
                "successes: {} of the control, {} of the other arm; intervals of {level}",
                percent(base),
                percent(other)
            ),
            _ => format!(
                "numbers: a difference of {} with a standard deviation of {}; intervals of {level}",
                significant(self.difference),
                significant(self.args.sd.unwrap_or(f64::NAN))
            ),
        }
    }
}
