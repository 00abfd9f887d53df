//! Programs in Stan's language side by side: ours from the text, ours with parameters integrated out, and
//! Stan's compiled ones when a Python program is named.

use std::time::Instant;

use posterior::model::{StanModel, StanPosterior};
use posterior_benches::comparison::{Outcome, Settings, figure, print_head, print_row, ratio};
use posterior_benches::mcmc::{StanChain, StanCompiler, with_ours};
use posterior_benches::timing::{cpu_seconds, on_one_thread};
use posterior_dist::stream::stream;
use posterior_dist::target::{GradTarget, Target as _};
use posterior_sampling::diagnostics::ess_bulk;
use posterior_sampling::hamiltonian::Nuts;
use posterior_sampling::marginal::{IntegratedTarget, Integration};
use posterior_testkit::shared::shared_file;

/// Programs and their data in the data base of posteriors.
const PROGRAMS: [(&str, &str); 20] = [
    ("eight_schools_noncentered", "eight_schools"),
    ("radon_partially_pooled_centered", "radon_mn"),
    ("radon_partially_pooled_noncentered", "radon_mn"),
    ("radon_variable_intercept_centered", "radon_mn"),
    ("radon_variable_slope_centered", "radon_mn"),
    ("radon_hierarchical_intercept_noncentered", "radon_mn"),
    ("pilots", "pilots"),
    ("surgical_model", "surgical_data"),
    ("seeds_centered_model", "seeds_data"),
    ("GLMM_Poisson_model", "GLMM_Poisson_data"),
    ("irt_2pl", "irt_2pl"),
    ("wells_dist", "wells_data"),
    ("nes_logit_model", "nes_logit_data"),
    ("kidscore_momhsiq", "kidiq"),
    ("logearn_height", "earnings"),
    ("arK", "arK"),
    ("garch11", "garch"),
    ("hmm_example", "hmm_example"),
    ("gp_pois_regr", "gp_pois_regr"),
    ("one_comp_mm_elim_abs", "one_comp_mm_elim_abs"),
];

const SEED: u64 = 1;

/// Effective draws of chains: the least of the parameters that vary.
fn least_ess(columns: impl Iterator<Item = Vec<Vec<f64>>>) -> f64 {
    columns.filter_map(|chains| ess_bulk(&chains).ok()).fold(f64::NAN, f64::min)
}

/// Prints the table.
pub(super) fn compare(settings: &Settings) -> Outcome {
    on_one_thread(|| compare_here(settings))
}

fn compare_here(settings: &Settings) -> Outcome {
    println!(
        "1,000 steps of warm-up and 1,000 draws, acceptance 0.8, depth 10; four chains of ours in CPU time of one thread, one of Stan \
         2.36 (httpstan) in wall time; effective draws: the least bulk ESS of a parameter, the warm-up counted in the time and compiling not; \
         exact: with what is normal given the rest integrated out by `--marginalize auto`; o / p: ours / Stan's, above 1 ours is better\n"
    );
    let figures = [
        "coordinates",
        "text to gradient, ms",
        "Stan compiles, s",
        "gradients / s",
        "Stan",
        "o / p",
        "effective draws / s",
        "Stan",
        "o / p",
        "coordinates left",
        "exact, effective draws / s",
        "o / p",
        "divergences, Stan's",
    ];
    print_head(&["program"], &figures);
    let mut stan = StanCompiler::start(settings)?;
    let mut sums = [(0.0, 0); 3];
    for (program, data) in PROGRAMS.into_iter().take(settings.size(usize::MAX, 2)) {
        let test = "the table of programs";
        let Some(text) = shared_file(test, &format!("data/posteriordb/programs/{program}.stan")) else {
            continue;
        };
        let Some(file) = shared_file(test, &format!("data/posteriordb/data/{data}.json")) else { continue };
        let peer = stan.as_mut().map(|stan| stan.run(&text, &file, SEED)).transpose()?;
        let (source, numbers) = (std::fs::read_to_string(&text)?, std::fs::read_to_string(&file)?);
        let begin = Instant::now();
        let posterior = StanModel::parse(&source)?.with_data(&numbers)?;
        let mut gradient = vec![0.0; posterior.dim()];
        posterior.ln_density_grad(&vec![0.1; posterior.dim()], &mut gradient)?;
        let first = begin.elapsed().as_secs_f64();
        let ratios = row(program, &posterior, first, peer.as_ref())?;
        for (sum, ratio) in sums.iter_mut().zip(ratios) {
            if ratio.is_finite() {
                *sum = (sum.0 + ratio.ln(), sum.1 + 1);
            }
        }
    }
    let [gradients, draws, exact] = sums.map(|(sum, count)| figure((sum / f64::from(count)).exp(), 2));
    println!(
        "\nGeometric means of the ratios: gradients {gradients}, effective draws {draws}, exact {exact}"
    );
    Ok(())
}

