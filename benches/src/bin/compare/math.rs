//! Times of functions, distributions and draws beside other crates, and beside SciPy and NumPy when a Python
//! program is named.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::panic::{self, catch_unwind};

use ::statrs::distribution as theirs;
use ::statrs::distribution::{Continuous, ContinuousCDF};
use posterior::dist::{
    AliasTable, Beta, Binomial, Density, Dirichlet, Exponential, Gamma, Normal, Poisson, StudentT, Univariate,
};
use posterior_benches::comparison::{Outcome, Settings, figure, print_head, print_row, ratio};
use posterior_benches::functions::{Function, SPECIAL};
use posterior_benches::timing::{nanoseconds, nanoseconds_a_draw};
use posterior_benches::workloads::{self, Rows};
use rand::SeedableRng;
use rand::distr::Distribution;
use rand_distr::multi::MultiDistribution;
use rand_pcg::Pcg64;
use special::Beta as _;

const PEERS: [&str; 3] = ["statrs", "special", "puruspe"];

struct Row {
    name: &'static str,
    arguments: Rows,
    ours: Function,
    peers: &'static [(&'static str, Function)],
}

/// Prints the tables.
pub(super) fn compare(settings: &Settings) -> Outcome {
    // A panic of a crate under test is a finding, not a failure.
    panic::set_hook(Box::new(|_| {}));
    let mut rows = functions();
    for row in &mut rows {
        row.arguments.truncate(settings.size(usize::MAX, 500));
    }
    let scipy = Python::run(settings, &rows)?;
    println!(
        "ns a call, the fastest of 15 passes over {} arguments; in brackets the largest difference from ours; the ratio is to the fastest peer \
         within 1e-12\n",
        rows[0].arguments.len()
    );
    print_head(&["function"], &["posterior", "statrs", "special", "puruspe", "SciPy", "ours / fastest peer"]);
    for row in &rows {
        print_row(&cells(row, &scipy));
    }
    println!("\nns a draw\n");
    print_head(&["distribution"], &["posterior", "rand_distr", "NumPy", "ours / fastest peer"]);
    for (name, ours, peer) in draws(settings.size(100_000, 2_000)) {
        let numpy = scipy.times.get(name).copied();
        let fastest = numpy.map_or(peer, |numpy| numpy.min(peer));
        let cells =
            [name.to_owned(), figure(ours, 1), figure(peer, 1), figure(numpy, 1), ratio(ours, fastest)];
        print_row(&cells);
    }
    Ok(())
}

/// The line of a function.
fn cells(row: &Row, scipy: &Python) -> Vec<String> {
    let values: Vec<f64> = row.arguments.iter().map(|v| (row.ours)(v)).collect();
    let time = nanoseconds(&row.arguments, row.ours);
    let has_roots = matches!(row.name, "ln_gamma" | "digamma") || row.name.ends_with("ln_pdf");
    let least = if has_roots { 0.5 } else { 0.0 };
    let mut fastest = f64::INFINITY;
    let mut see = |time: f64, theirs: &[f64]| {
        let difference = largest_difference(&values, theirs, least);
        fastest = fastest.min(if difference < 1e-12 { time } else { f64::INFINITY });
        format!("{time:.1} ({difference:.0e})")
    };
    let mut cells = vec![row.name.to_owned(), figure(time, 1)];
    for name in PEERS {
        let peer = row.peers.iter().find(|(crate_name, _)| *crate_name == name);
        cells.push(peer.map_or(String::new(), |(_, peer)| {
            let measured = catch_unwind(|| {
                let theirs: Vec<f64> = row.arguments.iter().map(|v| peer(v)).collect();
                (nanoseconds(&row.arguments, peer), theirs)
            });
            measured.map_or("panics".to_owned(), |(time, theirs)| see(time, &theirs))
        }));
    }
    let of_scipy = scipy.times.get(row.name).zip(scipy.values.get(row.name));
    cells.push(of_scipy.map_or(String::new(), |(&time, theirs)| see(time, theirs)));
    cells.push(if fastest.is_finite() { ratio(time, fastest) } else { "none within 1e-12".to_owned() });
    cells
}

/// Relative, or absolute where the value is below `least`, as next to roots; numbers below 1e-290 are not
/// compared, because crates differ in where they underflow.
fn largest_difference(ours: &[f64], theirs: &[f64], least: f64) -> f64 {
    let difference = |(a, b): (&f64, &f64)| {
        let scale = a.abs().max(least);
        if a == b || a.abs() < 1e-290 { 0.0 } else { (a - b).abs() / scale }
    };
    ours.iter().zip(theirs).map(difference).fold(0.0, |most, d| if d <= most { most } else { d })
}

/// What the Python libraries took and found.
#[derive(Default)]
struct Python {
    times: BTreeMap<String, f64>,
    values: BTreeMap<String, Vec<f64>>,
}

