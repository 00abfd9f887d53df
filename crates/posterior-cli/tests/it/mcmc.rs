//! `posterior mcmc`: figures, warnings, files, and what is wrong with files.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::Stdio;

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::program::{Place, Ran, read};

const CHAINS: &str = include_str!("../../../../docs/data/chains.csv");

fn place() -> Place {
    let place = Place::new();
    place.write("docs/data/chains.csv", CHAINS);
    place
}

fn json(place: &Place, arguments: &[&str]) -> Value {
    let ran = place.succeed(&[&["mcmc", "diagnose"], arguments, &["--format", "json"]].concat());
    serde_json::from_str(&ran.stdout).unwrap()
}

#[test]
fn the_table_and_its_warnings() {
    assert_snapshot!("mcmc diagnose", place().succeed(&["mcmc", "diagnose", "docs/data/chains.csv"]).stdout);
}

/// By ArviZ 0.23.4: mean, sd, rhat, ess_bulk, ess_tail, mcse, mcse_sd.
const ARVIZ: [(&str, [f64; 7]); 4] = [
    (
        "mu",
        [
            4.583269,
            3.2481506275322483,
            1.003721353697043,
            799.2449573242096,
            857.4513480290924,
            0.11477769722218359,
            0.07295920845851368,
        ],
    ),
    (
        "tau",
        [
            4.239663,
            3.348400277722311,
            1.0616603176530452,
            46.65548662860764,
            92.14563384947354,
            0.4499965551064194,
            0.3649915361889135,
        ],
    ),
    (
        "theta[1]",
        [
            4.526601,
            5.3880801864759675,
            1.0097609767390336,
            774.476191153653,
            305.05858014023346,
            0.21719282937999954,
            0.4329756054863944,
        ],
    ),
    (
        "theta[2]",
        [
            4.49581,
            4.359875286107438,
            1.0107060432491102,
            851.6705500762467,
            785.1695681588307,
            0.15023958955827316,
            0.20576178091501435,
        ],
    ),
];

#[test]
fn figures_are_those_of_arviz() {
    let output = json(&place(), &["docs/data/chains.csv"]);
    let shortest = BTreeMap::from([
        ("mu", [-1.884, 10.971]),
        ("tau", [0.293, 11.543]),
        ("theta[1]", [-5.472, 15.684]),
        ("theta[2]", [-4.294, 12.761]),
    ]);
    assert_eq!((&output["chains"], &output["draws"], &output["seed"]), (&json!(4), &json!(250), &json!(0)));
    for (own, (name, expected)) in output["parameters"].as_array().unwrap().iter().zip(ARVIZ) {
        assert_eq!(own["name"], name);
        let fields = ["mean", "sd", "rhat", "ess_bulk", "ess_tail", "mcse", "mcse_sd"];
        for (field, expected) in fields.iter().zip(expected) {
            let found = own[field].as_f64().unwrap();
            assert!((found / expected - 1.0).abs() < 1e-10, "{name}: {field} {found} is not {expected}");
        }
        let [low, high] = shortest[own["name"].as_str().unwrap()];
        assert_eq!((own["hdi_low"].as_f64(), own["hdi_high"].as_f64()), (Some(low), Some(high)), "{name}");
        assert!(own["q025"].as_f64() < own["q50"].as_f64() && own["q50"].as_f64() < own["q975"].as_f64());
        assert_eq!(own.get("undefined"), None);
    }
    assert_eq!(output["warning_kinds"], json!(["ess_bulk", "ess_tail"]));
    // R-hat of 1.06 is by chance with so few effective draws.
    assert!(
        output["warnings"][0].as_str().unwrap().contains("effective draws: tau (47); chains 8.6 times"),
        "{output}"
    );
    assert_eq!(output["sampler"]["divergences"], Value::Null);
}

