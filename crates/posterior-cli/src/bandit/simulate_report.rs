//! The page about games: what was lost, against what theory says, and when one could have stopped.

use posterior::decision::bandit::{Curve, History, Policy, RewardDistribution, SimulatedGames, theory};
use posterior::dist::stream::stream;
use posterior_report::{BandPoint, Figure, Page, PageTable, Picture, Ribbon, ribbons};
use serde::Serialize;

use super::when_to_stop::Standing;
use crate::args::BanditSimulate;
use crate::failure::{Failure, refused};
use crate::output::{grouped, percent, significant};
use crate::run::Run;

#[derive(Serialize)]
pub(super) struct CurveOutput<'a> {
    policy: &'a str,
    /// After the last play.
    mean: f64,
    standard_error: f64,
    q05: f64,
    q50: f64,
    q95: f64,
    proportion_of_best: f64,
    slope: f64,
    plays: &'a [f64],
    curve: &'a [f64],
}

/// The games, and what theory says of them.
#[derive(Debug)]
pub(super) struct Games {
    pub(super) simulated: SimulatedGames,
    pub(super) lai_robbins: f64,
    pub(super) ucb1_bound: f64,
}

impl<'a> CurveOutput<'a> {
    pub(super) fn of(curve: &'a Curve, times: &[u64]) -> Self {
        let [q05, _, q50, _, q95] = curve.quantiles.last().copied().unwrap_or([f64::NAN; 5]);
        Self {
            policy: &curve.policy,
            mean: curve.final_regret(),
            standard_error: curve.standard_errors.last().copied().unwrap_or(f64::NAN),
            q05,
            q50,
            q95,
            proportion_of_best: curve.proportion_of_best.last().copied().unwrap_or(f64::NAN),
            slope: curve.slope(times),
            plays: &curve.plays,
            curve: &curve.regret,
        }
    }
}

/// The names of the cells of [`rows`].
pub(super) const HEADER: [&str; 7] =
    ["policy", "regret", "standard error", "5 %", "95 %", "best arm", "slope over ln n"];

/// A row for each policy.
pub(super) fn rows(games: &Games) -> Vec<Vec<String>> {
    let row = |curve: &Curve| {
        let output = CurveOutput::of(curve, &games.simulated.times);
        let numbers = [output.mean, output.standard_error, output.q05, output.q95].map(significant);
        let rest = [percent(output.proportion_of_best), significant(output.slope)];
        std::iter::once(curve.policy.clone()).chain(numbers).chain(rest).collect()
    };
    games.simulated.curves.iter().map(row).collect()
}

/// How many plays of the game in the panel on stopping are looked at.
const LOOKS: usize = 40;
/// Plays of that game.
const LONGEST: u64 = 20_000;

/// Regret over the logarithm of plays with its quantiles, and the line of Lai and Robbins.
pub(super) fn regret(args: &BanditSimulate, games: &Games) -> Picture {
    let x: Vec<f64> = games.simulated.times.iter().map(|&time| (time as f64).log10()).collect();
    let of = |curve: &Curve| {
        let band = |low: usize, high: usize| {
            let point = |(&x, q): (&f64, &[f64; 5])| BandPoint { x, low: q[low], high: q[high] };
            x.iter().zip(&curve.quantiles).map(point).collect()
        };
        let line = x.iter().copied().zip(curve.regret.iter().copied()).collect();
        Ribbon { name: curve.policy.clone(), line, bands: vec![band(0, 4)] }
    };
    let mut all: Vec<Ribbon> = games.simulated.curves.iter().map(of).collect();
    let slope = games.lai_robbins * std::f64::consts::LN_10;
    let line = [0.0, (args.horizon as f64).log10()].map(|x| (x, slope * x)).to_vec();
    all.push(Ribbon::line("Lai and Robbins", line));
    ribbons(("log10 of plays", "regret"), &all, &[], None)
}

/// The proportion of plays that went to a best arm, and (n - K ln n)/n.
fn proportions(args: &BanditSimulate, games: &Games) -> Picture {
    let times = &games.simulated.times;
    let x: Vec<f64> = times.iter().map(|&time| (time as f64).log10()).collect();
    let of = |curve: &Curve| {
        Ribbon::line(curve.policy.clone(), x.iter().copied().zip(curve.proportion_of_best.iter().copied()))
    };
    let mut all: Vec<Ribbon> = games.simulated.curves.iter().map(of).collect();
    let rough = |(&x, &time): (&f64, &u64)| {
        (x, theory::proportion_of_best(args.arms.len(), time).unwrap_or(f64::NAN))
    };
    all.push(Ribbon::line("(n - K ln n)/n", x.iter().zip(times).map(rough)));
    ribbons(("log10 of plays", "proportion of the best arm"), &all, &[], None)
}

