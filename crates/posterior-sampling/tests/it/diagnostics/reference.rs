//! Tables of 30 digits, and figures of an independent library.

use posterior_sampling::diagnostics as d;
use posterior_sampling::diagnostics::Undefined;
use posterior_testkit::reference::{list, load, number, numbers, rows};

/// The most that a figure of the table may differ, relatively. Measured: 2e-13.
const TOLERANCE: f64 = 1e-12;

#[track_caller]
fn close(what: &str, found: f64, expected: f64, tolerance: f64) {
    let error = (found - expected).abs() / expected.abs().max(f64::MIN_POSITIVE);
    assert!(error <= tolerance || found == expected, "{what}: {found} is not {expected}: {error:e}");
}

#[test]
fn figures_are_those_of_the_table() {
    type Figure = fn(&[Vec<f64>]) -> Result<f64, Undefined>;
    let figures: [(&str, Figure); 10] = [
        ("rhat_rank", d::rhat),
        ("rhat_bulk", d::rhat_bulk),
        ("rhat_folded", d::rhat_folded),
        ("rhat_split", d::rhat_split),
        ("ess_mean", d::ess_mean),
        ("ess_bulk", d::ess_bulk),
        ("ess_tail", d::ess_tail),
        ("mcse_mean", d::mcse_mean),
        ("mean", d::mean),
        ("sd", d::sd),
    ];
    for case in list(&load("mcmc_diagnostics")["cases"]) {
        let chains = rows(&case["draws"]);
        for (name, figure) in figures {
            let what = format!("{}: {name}", case["name"]);
            close(&what, figure(&chains).unwrap(), number(&case[name]), TOLERANCE);
        }
        for (p, expected) in [0.05, 0.5, 0.95].into_iter().zip(numbers(&case["quantile_05_50_95"])) {
            close(
                &format!("{}: quantile {p}", case["name"]),
                d::quantile(&chains, p).unwrap(),
                expected,
                TOLERANCE,
            );
        }
    }
}

/// By ArviZ 0.23.4: mcse_sd; mcse_quantile at 0.05, 0.5, 0.9; ess_quantile at 0.5, 0.25; of the first chain
/// the E-BFMI and the autocorrelations at the lags 1 and 7.
const ARVIZ: [(&str, [f64; 9]); 4] = [
    (
        "ar_0.5",
        [
            0.05239329732858619,
            0.1650543212890625,
            0.1591339111328125,
            0.14459991455078125,
            123.73008064405718,
            168.67224296956314,
            0.9834887151538823,
            0.5002938484478806,
            -0.18844353693478985,
        ],
    ),
    (
        "ar_0.9",
        [
            0.17995189583426202,
            0.8754119873046875,
            0.37908935546875,
            0.34326171875,
            46.13360738462447,
            70.00523696465785,
            0.20545053121050535,
            0.8939128537941999,
            0.25502148596436325,
        ],
    ),
    (
        "ar_-0.4",
        [
            0.05894776665187088,
            0.1035919189453125,
            0.076141357421875,
            0.09307861328125,
            657.6722260409491,
            641.2148218747079,
            2.420946849405471,
            -0.2129778108457215,
            -0.14114705349385848,
        ],
    ),
    (
        "heavy_tail",
        [
            4.631692194804869,
            0.5862503051757812,
            0.076904296875,
            0.67022705078125,
            364.71578518910604,
            404.1998624292051,
            2.2948124827301326,
            -0.14825285884600375,
            0.17604097135382502,
        ],
    ),
];

#[test]
fn further_figures_are_those_of_arviz() {
    let table = load("mcmc_diagnostics");
    let find = |name: &str| list(&table["cases"]).iter().find(|case| case["name"] == name).cloned();
    for (name, expected) in ARVIZ {
        let chains = rows(&find(name).unwrap()["draws"]);
        let lags = d::autocorrelation(&chains[0], 7).unwrap();
        let found = [
            d::mcse_sd(&chains).unwrap(),
            d::mcse_quantile(&chains, 0.05).unwrap(),
            d::mcse_quantile(&chains, 0.5).unwrap(),
            d::mcse_quantile(&chains, 0.9).unwrap(),
            d::ess_median(&chains).unwrap(),
            d::ess_quantile(&chains, 0.25).unwrap(),
            d::e_bfmi(&chains[0]).unwrap(),
            lags[1],
            lags[7],
        ];
        assert_eq!(lags.len(), 8);
        for (i, (found, expected)) in found.into_iter().zip(expected).enumerate() {
            close(&format!("{name}: figure {i}"), found, expected, 1e-11);
        }
    }
}
