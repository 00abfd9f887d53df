//! Latent Gaussian models side by side: ours, and lme4 and mgcv when the program Rscript is named; on one
//! thread, by processor time.

use std::fs;

use posterior_benches::comparison::{Outcome, Settings, figure, median, print_head, print_row, ratio};
use posterior_benches::hierarchies::{self, Responses, Table};
use posterior_benches::peers::Measurements;
use posterior_benches::timing::{cpu_seconds, on_one_thread};
use posterior_hierarchical::{
    HierarchicalFit, HierarchicalModel, HierarchicalOptions, HyperEstimate, LatentMarginal, Skewness,
};

/// One line of the table.
struct Line {
    table: &'static str,
    what: String,
    /// What ours does.
    estimate: HyperEstimate,
    skewness: Skewness,
    runs: usize,
    /// The calls of peers that it stands beside.
    peers: &'static [&'static str],
    /// How far estimates may be apart, relative to the peer's, where both maximise the same.
    tolerance: Option<f64>,
}

/// Prints the table.
pub(super) fn compare(settings: &Settings) -> Outcome {
    let (rows, groups) = settings.size((100_000, [10_000, 500]), (2_000, [200, 20]));
    let crossed = |response| hierarchies::crossed(response, rows, groups);
    let tables = [
        ("gaussian", crossed(Responses::Gaussian)),
        ("poisson", crossed(Responses::Poisson)),
        ("bernoulli", crossed(Responses::Bernoulli)),
        ("sleepers", hierarchies::sleepers()),
        ("wave", hierarchies::wave(rows)),
    ];
    let folder = tempfile::tempdir()?;
    for (name, table) in &tables {
        table.write(folder.path(), name)?;
    }
    let peers = Measurements::on(settings, "hierarchies.R", folder.path(), 1)?;
    println!("CPU seconds, one thread; medians of several runs, of lme4 with 10⁵ rows and of gam of one.");
    println!(
        "Ours maximises the same likelihood as the peer, or integrates over the hyperparameters: the whole posterior\n"
    );
    if peers.peers.is_empty() {
        println!("No R: the columns of its packages are empty.\n");
    }
    print_head(
        &["model", "ours"],
        &["seconds", "points", "peer", "seconds", "ours / peer", "largest difference"],
    );
    for (name, table) in &tables {
        let model = model(name, table, groups)?;
        for line in lines(name, rows, groups) {
            let (seconds, fit) = on_one_thread(|| timed(&model, &line))?;
            let shown = estimates(&line, &fit)?;
            for peer in line.peers {
                let number = |what: &str| peers.of(table.rows(), peer, &format!("{name} {what}"));
                let difference = |(what, own): &(String, f64)| Some((own / number(what)? - 1.0).abs());
                let largest = shown.iter().filter_map(difference).reduce(f64::max);
                if let (Some(largest), Some(tolerance)) = (largest, line.tolerance)
                    && !(largest <= tolerance)
                {
                    return Err(format!("{name}: {shown:?} is not what {peer} found, by {largest:e}").into());
                }
                print_row(&[
                    line.what.clone(),
                    done(line.estimate).to_owned(),
                    figure(seconds, 4),
                    fit.points().len().to_string(),
                    (*peer).to_owned(),
                    figure(number("seconds"), 4),
                    ratio(seconds, number("seconds")),
                    largest.map_or("-".to_owned(), |own| format!("{own:.0e}")),
                ]);
            }
        }
    }
    alone(settings)
}

fn model(name: &str, table: &Table, groups: [usize; 2]) -> Outcome<HierarchicalModel> {
    Ok(match name {
        "gaussian" => hierarchies::crossed_model(Responses::Gaussian, table, groups)?,
        "poisson" => hierarchies::crossed_model(Responses::Poisson, table, groups)?,
        "bernoulli" => hierarchies::crossed_model(Responses::Bernoulli, table, groups)?,
        "sleepers" => hierarchies::sleepers_model(table)?,
        _ => hierarchies::wave_model(table, 20)?,
    })
}

const fn done(estimate: HyperEstimate) -> &'static str {
    match estimate {
        HyperEstimate::RestrictedLikelihood => "REML",
        HyperEstimate::Likelihood => "ML",
        _ => "posterior",
    }
}

