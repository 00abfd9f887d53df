//! Writes `docs/accuracy.md` to the standard output: the errors of every function over its reference table.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::panic;

use posterior_benches::distributions::{Construct, DISTRIBUTIONS, Subject, Tabulated};
use posterior_benches::functions::{Function, SPECIAL, Special};
use posterior_benches::guarded::guarded;
use posterior_benches::ulps::Errors;
use posterior_testkit::reference::{Case, distribution_cases, list, number, numbers, special_cases};

/// Below this size errors of functions with roots are absolute: eight steps of f64 there are 1e-15.
const NEAR_ROOT: f64 = 0.5;

const PEERS: [&str; 3] = ["statrs", "special", "puruspe"];

const INTRODUCTION: &str = "# Accuracy

Every function against its reference table of 30 digits (`crates/posterior-testkit/tables`), as `largest error / mean error` in
units in the last place, beside the same function of other crates. *Lost* are points where the value is a number and the
function returned infinity or NaN, panicked, or did not return within two seconds; they are in neither figure.

This page is written by `cargo xtask accuracy`. Bounds are asserted by the tests of each crate, not here. The tables hold
what is hard: far tails, tiny and huge parameters, arguments next to roots. An error of 4,500 units is one of 1e-12.
";

fn main() -> io::Result<()> {
    // A panic of a crate under test is counted, not reported.
    panic::set_hook(Box::new(|_| {}));
    let mut page = INTRODUCTION.to_owned();
    page.push_str(&special_functions());
    page.push_str(&distributions());
    io::stdout().write_all(page.as_bytes())
}

fn special_functions() -> String {
    let mut page = String::from(
        "\n## Special functions\n\nNext to roots (of ln Γ, ψ, logarithms) an error is counted in units of 0.5.\n\n\
         | table | points | posterior | statrs | special | puruspe |\n|---|--:|--:|--:|--:|--:|\n",
    );
    for function in SPECIAL {
        let cases = special_cases(function.table);
        let least = if has_roots(function) { NEAR_ROOT } else { 0.0 };
        let ours = measure(function.ours, &cases, least);
        let peer = |name: &&str| {
            let peer = function.peers.iter().find(|(crate_name, _)| crate_name == name);
            peer.map_or(String::new(), |(_, function)| measure(*function, &cases, least).to_string())
        };
        let peers: Vec<String> = PEERS.iter().map(peer).collect();
        let row = format!("| `{}` | {} | {ours} | {} |\n", function.table, cases.len(), peers.join(" | "));
        page.push_str(&row);
    }
    page
}

fn has_roots(function: &Special) -> bool {
    let logarithm = function.table.starts_with("ln_") || function.table.starts_with("log");
    (logarithm && function.table != "logistic") || matches!(function.table, "digamma" | "mv_ln_gamma")
}

fn measure(function: Function, cases: &[Case], least: f64) -> Errors {
    let mut errors = Errors::default();
    for case in cases {
        let arguments = arguments(case);
        errors.see(guarded(move || function(&arguments)), case.value, least);
    }
    errors
}

/// The numbers of a row, a single list of numbers laid out.
fn arguments(case: &Case) -> Vec<f64> {
    match case.arguments.as_slice() {
        [only] if only.is_array() => numbers(only),
        several => several.iter().map(number).collect(),
    }
}

fn distributions() -> String {
    let mut page = String::from(
        "\n## Distributions\n\nErrors of ln p are counted in units of 1 where |ln p| is smaller: they are errors of p.\n\n\
         | distribution | of | points | posterior | statrs |\n|---|---|--:|--:|--:|\n",
    );
    for distribution in DISTRIBUTIONS {
        let ours = measure_distribution(distribution, distribution.ours);
        let statrs = distribution.statrs.map(|construct| measure_distribution(distribution, construct));
        for (index, (quantity, errors)) in ours.iter().enumerate() {
            let theirs = statrs.as_ref().map_or(String::new(), |rows| rows[index].1.to_string());
            let name = if index == 0 { format!("`{}`", distribution.table) } else { String::new() };
            let _ = writeln!(page, "| {name} | {quantity} | {} | {errors} | {theirs} |", errors.points());
        }
    }
    page
}

/// A quantity of a distribution at a number.
type Quantity = fn(&dyn Subject, f64) -> f64;

fn measure_distribution(distribution: &Tabulated, construct: Construct) -> [(&'static str, Errors); 4] {
    let quantities: [(&str, &[&str], Quantity); 3] = [
        ("ln p", &["logpdf", "logpmf"], |distribution, x| distribution.ln_pdf(x)),
        ("cdf", &["cdf"], |distribution, x| distribution.cdf(x)),
        ("sf", &["sf"], |distribution, x| distribution.sf(x)),
    ];
    let mut rows = ["ln p", "cdf", "sf", "quantile"].map(|name| (name, Errors::default()));
    for case in distribution_cases(distribution.table) {
        let parameters = numbers(&case["params"]);
        let at = |x: f64, quantity: Quantity| {
            let parameters = parameters.clone();
            guarded(move || construct(&parameters).map(|distribution| quantity(distribution.as_ref(), x)))
                .flatten()
        };
        for point in list(&case["points"]) {
            let x = number(point.get("x").unwrap_or(&point["k"]));
            for (row, (_, keys, quantity)) in quantities.iter().enumerate() {
                let expected = keys.iter().find_map(|&key| point.get(key)).map_or(f64::NAN, number);
                let least = if row == 0 { 1.0 } else { 0.0 };
                rows[row].1.see(at(x, *quantity), expected, least);
            }
        }
        for quantile in list(&case["quantiles"]) {
            let expected = number(quantile.get("x").unwrap_or(&quantile["k"]));
            let actual = at(number(&quantile["p"]), |distribution, p| distribution.quantile(p));
            rows[3].1.see(actual, expected, 0.0);
        }
    }
    rows
}
