//! `posterior mcmc`: figures, warnings, files, and what is wrong with files.

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
    assert_eq!((&output["chains"], &output["draws"], &output["seed"]), (&json!(4), &json!(250), &json!(0)));
    for (own, (name, expected)) in output["parameters"].as_array().unwrap().iter().zip(ARVIZ) {
        assert_eq!(own["name"], name);
        let fields = ["mean", "sd", "rhat", "ess_bulk", "ess_tail", "mcse", "mcse_sd"];
        for (field, expected) in fields.iter().zip(expected) {
            let found = own[field].as_f64().unwrap();
            assert!((found / expected - 1.0).abs() < 1e-10, "{name}: {field} {found} is not {expected}");
        }
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
        table.starts_with("parameter,mean,mcse,sd,mcse_sd,q025,q50,q975,ess_bulk,ess_tail,rhat\nmu,4.58326"),
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