/// What is measured of a table: a maximum, and the posterior.
fn lines(table: &'static str, rows: usize, groups: [usize; 2]) -> [Line; 2] {
    let maximum = if matches!(table, "poisson" | "bernoulli") {
        HyperEstimate::Likelihood
    } else {
        HyperEstimate::RestrictedLikelihood
    };
    let text = match table {
        "sleepers" => "sleepstudy, lines of 18 subjects".to_owned(),
        "wave" => format!("curve of 20 knots, {rows} rows"),
        _ => format!("{} and {} crossed groups, {rows} rows, {table}", groups[0], groups[1]),
    };
    let (peers, tolerance, runs): (&[&str], _, _) = match table {
        "gaussian" => (&["lme4::lmer"], 1e-3, 3),
        // glmer's own search ends at about three digits, and that of nAGQ = 0 maximises something else.
        "poisson" | "bernoulli" => (&["lme4::glmer", "lme4::glmer, nAGQ = 0"], 0.2, 1),
        "sleepers" => (&["lme4::lmer"], 1e-3, 11),
        _ => (&["mgcv::gam", "mgcv::bam", "mgcv::bam, discrete"], 0.01, 3),
    };
    let skewness = if table == "sleepers" { Skewness::All } else { Skewness::FixedEffects };
    let line =
        |estimate, tolerance| Line { table, what: text.clone(), estimate, skewness, runs, peers, tolerance };
    [line(maximum, Some(tolerance)), line(HyperEstimate::Posterior, None)]
}

/// The fewest seconds that are measured: the clock of the processor is coarse.
const SHORTEST: f64 = 0.1;

/// The median of the times, and the last fit.
fn timed<'m>(model: &'m HierarchicalModel, line: &Line) -> Outcome<(f64, HierarchicalFit<'m>)> {
    let options = HierarchicalOptions {
        estimate: line.estimate,
        skewness: line.skewness,
        ..HierarchicalOptions::default()
    };
    let (mut times, mut fits) = (Vec::new(), 1_u32);
    loop {
        let began = cpu_seconds();
        let mut fit = model.fit(&options)?;
        for _ in 1..fits {
            fit = model.fit(&options)?;
        }
        let seconds = cpu_seconds() - began;
        if seconds < SHORTEST {
            fits *= 2;
            continue;
        }
        times.push(seconds / f64::from(fits));
        if times.len() >= line.runs {
            return Ok((median(times), fit));
        }
    }
}

/// What is compared with the peer, by its names: of maxima only.
fn estimates(line: &Line, fit: &HierarchicalFit<'_>) -> Outcome<Vec<(String, f64)>> {
    if line.tolerance.is_none() {
        return Ok(Vec::new());
    }
    if line.table == "wave" {
        let highest = fit.predictors().iter().map(LatentMarginal::mean).fold(f64::NEG_INFINITY, f64::max);
        return Ok(vec![("sd".to_owned(), fit.mode()[0].1), ("highest".to_owned(), highest)]);
    }
    let mode = fit.mode().into_iter().filter(|(name, _)| name.starts_with("sd"));
    let mut found: Vec<(String, f64)> =
        mode.map(|(name, value)| (name.replace(": intercept", ""), value)).collect();
    for name in ["intercept", "x"] {
        found.push((name.to_owned(), fit.fixed(name)?.mean()));
    }
    Ok(found)
}

/// Models without a peer here.
fn alone(settings: &Settings) -> Outcome {
    println!(
        "\nThe whole posterior of models that no package here has; the memory is the most of this program\n"
    );
    print_head(&["model"], &["seconds", "points", "memory, MB"]);
    let sides = [7, 8];
    let areas = hierarchies::cases_model(&hierarchies::cases(sides), sides)?;
    row_alone("map of 56 areas, BYM2, Poisson", &areas, Skewness::All, settings.size(5, 1))?;
    for side in settings.size(&[100, 317][..], &[20]) {
        let field = hierarchies::counts_model(&hierarchies::counts(*side)?, *side)?;
        let text = format!("Matérn field on {side} x {side} nodes, as many Poisson counts");
        row_alone(&text, &field, Skewness::FixedEffects, 1)?;
    }
    Ok(())
}

fn row_alone(text: &str, model: &HierarchicalModel, skewness: Skewness, runs: usize) -> Outcome {
    let line = Line {
        table: "",
        what: text.to_owned(),
        estimate: HyperEstimate::Posterior,
        skewness,
        runs,
        peers: &[],
        tolerance: None,
    };
    let (seconds, fit) = on_one_thread(|| timed(model, &line))?;
    print_row(&[line.what, figure(seconds, 3), fit.points().len().to_string(), figure(megabytes(), 0)]);
    Ok(())
}

/// The most memory of this program so far, where the system tells (Linux).
fn megabytes() -> Option<f64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.split_whitespace().next()?.parse::<f64>().ok()? / 1e3)
}
