//! The page about draws: do the chains agree, what to do if not, the figures, and plots of the parameters
//! that mix worst.

use posterior::sampling::Draws;
use posterior::sampling::diagnostics::{
    ChainSummary, ParameterSummary, Undefined, Warning, autocorrelation, rank_histogram,
};
use posterior_report::{Card, Figure, Page, PageTable, Section};

use super::draws_input::Input;
use crate::failure::Failure;
use crate::level::Level;
use crate::output::{called, grouped, significant};
use crate::output_folder::OutputFolder;
use crate::pictures::Pictures;
use crate::run::read_by_posterior;

/// Parameters with plots.
const PLOTTED: usize = 24;
/// Rows of the table of figures.
const ROWS: usize = 2000;
const BINS: usize = 20;
const LAGS: usize = 50;

/// The plots of a parameter: `trace`, and where there are any `ranks` and `autocorrelation`.
pub(super) struct Shown<'a> {
    pub(super) name: &'a str,
    place: usize,
    pub(super) pictures: Pictures,
}

/// The places of the parameters, those that mix worst first.
pub(crate) fn worst_first(summary: &ChainSummary) -> Vec<usize> {
    let mut places: Vec<usize> = (0..summary.parameters.len()).collect();
    // Those without figures last, for most are fixed.
    let rhat = |place: usize| summary.parameters[place].rhat.unwrap_or(f64::NEG_INFINITY);
    let ess = |place: usize| summary.parameters[place].ess_bulk.unwrap_or(f64::INFINITY);
    let coarse = |rhat: f64| (rhat * 1000.0).round();
    places.sort_by(|&a, &b| coarse(rhat(b)).total_cmp(&coarse(rhat(a))).then(ess(a).total_cmp(&ess(b))));
    places
}

/// The plots of the parameters that mix worst, the worst first.
pub(super) fn shown<'a>(draws: &Draws, summary: &'a ChainSummary) -> Vec<Shown<'a>> {
    worst_first(summary).into_iter().take(PLOTTED).map(|place| plots(draws, summary, place)).collect()
}

fn plots<'a>(draws: &Draws, summary: &'a ChainSummary, place: usize) -> Shown<'a> {
    let (name, chains) = (summary.parameters[place].name.as_str(), draws.parameter(place));
    let ranks = rank_histogram(&chains, BINS).ok();
    let memory: Option<Vec<Vec<f64>>> =
        chains.iter().map(|chain| autocorrelation(chain, LAGS).ok()).collect();
    let band = 1.96 / (draws.len() as f64).sqrt();
    let ranks = ranks.map(|own| posterior_report::rank_histogram(name, &own.counts, own.band));
    let memory = memory.map(|own| posterior_report::autocorrelation(name, &own, band));
    let trace = posterior_report::trace(name, &chains);
    let pictures = Pictures::of([("trace", Some(trace)), ("ranks", ranks), ("autocorrelation", memory)]);
    Shown { name, place, pictures }
}