impl Python {
    fn run(settings: &Settings, rows: &[Row]) -> Outcome<Self> {
        let folder = tempfile::tempdir()?;
        for row in rows {
            let mut text = String::new();
            for arguments in &row.arguments {
                let cells: Vec<String> = arguments.iter().map(f64::to_string).collect();
                writeln!(text, "{}", cells.join(","))?;
            }
            fs::write(folder.path().join(format!("{}.csv", row.name)), text)?;
        }
        let Some(printed) = settings.printed("scipy_math.py", folder.path(), 1)? else {
            return Ok(Self::default());
        };
        let mut found = Self::default();
        for line in printed.lines() {
            let (name, time) = line.split_once('\t').ok_or("a line without a tab")?;
            found.times.insert(name.to_owned(), time.parse()?);
        }
        for row in rows {
            let text = fs::read_to_string(folder.path().join(format!("{}.values", row.name)))?;
            found.values.insert(row.name.to_owned(), text.lines().map(str::parse).collect::<Result<_, _>>()?);
        }
        Ok(found)
    }
}

fn functions() -> Vec<Row> {
    let mut rows = special_functions();
    rows.extend(distributions());
    rows
}

fn special_functions() -> Vec<Row> {
    vec![
        of_catalogue("ln_gamma", "ln_gamma", workloads::positive()),
        of_catalogue("digamma", "digamma", workloads::positive()),
        of_catalogue("gamma_p", "gamma_p", workloads::shapes()),
        of_catalogue("gamma_q", "gamma_q", workloads::shapes()),
        of_catalogue("beta_p", "beta_reg", workloads::shape_pairs()),
        of_catalogue("erf", "erf", workloads::centered()),
        of_catalogue("erfc", "erfc", workloads::centered()),
        of_catalogue("normal quantile", "norm_quantile", workloads::probabilities()),
    ]
}

/// A function of the catalogue under the name that it has in the script of the Python libraries.
fn of_catalogue(name: &'static str, table: &str, arguments: Rows) -> Row {
    let function =
        SPECIAL.iter().find(|function| function.table == table).expect("the catalogue has the table");
    Row { name, arguments, ours: function.ours, peers: function.peers }
}

/// Distributions are made for each call, as one does with parameters that change.
fn distributions() -> Vec<Row> {
    vec![
        Row {
            name: "gamma quantile",
            arguments: workloads::shape_quantiles(),
            ours: |v| Gamma::shape_rate(v[1], 1.0).map_or(f64::NAN, |d| d.quantile(v[0])),
            peers: &[
                ("statrs", |v| theirs::Gamma::new(v[1], 1.0).map_or(f64::NAN, |d| d.inverse_cdf(v[0]))),
                ("puruspe", |v| puruspe::invgammp(v[0], v[1])),
            ],
        },
        Row {
            name: "beta quantile",
            arguments: workloads::shape_pair_quantiles(),
            ours: |v| Beta::new(v[1], v[2]).map_or(f64::NAN, |d| d.quantile(v[0])),
            peers: &[
                ("statrs", |v| theirs::Beta::new(v[1], v[2]).map_or(f64::NAN, |d| d.inverse_cdf(v[0]))),
                ("special", |v| v[0].inv_inc_beta(v[1], v[2], v[1].ln_beta(v[2]))),
                ("puruspe", |v| puruspe::invbetai(v[0], v[1], v[2])),
            ],
        },
        Row {
            name: "student cdf",
            arguments: workloads::degrees(),
            ours: |v| StudentT::new(v[0], 0.0, 1.0).map_or(f64::NAN, |d| d.cdf(v[1])),
            peers: &[("statrs", |v| {
                theirs::StudentsT::new(0.0, 1.0, v[0]).map_or(f64::NAN, |d| d.cdf(v[1]))
            })],
        },
        Row {
            name: "student quantile",
            arguments: workloads::degree_quantiles(),
            ours: |v| StudentT::new(v[1], 0.0, 1.0).map_or(f64::NAN, |d| d.quantile(v[0])),
            peers: &[("statrs", |v| {
                theirs::StudentsT::new(0.0, 1.0, v[1]).map_or(f64::NAN, |d| d.inverse_cdf(v[0]))
            })],
        },
        Row {
            name: "normal ln_pdf",
            arguments: workloads::centered(),
            ours: |v| Normal::mean_sd(0.3, 1.7).map_or(f64::NAN, |d| d.ln_pdf(&v[0])),
            peers: &[("statrs", |v| theirs::Normal::new(0.3, 1.7).map_or(f64::NAN, |d| d.ln_pdf(v[0])))],
        },
        Row {
            name: "gamma ln_pdf",
            arguments: workloads::shapes(),
            ours: |v| Gamma::shape_rate(v[0], 1.0).map_or(f64::NAN, |d| d.ln_pdf(&v[1])),
            peers: &[("statrs", |v| theirs::Gamma::new(v[0], 1.0).map_or(f64::NAN, |d| d.ln_pdf(v[1])))],
        },
        Row {
            name: "beta ln_pdf",
            arguments: workloads::shape_pairs(),
            ours: |v| Beta::new(v[0], v[1]).map_or(f64::NAN, |d| d.ln_pdf(&v[2])),
            peers: &[("statrs", |v| theirs::Beta::new(v[0], v[1]).map_or(f64::NAN, |d| d.ln_pdf(v[2])))],
        },
        Row {
            name: "student ln_pdf",
            arguments: workloads::degrees(),
            ours: |v| StudentT::new(v[0], 0.0, 1.0).map_or(f64::NAN, |d| d.ln_pdf(&v[1])),
            peers: &[("statrs", |v| {
                theirs::StudentsT::new(0.0, 1.0, v[0]).map_or(f64::NAN, |d| d.ln_pdf(v[1]))
            })],
        },
    ]
}