/// One game of the first policy: how surely its leader is best, and what a choice would lose.
fn stopping(args: &BanditSimulate, policy: &dyn Policy) -> Result<[Picture; 2], Failure> {
    let horizon = args.horizon.min(LONGEST);
    let mut agent = policy.start(args.arms.len()).map_err(refused)?;
    let mut history = History::new(args.arms.len()).map_err(refused)?;
    let mut rng = stream(args.common.seed, &[u64::MAX]);
    let (mut sure, mut loss) = (Vec::new(), Vec::new());
    let mut next = 1.0_f64;
    let step = (horizon as f64).powf(1.0 / LOOKS as f64).max(1.0);
    for play in 1..=horizon {
        let arm = agent.choose(&mut rng);
        let reward = RewardDistribution::Bernoulli(args.arms[arm]).draw(&mut rng);
        agent.observe(arm, reward).map_err(refused)?;
        history.push(arm, reward).map_err(refused)?;
        if play as f64 >= next || play == horizon {
            let judgement = Standing::of(&history, [0.0, 1.0])?.judgement;
            let x = (play as f64).log10();
            sure.push((x, judgement.probability_best[judgement.leader]));
            loss.push((x, judgement.expected_loss[judgement.leader].max(1e-12).log10()));
            next = (next * step).max(play as f64 + 1.0);
        }
    }
    let line = |line: Vec<(f64, f64)>| Ribbon::line("", line);
    Ok([
        ribbons(("log10 of plays", "P(the leader is best)"), &[line(sure)], &[], None),
        ribbons(("log10 of plays", "log10 of the loss per play of a choice now"), &[line(loss)], &[], None),
    ])
}

/// The page.
pub(super) fn page(
    run: &Run<'_>,
    args: &BanditSimulate,
    first: &dyn Policy,
    games: &Games,
    regret: Picture,
) -> Result<Page, Failure> {
    let curves = &games.simulated.curves;
    let least = curves.iter().min_by(|a, b| a.final_regret().total_cmp(&b.final_regret()));
    let (horizon, runs) = (grouped(args.horizon), grouped(args.runs));
    let answer = least.map_or_else(String::new, |curve| {
        format!(
            "{} loses least: {} rewards in {horizon} plays",
            curve.policy,
            significant(curve.final_regret())
        )
    });
    let mut page = Page::new("Bandit", answer);
    let arms: Vec<String> = args.arms.iter().map(f64::to_string).collect();
    page.standfirst.push(format!(
        "Arms that succeed with probability {}; {runs} games of each policy, all with the same luck. Regret is what was lost in expectation by \
         not playing the best arm always.",
        arms.join(", ")
    ));
    page.lead = Some(Figure::new(
        regret,
        "Mean regret, and between which values it was in 90 % of the games. No policy that is good for all arms grows slower than the line of Lai \
         and Robbins in the long run; it may lie below or above the curves before.",
    ));
    page.facts = vec![
        ("Plays".to_owned(), horizon),
        ("Games".to_owned(), runs),
        ("Lai and Robbins".to_owned(), format!("{} ln n", significant(games.lai_robbins))),
        ("Bound of UCB1".to_owned(), significant(games.ucb1_bound)),
    ];
    let text = "The slope is that of the mean regret over ln n, from the square root of the plays on; to be compared with the constant of Lai \
               and Robbins.";
    page.section("After the last play", text, PageTable::new(HEADER, rows(games)));
    page.section(
        "Plays of the best arm",
        "If every other arm got ln n plays, the best would get about (n - K ln n)/n of them.",
        Figure::new(
            proportions(args, games),
            "The mean proportion of the plays so far that went to a best arm.",
        ),
    );
    let [sure, loss] = stopping(args, first)?;
    page.section(
        "When to stop",
        format!("One game of {}: what its posteriors say of a choice made then.", first.name()),
        Figure::new(sure, "How probably the leader is best, under uniform priors."),
    );
    page.section(
        "What a choice would lose",
        "Stop where this is less than what one more play costs.",
        Figure::new(loss, "The expected loss per play of choosing the leader for good."),
    );
    run.sign(
        &mut page,
        concat!("Simulated by posterior ", env!("CARGO_PKG_VERSION"), "."),
        &[("arms", &arms.join(", ")), ("policies", &args.policy.join(", "))],
    );
    Ok(page)
}