#[test]
fn parameters_can_be_chosen() {
    let names = |arguments: &[&str]| {
        let output = json(&place(), &[&["docs/data/chains.csv"], arguments].concat());
        let all = output["parameters"].as_array().unwrap().iter();
        all.map(|own| own["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names(&["--parameter", "theta", "--parameter", "mu"]), ["theta[1]", "theta[2]", "mu"]);
    assert_eq!(names(&["--parameter", "theta[2]", "--parameter", "theta"]), ["theta[2]", "theta[1]"]);
    refused(
        &place().run(&["mcmc", "diagnose", "docs/data/chains.csv", "--parameter", "the"]),
        "docs/data/chains.csv: no parameter \"the\"; there are: mu, tau, theta[1], theta[2]",
    );
}

/// A file of CmdStan whose numbers change with the chain.
fn cmdstan(chain: u64, divergent: u64) -> String {
    let mut text = "# method = sample (Default)\n#  max_depth = 3\n\
                    lp__,accept_stat__,treedepth__,divergent__,energy__,mu,theta.1,theta.2\n\
                    # Adaptation terminated\n# Step size = 0.5\n"
        .to_owned();
    let mut state = 88_172_645_463_325_252 + 1000 * chain;
    let mut number = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % 100_000) as f64 / 1e5
    };
    for draw in 0..200 {
        let (depth, flag) = (2 + u64::from(draw == 7), u64::from(draw < divergent));
        let row =
            format!("{},0.9,{depth},{flag},{},{},{},{}\n", number(), number(), number(), number(), number());
        text.push_str(&row);
    }
    text + "#  Elapsed Time: 0.1 seconds\n"
}

#[test]
fn files_of_cmdstan_are_chains() {
    let place = place();
    for chain in 0..4 {
        place.write(&format!("output_{chain}.csv"), cmdstan(chain, 2 * chain));
    }
    let files: Vec<String> = (0..4).map(|chain| format!("output_{chain}.csv")).collect();
    let output = json(&place, &files.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!((&output["chains"], &output["draws"]), (&json!(4), &json!(200)));
    let names: Vec<&Value> =
        output["parameters"].as_array().unwrap().iter().map(|own| &own["name"]).collect();
    assert_eq!(names, ["mu", "theta[1]", "theta[2]"]);
    assert_eq!(output["sampler"]["divergences"], json!([0, 2, 4, 6]));
    assert_eq!(output["sampler"]["max_treedepth"], json!([1, 1, 1, 1]));
    assert_eq!(output["warning_kinds"], json!(["divergences", "max_treedepth"]));
    place.write("other.csv", cmdstan(5, 0).replace("theta.2", "theta.3"));
    refused(
        &place.run(&["mcmc", "diagnose", "output_0.csv", "other.csv"]),
        "other.csv: line 1: the column \"theta[3]\", expected \"theta[2]\" as in output_0.csv",
    );
    let short = cmdstan(5, 0).lines().take(90).collect::<Vec<_>>().join("\n");
    place.write("short.csv", short);
    refused(
        &place.run(&["mcmc", "diagnose", "output_0.csv", "short.csv"]),
        "short.csv: 85 draws, and output_0.csv has 200",
    );
}

#[test]
fn standard_input_and_gzip_are_read() {
    let place = place();
    let expected = place.succeed(&["mcmc", "diagnose", "docs/data/chains.csv"]).stdout;
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gzip.write_all(CHAINS.as_bytes()).unwrap();
    let bytes = gzip.finish().unwrap();
    place.write("chains.csv.gz", &bytes);
    assert_eq!(place.succeed(&["mcmc", "diagnose", "chains.csv.gz"]).stdout, expected);
    place.write("cut.csv.gz", &bytes[..bytes.len() / 2]);
    refused(
        &place.run(&["mcmc", "diagnose", "cut.csv.gz"]),
        "cut.csv.gz: the gzip data end early: the file is cut off",
    );
    for input in [CHAINS.as_bytes(), &bytes] {
        let mut command = place.command(&["mcmc", "diagnose", "-"]);
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(input).unwrap();
        let ran = Ran::from(child.wait_with_output().unwrap());
        assert_eq!((ran.code, ran.stdout), (Some(0), expected.clone()));
    }
    assert_eq!(place.run(&["mcmc", "diagnose", "-", "-"]).code, Some(2));
}

#[test]
fn a_report_is_written() {
    let place = place();
    let ran = place.succeed(&["mcmc", "diagnose", "docs/data/chains.csv", "--out", "out"]);
    assert!(ran.stderr.contains("report.html"), "{ran:?}");
    let page = String::from_utf8(read(place.path("out/report.html"))).unwrap();
    assert!(page.contains("<h1>Few effective draws of tau</h1>"), "{page}");
    assert!(page.contains("posterior mcmc diagnose docs/data/chains.csv --out out"));
    assert_eq!(page.matches("http").count(), page.matches("http://www.w3.org/2000/svg").count());
    assert_eq!(page.matches("<script").count(), 0);
    // The worst parameter stands first, and leads.
    assert_eq!(page.matches("aria-label=\"Trace of tau\"").count(), 2);
    let table = String::from_utf8(read(place.path("out/summary.csv"))).unwrap();
    assert!(
        table.starts_with(
            "parameter,mean,mcse,sd,mcse_sd,q025,q50,q975,hdi_low,hdi_high,ess_bulk,ess_tail,rhat\nmu,4.58326"
        ),
        "{table}"
    );
    for name in ["trace_01_tau.svg", "ranks_01_tau.svg", "autocorrelation_01_tau.svg", "trace_04_mu.svg"] {
        let svg = String::from_utf8(read(place.path("out").join(name))).unwrap();
        assert!(svg.starts_with("<svg") && svg.contains("<style>"), "{name}");
    }
}

#[track_caller]
fn refused(ran: &Ran, message: &str) {
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert_eq!(ran.stdout, "");
    let lines: Vec<&str> = ran.stderr.lines().collect();
    assert_eq!(lines[0], format!("error: {message}"), "{ran:?}");
    assert!(lines.len() == 1 || (lines.len() == 2 && lines[1].starts_with("hint: ")), "{ran:?}");
}

#[test]
fn bad_files_are_reported_with_their_place() {
    let place = Place::new();
    for (text, message) in [
        ("", "bad.csv: no draws: expected a header, and the file ends at line 0"),
        ("chain,mu\n", "bad.csv: no draws: expected a row for each draw, and the file ends at line 1"),
        ("chain,mu\n1,2\n1,two\n", "bad.csv: line 3, column \"mu\": expected a number, found \"two\""),
        ("chain,mu\n1,2\n1,NA\n", "bad.csv: line 3, column \"mu\": expected a number, found \"NA\""),
        ("chain,mu\n1,2\n1\n", "bad.csv: line 3: expected 2 fields, as in the header, found 1"),
        ("chain,mu\n1,2\n1,2\n2,3\n", "bad.csv: chain 2 has 1 draws, and chain 1 has 2"),
        (
            "mu,tau\n1,2\n",
            "bad.csv: line 1: expected a column \"chain\" (or \"lp__\", as CmdStan has it), found \"mu\", \"tau\"",
        ),
        ("chain,mu,mu\n1,2,3\n", "bad.csv: two columns are named \"mu\""),
    ] {
        place.write("bad.csv", text);
        refused(&place.run(&["mcmc", "diagnose", "bad.csv", "--out", "out"]), message);
        assert!(!place.path("out").exists(), "{message}");
    }
    let ran = place.run(&["mcmc", "diagnose", "missing.csv"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.stderr.starts_with("error: missing.csv: "), "{ran:?}");
    assert_eq!(place.run(&["mcmc", "diagnose"]).code, Some(2));
}

#[test]
fn what_has_no_value_is_null_with_a_reason() {
    let place = Place::new();
    place.write("one.csv", "chain,mu\n1,2.5\n");
    let output = json(&place, &["one.csv"]);
    let own = &output["parameters"][0];
    assert_eq!((&own["mean"], &own["rhat"], &own["sd"]), (&json!(2.5), &Value::Null, &Value::Null));
    assert!(own["undefined"].as_str().unwrap().contains("too few"), "{own}");
    assert_eq!(output["warning_kinds"], json!(["undefined", "one_chain"]));
    let row = |i: usize| {
        let broken = if i == 9 { "nan" } else { "0.5" };
        let infinite = if i < 3 { "inf" } else { "1" };
        format!("{},{},{broken},{infinite}", i % 4, i % 4)
    };
    let rows = (0..400).map(row).collect::<Vec<_>>().join("\n");
    place.write("odd.csv", format!("chain,stuck,broken,infinite\n{rows}"));
    let output = json(&place, &["odd.csv"]);
    assert_eq!(output["parameters"][0]["rhat"], "inf");
    assert_eq!(output["parameters"][1]["mean"], Value::Null);
    assert_eq!(output["parameters"][1]["undefined"], "draw 3 of chain 2 is NaN");
    assert_eq!(output["parameters"][2]["undefined"], "draw 1 of chain 1 is inf");
    place.succeed(&["mcmc", "diagnose", "odd.csv", "--out", "out"]);
    place.succeed(&["mcmc", "diagnose", "one.csv", "--out", "out"]);
}

/// ln p of twelve observations in two chains of 150 draws, of means around a centre.
fn ln_likelihood(seed: u64, centre: f64, width: f64) -> String {
    const OBSERVED: [f64; 12] = [0.3, -1.2, 0.8, 1.9, -0.4, 0.1, 1.7, -0.9, 0.5, 1.1, -2.2, 0.6];
    let mut state = 88_172_645_463_325_252 + 1000 * seed;
    let mut number = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % 100_000) as f64 / 1e5
    };
    let names: Vec<String> = (1..=12).map(|i| format!("\"log_lik[{i}]\"")).collect();
    let mut text = format!("chain,draw,mu,{}\n", names.join(","));
    for row in 0_u32..300 {
        let mean = centre + width * (number() + number() - 1.0);
        let terms = OBSERVED.iter().map(|y| format!("{:.6}", -0.9 - 0.5 * (y - mean).powi(2)));
        let terms: Vec<String> = terms.collect();
        writeln!(text, "{},{},{mean},{}", 1 + row / 150, 1 + row % 150, terms.join(",")).unwrap();
    }
    text
}

fn models() -> Place {
    let place = Place::new();
    place.write("one_mean.csv", ln_likelihood(1, 0.2, 0.5));
    place.write("two_means.csv", ln_likelihood(2, 0.7, 0.5));
    place.write("wide.csv", ln_likelihood(3, 0.3, 1.5));
    place
}

/// By ArviZ 0.23.4: `loo` with the relative efficiency of exp(log_lik), `waic`, errors over n - 1, and
/// `compare` by stacking and by BB-pseudo-BMA with 100,000 resamples; weights of stacking by a search of
/// SciPy, for ArviZ's miss the best by 5e-9 nats.
#[test]
fn models_are_compared_as_by_arviz() {
    let place = models();
    let run = |criterion: &str| -> Value {
        let arguments =
            ["mcmc", "compare", "one_mean.csv", "two_means.csv", "wide.csv", "--criterion", criterion];
        serde_json::from_str(&place.succeed(&[&arguments[..], &["--format", "json"]].concat()).stdout)
            .unwrap()
    };
    let close = |found: &Value, expected: f64, tolerance: f64| {
        let found = found.as_f64().unwrap();
        assert!((found - expected).abs() < tolerance, "{found}, expected {expected}");
    };
    let loo = run("loo");
    assert_eq!((&loo["observations"], &loo["warnings"]), (&json!(12), &json!([])));
    let expected = [
        [-19.392241071241063, 3.114872855888935, 0.7323156222262988, 0.0, 0.0, 0.9114401, 0.711492],
        [
            -20.86816871178026,
            4.358778538257696,
            0.7593439870457352,
            1.475928,
            2.0535704631427563,
            0.0885599,
            0.283328,
        ],
        [
            -24.709354773458315,
            4.478683266068598,
            6.126479901893731,
            5.317114,
            1.4719466595490307,
            0.0,
            0.00518,
        ],
    ];
    for (own, expected) in loo["models"].as_array().unwrap().iter().zip(expected) {
        close(&own["elpd"], expected[0], 1e-9);
        close(&own["effective_parameters"], expected[2], 1e-9);
        close(&own["elpd_error"], expected[1], 1e-9);
        close(&own["below_best"], expected[3], 1e-5);
        close(&own["below_best_error"], expected[4], 1e-9);
        close(&own["stacking_weight"], expected[5], 1e-6);
        close(&own["pseudo_bma_weight"], expected[6], 0.03);
        assert_eq!(own["unreliable"], json!([]));
    }
    let waic = run("waic");
    let parameters = [0.7315872751302308, 0.7596743944792764, 6.418335551592345];
    for (own, expected) in waic["models"].as_array().unwrap().iter().zip(parameters) {
        close(&own["effective_parameters"], expected, 1e-9);
    }
}

#[test]
fn comparisons_read_folders_and_leave_a_page() {
    let place = models();
    assert_snapshot!(
        "mcmc compare",
        place.succeed(&["mcmc", "compare", "one_mean.csv", "two_means.csv"]).stdout
    );
    place.succeed(&["mcmc", "compare", "wide.csv", "one_mean.csv", "--out", "out"]);
    let text = |name: &str| String::from_utf8(read(place.path(name))).unwrap();
    let rows = text("out/pointwise.csv");
    assert_eq!((rows.lines().count(), rows.lines().next()), (25, Some("model,observation,elpd,pareto_k")));
    assert!(text("out/report.html").contains("one_mean predicts best"));
    assert_eq!(text("out/comparison.csv").lines().count(), 3);
    for chain in 1..=2 {
        std::fs::create_dir_all(place.path("a")).unwrap();
        place.write(&format!("a/output_{chain}.csv"), cmdstan(chain, 0));
    }
    let parameters = ["mcmc", "compare", "a", "a", "--ln-likelihood", "theta", "--format", "json"];
    let output: Value = serde_json::from_str(&place.succeed(&parameters).stdout).unwrap();
    assert_eq!((&output["observations"], &output["models"][0]["chains"]), (&json!(2), &json!(2)));
    refused(
        &place.run(&["mcmc", "compare", "a", "one_mean.csv"]),
        "a: no parameter \"log_lik\"; there are: mu, theta[1], theta[2]",
    );
    std::fs::create_dir_all(place.path("empty")).unwrap();
    refused(
        &place.run(&["mcmc", "compare", "empty", "wide.csv"]),
        "empty: no file in this folder ends in .csv or .csv.gz",
    );
    place.write("short.csv", "chain,log_lik[1]\n1,-1\n1,-2\n");
    refused(
        &place.run(&["mcmc", "compare", "wide.csv", "short.csv"]),
        "short.csv: 1 observations, and wide.csv has 12",
    );
}

#[test]
fn draws_are_converted() {
    let place = models();
    place.write("chain_1.csv", cmdstan(1, 3));
    place.write("chain_2.csv", cmdstan(2, 0));
    place.succeed(&["mcmc", "convert", "chain_1.csv", "chain_2.csv", "--to", "draws.json"]);
    let written: Value = serde_json::from_slice(&read(place.path("draws.json"))).unwrap();
    assert_eq!(written["posterior"]["theta"][1].as_array().unwrap().len(), 200);
    assert_eq!(written["sample_stats"]["diverging"][0][2], json!(true));
    place.succeed(&["mcmc", "convert", "one_mean.csv", "--to", "draws.nc"]);
    assert!(std::fs::read(place.path("draws.nc")).unwrap().starts_with(b"\x89HDF"));
    place.succeed(&["mcmc", "convert", "one_mean.csv", "--to", "again.csv"]);
    assert_eq!(json(&place, &["again.csv"])["parameters"], json(&place, &["one_mean.csv"])["parameters"]);
    place.succeed(&["mcmc", "convert", "one_mean.csv", "--to", "lik.json", "--predictive", "mu"]);
    let written: Value = serde_json::from_slice(&read(place.path("lik.json"))).unwrap();
    assert_eq!(written["log_likelihood"]["log_lik"][0][0].as_array().unwrap().len(), 12);
    assert!(written["posterior_predictive"]["mu"].is_array());
    let refuse = |arguments: &[&str], text: &str| {
        let ran = place.run(&[&["mcmc", "convert", "one_mean.csv", "--to"], arguments].concat());
        assert!(ran.code != Some(0) && ran.stderr.contains(text), "{}", ran.stderr);
    };
    refuse(&["draws.txt"], "draws.txt: no format ends like this: expected .nc, .json or .csv");
    refuse(&["x.nc", "--predictive", "z"], "one_mean.csv: no array \"z\"");
    refuse(&["one_mean.csv"], "one_mean.csv");
    assert!(!place.path("x.nc").exists());
}