/// Prints a line; the three ratios.
fn row(program: &str, posterior: &StanPosterior, first: f64, peer: Option<&StanChain>) -> Outcome<[f64; 3]> {
    let names = posterior.names(false, false)?;
    let ours = with_ours(posterior, &Nuts::default(), SEED)?;
    let values = |x: &[f64], row: &mut [f64]| {
        row.copy_from_slice(&posterior.values(x, false, None).unwrap_or_else(|_| vec![f64::NAN; row.len()]));
    };
    let drawn = ours.map(names.len(), values);
    let ess = least_ess((0..names.len()).map(|k| drawn.coordinate(k))) / ours.seconds;
    let exact = exact(posterior, names.len())?;
    let of_stan = peer.map(|chain| {
        let columns = names.iter().filter_map(|name| chain.column(name)).map(|column| vec![column]);
        least_ess(columns) / chain.seconds
    });
    let theirs = peer.map(|chain| chain.gradients_per_second);
    let speed = ours.gradients_per_second();
    print_row(&[
        program.to_owned(),
        posterior.dim().to_string(),
        figure(1e3 * first, 1),
        figure(peer.map(|chain| chain.compiling), 1),
        figure(speed, 0),
        figure(theirs, 0),
        ratio(speed, theirs),
        figure(ess, 0),
        figure(of_stan, 0),
        ratio(ess, of_stan),
        exact.map_or_else(|| "-".to_owned(), |exact| exact.0.to_string()),
        figure(exact.map(|exact| exact.1), 0),
        ratio(exact.map(|exact| exact.1), of_stan),
        format!("{}, {}", ours.divergences, figure(peer.map(|chain| chain.divergences), 0)),
    ]);
    let over = |ours: Option<f64>, theirs: Option<f64>| match (ours, theirs) {
        (Some(ours), Some(theirs)) => ours / theirs,
        _ => f64::NAN,
    };
    Ok([over(Some(speed), theirs), over(Some(ess), of_stan), over(exact.map(|exact| exact.1), of_stan)])
}

/// The coordinates that are left and the effective draws in a second, if something can be integrated out.
fn exact(posterior: &StanPosterior, width: usize) -> Outcome<Option<(usize, f64)>> {
    let groups: Vec<Vec<usize>> =
        posterior.gaussian_parameters().into_iter().map(|own| own.coordinates().collect()).collect();
    if groups.is_empty() {
        return Ok(None);
    }
    let start = vec![0.1; posterior.dim()];
    let marginal = IntegratedTarget::new(posterior, &groups, Integration::Gaussian, &start)?;
    let ours = with_ours(&marginal, &Nuts::default(), SEED)?;
    let begin = cpu_seconds();
    let mut rng = stream(SEED, &[4]);
    let drawn = ours.map(width, |rest, row| {
        let values = marginal
            .conditional_draw(rest, &mut rng)
            .ok()
            .and_then(|drawn| posterior.values(&drawn.point, false, None).ok());
        row.copy_from_slice(&values.unwrap_or_else(|| vec![f64::NAN; row.len()]));
    });
    let seconds = ours.seconds + cpu_seconds() - begin;
    let ess = least_ess((0..width).map(|k| drawn.coordinate(k)));
    Ok(Some((marginal.coordinates().len(), ess / seconds)))
}