/// The page.
fn page(source: &str, summary: &ChainSummary, shown: &[Shown<'_>], level: Level) -> Page {
    let mut page = Page::new("Markov chains", headline(summary));
    page.standfirst.push(standfirst(summary));
    if let Some(worst) = shown.first() {
        let caption = format!(
            "The draws of {} in their order, {}. Chains that agree look like one caterpillar: no drift, no chain apart, no long stay \
             at one place.",
            worst.name,
            if shown.len() > 1 { "the parameter that mixes worst" } else { "a line for each chain" },
        );
        page.lead = worst.pictures.get("trace").map(|picture| Figure::new(picture.clone(), caption));
    }
    page.facts = facts(summary);
    if !summary.warnings.is_empty() {
        page.section(
            "What to do",
            "The gravest first.",
            summary.warnings.iter().map(sentence).collect::<Vec<_>>(),
        );
    }
    page.sections.push(figures(summary, level));
    let title = if shown.len() < summary.parameters.len() {
        format!("The {} parameters that mix worst", shown.len())
    } else {
        "The parameters, those that mix worst first".to_owned()
    };
    let text = "Draws in their order; how the ranks of each chain's draws spread among those of all, flat and inside the band if \
                the chains agree; and how long the chains remember.";
    let cards = shown.iter().map(|own| card(own, &summary.parameters[own.place]));
    page.section(title, text, cards.collect::<Vec<_>>());
    page.command = called();
    let paper = "R̂, effective draws and standard errors after Vehtari et al. (2021).";
    page.source = format!("{} {paper}", read_by_posterior(source));
    page
}

fn headline(summary: &ChainSummary) -> String {
    let first = |names: &[(String, f64)]| names.first().map_or_else(String::new, |(name, _)| name.clone());
    match summary.warnings.first() {
        None => "The chains agree".to_owned(),
        Some(Warning::Rhat(large)) => format!("The chains have not met in {}", first(large)),
        Some(Warning::Undefined(all)) if all.len() == summary.parameters.len() => {
            "These draws can't be judged".to_owned()
        }
        Some(Warning::Undefined(_)) => "Some parameters can't be judged".to_owned(),
        Some(Warning::Divergences { count, .. }) => {
            let trajectories = if *count == 1 { "trajectory" } else { "trajectories" };
            format!("{} {trajectories} diverged", grouped(*count as u64))
        }
        Some(Warning::EssBulk { few, .. } | Warning::EssTail { few, .. }) => {
            format!("Few effective draws of {}", first(few))
        }
        Some(Warning::OneChain) => "One chain can't tell whether it has seen all".to_owned(),
        Some(_) => "The chains agree, with a warning".to_owned(),
    }
}

fn standfirst(summary: &ChainSummary) -> String {
    let count = |n: usize, one: &str, many: &str| {
        format!("{} {}", grouped(n as u64), if n == 1 { one } else { many })
    };
    format!(
        "{} of {} of {}. {}",
        count(summary.chains, "chain", "chains"),
        count(summary.draws, "draw", "draws"),
        count(summary.parameters.len(), "parameter", "parameters"),
        match summary.warnings.len() {
            0 =>
                "Nothing speaks against using them: the chains tell the same, and are long enough for means and intervals.",
            1 => "There is a warning, with what to do about it, below.",
            _ => "There are warnings, with what to do about them, below.",
        }
    )
}

/// `r̂ is above` begins a sentence: its words, with a stop.
fn sentence(warning: &Warning) -> String {
    let text = warning.to_string();
    let mut letters = text.chars();
    let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    format!("{first}{}.", letters.as_str())
}

fn facts(summary: &ChainSummary) -> Vec<(String, String)> {
    let all = |figure: fn(&ParameterSummary) -> Result<f64, Undefined>| {
        summary.parameters.iter().filter_map(move |own| figure(own).ok())
    };
    let least = |figure| all(figure).min_by(f64::total_cmp).map_or_else(dash, |value| format!("{value:.0}"));
    let largest = all(|own| own.rhat).max_by(f64::total_cmp);
    let mut facts = vec![
        ("Largest R̂".to_owned(), largest.map_or_else(dash, |value| format!("{value:.3}"))),
        ("Fewest effective draws".to_owned(), least(|own| own.ess_bulk)),
        ("Fewest in the tails".to_owned(), least(|own| own.ess_tail)),
    ];
    let sampler = &summary.sampler;
    if let Some(counts) = &sampler.divergences {
        facts.push(("Divergences".to_owned(), grouped(counts.iter().sum::<usize>() as u64)));
    }
    if let Some(counts) = &sampler.longest_paths {
        facts.push(("Longest paths".to_owned(), grouped(counts.iter().sum::<usize>() as u64)));
    }
    let energies = sampler.e_bfmi.iter().flatten().filter_map(|own| own.ok());
    if let Some(least) = energies.min_by(f64::total_cmp) {
        facts.push(("Smallest E-BFMI".to_owned(), format!("{least:.2}")));
    }
    facts
}

fn dash() -> String {
    "–".to_owned()
}

fn figures(summary: &ChainSummary, level: Level) -> Section {
    let row = |own: &ParameterSummary| {
        let short = |figure: Result<f64, Undefined>| figure.map_or_else(|_| dash(), significant);
        let fixed = |figure: Result<f64, Undefined>, digits: usize| {
            figure.map_or_else(|_| dash(), |value| format!("{value:.digits$}"))
        };
        let numbers = [own.mean, own.mcse, own.sd, own.low, own.q50, own.high].map(short);
        let shortest = own
            .highest_density
            .map_or_else(|_| dash(), |[low, high]| format!("{} to {}", significant(low), significant(high)));
        let sizes = [fixed(own.ess_bulk, 0), fixed(own.ess_tail, 0), fixed(own.rhat, 3)];
        std::iter::once(own.name.clone()).chain(numbers).chain([shortest]).chain(sizes).collect()
    };
    let title = if summary.parameters.len() > ROWS {
        format!(
            "The first {} of {} parameters",
            grouped(ROWS as u64),
            grouped(summary.parameters.len() as u64)
        )
    } else {
        "The figures".to_owned()
    };
    let text = "Bulk and tail are effective draws: as many independent ones would do as well for the middle, and for the 5 % and 95 % \
                quantiles.";
    let [low, high] = &level.percents();
    let shortest = &format!("shortest {level}");
    let columns =
        ["parameter", "mean", "standard error", "sd", low, "50 %", high, shortest, "bulk", "tail", "R̂"];
    Section::new(title, text, PageTable::new(columns, summary.parameters.iter().take(ROWS).map(row)))
}

fn card(own: &Shown<'_>, figures: &ParameterSummary) -> Card {
    let meta = match (figures.rhat, figures.ess_bulk, figures.ess_tail) {
        (Ok(rhat), Ok(bulk), Ok(tail)) => {
            format!("R̂ {rhat:.3} · effective draws {bulk:.0}, in the tails {tail:.0}")
        }
        (Err(why), ..) | (_, Err(why), _) | (.., Err(why)) => format!("no diagnostics: {why}"),
    };
    Card {
        title: own.name.to_owned(),
        meta,
        pictures: own.pictures.iter().map(|(_, picture)| picture.clone()).collect(),
    }
}

/// What a run writes, as far as the names are always the same.
pub(super) const NAMES: &[&str] = &["summary.csv", "report.html"];

/// Writes everything that a run leaves in `folder`; in the table, what has no value is empty.
pub(super) fn write(
    folder: &OutputFolder,
    input: &Input,
    summary: &ChainSummary,
    level: Level,
) -> Result<(), Failure> {
    let [low, high] = &level.names();
    let figures = ["mean", "mcse", "sd", "mcse_sd", low, "q50", high, "hdi_low", "hdi_high"];
    let header = std::iter::once("parameter").chain(figures).chain(["ess_bulk", "ess_tail", "rhat"]);
    let cell = |figure: Result<f64, Undefined>| figure.map_or_else(|_| String::new(), |own| own.to_string());
    let rows = summary.parameters.iter().map(|own| {
        let [hdi_low, hdi_high] = [0, 1].map(|end| own.highest_density.map(|ends| ends[end]));
        let ends = [own.low, own.q50, own.high, hdi_low, hdi_high, own.ess_bulk, own.ess_tail, own.rhat];
        let figures = [own.mean, own.mcse, own.sd, own.mcse_sd].into_iter().chain(ends);
        std::iter::once(own.name.clone()).chain(figures.map(cell))
    });
    folder.put_table("summary.csv", header, rows)?;
    let all = shown(&input.draws, summary);
    for (place, own) in all.iter().enumerate() {
        for (kind, picture) in own.pictures.iter() {
            folder.put_picture(&format!("{kind}_{:02}_{}", place + 1, plain(own.name)), picture)?;
        }
    }
    folder.put_text("report.html", &page(&input.source, summary, &all, level).html())
}

/// Writes the page alone, with more sections at its end.
pub(crate) fn write_page(
    folder: &OutputFolder,
    (source, draws): (&str, &Draws),
    summary: &ChainSummary,
    level: Level,
    more: Vec<Section>,
) -> Result<(), Failure> {
    let mut page = page(source, summary, &shown(draws, summary), level);
    page.sections.extend(more);
    folder.put_text("report.html", &page.html())
}

/// A name that every file system takes.
fn plain(name: &str) -> String {
    let plain: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).take(40).collect();
    plain.trim_matches('_').to_owned()
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn names_of_files_are_plain() {
        assert_eq!(plain("theta[1,2]"), "theta_1_2");
        assert_eq!(plain("../../etc/passwd"), "etc_passwd");
        assert_eq!(plain("τ"), "");
    }
}