/// Name, our time and that of `rand_distr`, of so many draws.
fn draws(count: usize) -> Vec<(&'static str, f64, f64)> {
    let weights: Vec<f64> = (0..1000).map(|k| 1.0 + (f64::from(k) * 0.7).sin().abs() * 5.0).collect();
    let both = "parameters are valid";
    let mut row = [0.0; 100];
    let their_dirichlet = rand_distr::multi::Dirichlet::new(&[0.5_f64; 100]).expect(both);
    let mut rng = Pcg64::seed_from_u64(1);
    let dirichlet = nanoseconds_a_draw(count / 100, || their_dirichlet.sample_to_slice(&mut rng, &mut row));
    let our_dirichlet = Dirichlet::symmetric(100, 0.5).expect(both);
    vec![
        pair(count, "normal", &Normal::mean_sd(0.0, 1.0).expect(both), &rand_distr::StandardNormal),
        pair(count, "exponential", &Exponential::new(1.0).expect(both), &rand_distr::Exp1),
        pair(
            count,
            "gamma(0.3)",
            &Gamma::shape_rate(0.3, 1.0).expect(both),
            &rand_distr::Gamma::new(0.3, 1.0).expect(both),
        ),
        pair(
            count,
            "gamma(3)",
            &Gamma::shape_rate(3.0, 1.0).expect(both),
            &rand_distr::Gamma::new(3.0, 1.0).expect(both),
        ),
        pair(
            count,
            "beta(0.5, 0.5)",
            &Beta::new(0.5, 0.5).expect(both),
            &rand_distr::Beta::new(0.5, 0.5).expect(both),
        ),
        pair(
            count,
            "student_t(3)",
            &StudentT::new(3.0, 0.0, 1.0).expect(both),
            &rand_distr::StudentT::new(3.0).expect(both),
        ),
        whole(
            count,
            "poisson(4)",
            &Poisson::new(4.0).expect(both),
            &rand_distr::Poisson::new(4.0).expect(both),
        ),
        whole(
            count,
            "poisson(1000)",
            &Poisson::new(1000.0).expect(both),
            &rand_distr::Poisson::new(1000.0).expect(both),
        ),
        whole(
            count,
            "binomial(20, 0.3)",
            &Binomial::new(20, 0.3).expect(both),
            &rand_distr::Binomial::new(20, 0.3).expect(both),
        ),
        whole(
            count,
            "binomial(1000, 0.3)",
            &Binomial::new(1000, 0.3).expect(both),
            &rand_distr::Binomial::new(1000, 0.3).expect(both),
        ),
        whole(
            count,
            "categorical(1000), alias",
            &AliasTable::from_weights(&weights).expect(both),
            &rand_distr::weighted::WeightedAliasIndex::new(weights.clone()).expect(both),
        ),
        ("dirichlet(100 x 0.5)", time::<Vec<f64>>(&our_dirichlet, count / 100), dirichlet),
    ]
}

fn time<T>(distribution: &impl Distribution<T>, draws: usize) -> f64 {
    let mut rng = Pcg64::seed_from_u64(1);
    nanoseconds_a_draw(draws, || distribution.sample(&mut rng))
}

fn pair(
    count: usize,
    name: &'static str,
    ours: &impl Distribution<f64>,
    peer: &impl Distribution<f64>,
) -> (&'static str, f64, f64) {
    (name, time(ours, count), time(peer, count))
}

/// Distributions of counts, which crates draw as different types.
fn whole<A, B>(
    count: usize,
    name: &'static str,
    ours: &impl Distribution<A>,
    peer: &impl Distribution<B>,
) -> (&'static str, f64, f64) {
    (name, time(ours, count), time(peer, count))
}
