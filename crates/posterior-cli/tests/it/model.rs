//! `posterior model`: programs in Stan's language are checked and printed.

mod calibrate;
mod explain;
mod ladder;
mod marginal;
mod sample;
mod write;

use serde_json::Value;

use crate::program::Place;

pub(super) const SCHOOLS: &str = "\
data {
  int<lower=0> J;
  array[J] real y;
  vector<lower=0>[J] sigma;
}
parameters {
  real mu;
  real<lower=0> tau;
  vector[J] theta;
}
model {
  theta ~ normal(mu, tau);
  y ~ normal(theta, sigma);
}
";

#[test]
fn a_program_is_summed_up() {
    let place = Place::new();
    place.write("schools.stan", SCHOOLS);
    let text = place.succeed(&["model", "check", "schools.stan"]).stdout;
    assert!(text.contains("parameters:") && text.contains("tau"), "{text}");
    let json = place.succeed(&["model", "check", "schools.stan", "--format", "json"]).stdout;
    let output: Value = serde_json::from_str(&json).unwrap();
    assert!(output["ok"] == true && output["findings"].as_array().unwrap().is_empty(), "{output}");
}

#[test]
fn every_error_has_its_place_and_what_is_near() {
    let place = Place::new();
    place.write(
        "wrong.stan",
        SCHOOLS.replace("y ~ normal(", "y ~ norml(").replace("real mu;", "real mu = 1;"),
    );
    let ran = place.run(&["model", "check", "wrong.stan"]);
    assert!(ran.code == Some(1) && ran.stdout.is_empty(), "{ran:?}");
    assert!(ran.stderr.starts_with("error: ") && ran.stderr.contains("wrong.stan:"), "{}", ran.stderr);
    place.write("near.stan", SCHOOLS.replace("y ~ normal(", "y ~ norml("));
    let ran = place.run(&["model", "check", "near.stan", "--format", "json"]);
    let output: Value = serde_json::from_str(&ran.stdout).unwrap();
    let own = &output["findings"][0];
    assert!(output["ok"] == false && own["line"] == 13 && own["severity"] == "error", "{output}");
    assert!(own["help"].to_string().contains("normal"), "{output}");
}

#[test]
fn old_syntax_is_written_as_today() {
    let place = Place::new();
    let old = "data {\n  int N;\n  real y[N]; # values\n}\nparameters {\n  real m;\n}\nmodel {\n  y ~ normal(m, 1);\n}\n";
    place.write("old.stan", old);
    assert!(place.run(&["model", "check", "old.stan", "--current"]).code == Some(1));
    let printed = place.succeed(&["model", "fmt", "old.stan"]).stdout;
    assert!(printed.contains("array[N] real y;") && printed.contains("values"), "{printed}");
    place.succeed(&["model", "fmt", "old.stan", "--write"]);
    assert_eq!(std::fs::read_to_string(place.path("old.stan")).unwrap(), printed);
    place.succeed(&["model", "check", "old.stan", "--current"]);
    assert_eq!(place.succeed(&["model", "fmt", "old.stan"]).stdout, printed);
}

#[test]
fn draws_have_the_names_of_the_program_and_files_of_cmdstan() {
    let place = Place::new();
    place.write(
        "schools.stan",
        SCHOOLS.replace("theta ~ normal(mu, tau)", "theta ~ normal(mu, tau); tau ~ normal(0, 5)"),
    );
    place.write("schools.json", r#"{"J": 2, "y": [8, 10], "sigma": [3, 4]}"#);
    let run =
        ["model", "sample", "schools.stan", "--data", "schools.json", "--num-chains", "2", "--thin", "2"];
    let options =
        ["--num-samples", "400", "--num-warmup", "300", "--adapt-delta", "0.95", "--max-depth", "8"];
    let arguments: Vec<&str> =
        run.iter().chain(&options).copied().chain(["--format", "json", "--out", "draws"]).collect();
    let json = place.succeed(&arguments).stdout;
    let output: Value = serde_json::from_str(&json).unwrap();
    let names: Vec<&str> =
        output["parameters"].as_array().unwrap().iter().map(|own| own["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["mu", "tau", "theta[1]", "theta[2]"]);
    assert!(output["draws"] == 200 && output["chains"] == 2, "{output}");
    let again = place.succeed(&["mcmc", "diagnose", "draws/chain_1.csv", "draws/chain_2.csv"]).stdout;
    assert!(again.contains("theta[1]"), "{again}");
    let many = place.run(&[&run[..], &["--num-samples", "4000000000"]].concat());
    assert!(many.code == Some(1) && many.stderr.contains("schools.stan: the draws take about"), "{many:?}");
    let wrong = place.run(&[&run[..], &["--adapt-delta", "1.5"]].concat());
    assert!(wrong.code == Some(2) && wrong.stderr.contains("--adapt-delta"), "{wrong:?}");
}

/// Ten heads and four tails of a coin with a flat prior: B(11, 5) is 1 / 15015.
#[test]
fn the_evidence_of_a_coin_is_a_beta_function() {
    let place = Place::new();
    let program = "data { int n; int k; }\nparameters { real<lower=0, upper=1> p; }\nmodel { target += k * \
                   log(p) + (n - k) * log1m(p); }\n";
    place.write("coin.stan", program);
    let run = ["model", "sample", "coin.stan", "--set", "n=14", "--set", "k=10", "--num-chains", "2"];
    let with = |more: &[&str]| place.succeed(&[&run[..], more].concat()).stdout;
    let output: Value = serde_json::from_str(&with(&["--evidence", "--format", "json"])).unwrap();
    let number = |name: &str| output["evidence"][name].as_f64().unwrap();
    let error = number("standard_error");
    assert!((number("ln_evidence") + 15015_f64.ln()).abs() < 4.0 * error && error < 0.05, "{output}");
    assert!(number("draws") == 1000.0 && number("proposals") == 1000.0, "{output}");
    assert!(with(&["--evidence"]).contains("ln evidence -9.6"));
    // Without the option nothing is said of it.
    assert!(!with(&["--format", "json"]).contains("evidence"));
    let few = place.run(&[&run[..], &["--evidence", "--num-samples", "20"]].concat());
    assert!(few.code == Some(1) && few.stderr.contains("at least 24"), "{few:?}");
}

#[test]
fn data_that_do_not_fit_are_refused_with_their_line() {
    let place = Place::new();
    place.write("schools.stan", SCHOOLS);
    place.write("schools.json", r#"{"J": 2, "y": [8, 10], "sigma": [3]}"#);
    let refused = place.run(&["model", "sample", "schools.stan", "--data", "schools.json"]);
    assert_eq!(refused.code, Some(1));
    place.write("broken.json", r#"{"J": 2, "y": ["#);
    let broken = place.run(&["model", "sample", "schools.stan", "--data", "broken.json"]);
    assert!(broken.stderr.contains("broken.json: expected one object of JSON"), "{}", broken.stderr);
    assert!(refused.stderr.contains("line 4") && refused.stderr.contains("sizes [1]"), "{}", refused.stderr);
}

/// A program, its data as JSON, R and CSV, and one that predicts from its draws.
fn regression(place: &Place) {
    let data = "data {\n  int<lower=1> N;\n  vector[N] y;\n  array[N] int<lower=1> group;\n  real<lower=0> wide;\n}\n";
    let rest = "parameters {\n  vector[2] m;\n  real<lower=0> s;\n}\nmodel {\n  m ~ normal(0, wide);\n  s ~ exponential(1);\n  y ~ normal(m[group], s);\n}\n";
    place.write("groups.stan", format!("{data}{rest}"));
    place.write(
        "predict.stan",
        format!(
            "{data}{rest}generated quantities {{\n  real gap = m[2] - m[1];\n  int k = poisson_rng(1);\n}}\n"
        ),
    );
    let (mut rows, mut y, mut group) = (vec!["y,group,note".to_owned()], vec![], vec![]);
    for i in 0..12 {
        let (value, word) =
            (f64::from(i * 7 % 5) / 2.0 + f64::from(i % 2) * 3.0, ["ape", "bee"][i as usize % 2]);
        rows.push(format!("{value},{word},x"));
        y.push(value.to_string());
        group.push((i % 2 + 1).to_string());
    }
    place.write("groups.csv", rows.join("\n"));
    let (y, group) = (y.join(", "), group.join(", "));
    place.write("groups.json", format!(r#"{{"N": 12, "wide": 10, "y": [{y}], "group": [{group}]}}"#));
    place.write("groups.R", format!("N <- 12\nwide <- 10\ny <- c({y})\ngroup <-\nc({group})\n"));
}

const QUICK: [&str; 6] = ["--num-samples", "200", "--num-warmup", "200", "--num-chains", "2"];

fn json(place: &Place, arguments: &[&str]) -> Value {
    let all: Vec<&str> = arguments.iter().copied().chain(["--format", "json"]).collect();
    let mut output: Value = serde_json::from_str(&place.succeed(&all).stdout).unwrap();
    output.as_object_mut().unwrap().remove("seconds");
    output
}

#[test]
fn data_as_a_table_or_of_r_are_those_of_json() {
    let place = Place::new();
    regression(&place);
    let run = |data: &[&str]| {
        let all: Vec<&str> =
            ["model", "sample", "groups.stan"].iter().chain(&QUICK).chain(data).copied().collect();
        json(&place, &all)
    };
    let of_json = run(&["--data", "groups.json"]);
    assert_eq!(of_json, run(&["--data", "groups.R"]));
    assert_eq!(of_json, run(&["--data", "groups.csv", "--set", "wide=10"]));
    let ran = place.succeed(
        &[&["model", "optimize", "groups.stan", "--data", "groups.csv", "--set", "wide=10", "--out", "out"]
            [..]]
        .concat(),
    );
    assert!(ran.stderr.contains("group: 1 = ape, 2 = bee"), "{}", ran.stderr);
    let levels: Value =
        serde_json::from_str(&std::fs::read_to_string(place.path("out/levels.json")).unwrap()).unwrap();
    assert_eq!(levels, serde_json::json!({"group": {"ape": 1, "bee": 2}}));
}

#[test]
fn data_that_are_missing_or_given_twice_are_refused() {
    let place = Place::new();
    regression(&place);
    let refused = |more: &[&str], code: i32, message: &str| {
        let ran = place.run(&[&["model", "optimize", "groups.stan"][..], more].concat());
        assert!(ran.code == Some(code) && ran.stderr.contains(message), "{more:?} {ran:?}");
    };
    refused(&["--data", "groups.csv"], 1, "no variable `wide`");
    refused(&["--data", "groups.csv"], 1, "--set NAME=VALUE");
    refused(&["--data", "groups.json", "--set", "wide=3"], 2, "`wide` has a value already");
    refused(&["--data", "groups.json", "--set", "wide"], 2, "expected NAME=VALUE");
    refused(&["--data", "groups.json", "--missing", "-1"], 2, "--missing: a run without data in a table");
    refused(&["--data", "groups.json", "--init", "-1"], 2, "--init: expected a radius");
    place.write("init.json", r#"{"nothing": 1}"#);
    refused(&["--data", "groups.json", "--init", "init.json"], 1, "no variable `nothing`");
    place.write("other.csv", "a,b\n1,2\n");
    refused(&["--data", "other.csv"], 1, "no column is a variable of the data block");
    place.write("gap.csv", "y,group\n1,ape\n,bee\n");
    refused(&["--data", "gap.csv", "--set", "wide=1"], 1, "gap.csv");
}

#[test]
fn the_mode_has_standard_errors_where_they_are_asked_for() {
    let place = Place::new();
    regression(&place);
    let base = ["model", "optimize", "groups.stan", "--data", "groups.json"];
    let plain = json(&place, &base);
    assert!(plain["converged"] == true && plain["jacobian"] == false, "{plain}");
    assert!(plain["parameters"][0].get("sd").is_none());
    let output = json(&place, &[&base[..], &["--jacobian", "--standard-errors", "--out", "out"]].concat());
    let names: Vec<&str> =
        output["parameters"].as_array().unwrap().iter().map(|own| own["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["m[1]", "m[2]", "s"]);
    assert!(output["parameters"].as_array().unwrap().iter().all(|own| own["sd"].as_f64().unwrap() > 0.0));
    // The Jacobian of s = e^u prefers larger ones.
    assert!(output["parameters"][2]["value"].as_f64() > plain["parameters"][2]["value"].as_f64());
    let file = std::fs::read_to_string(place.path("out/mode.csv")).unwrap();
    assert!(file.contains("# method = optimize") && file.contains("lp__,m.1,m.2,s"), "{file}");
    // A start at a mode is the mode.
    place.write("init.json", r#"{"m": [1, 4], "s": 0.7}"#);
    let again = json(&place, &[&base[..], &["--init", "init.json"]].concat());
    let value = |output: &Value| output["parameters"][0]["value"].as_f64().unwrap();
    assert!((value(&again) - value(&plain)).abs() < 1e-6);
    place.write("flat.stan", "parameters { real x; } model { target += -exp(x); }");
    let flat = place.run(&["model", "optimize", "flat.stan", "--standard-errors"]);
    assert!(flat.code == Some(1) && flat.stderr.contains("not a maximum"), "{flat:?}");
}

#[test]
fn approximations_agree_with_the_posterior_and_say_k_hat() {
    let place = Place::new();
    regression(&place);
    let with = |verb: &str, more: &[&str]| {
        let base = ["model", verb, "groups.stan", "--data", "groups.json"];
        json(&place, &[&base[..], more].concat())
    };
    let exact = with("sample", &["--num-samples", "1500", "--out", "draws"]);
    let laplace = with("laplace", &["--num-draws", "4000", "--out", "laplace"]);
    let pathfinder = with("pathfinder", &["--num-psis-draws", "2000", "--num-paths", "3", "--out", "paths"]);
    assert_eq!(pathfinder["paths"].as_array().unwrap().len(), 3);
    assert!(pathfinder["reliable"] == true && laplace["ln_evidence"].is_number(), "{pathfinder} {laplace}");
    for place in 0..3 {
        let figure = |output: &Value, name: &str| output["parameters"][place][name].as_f64().unwrap();
        let sd = figure(&exact, "sd");
        for own in [&laplace, &pathfinder] {
            assert!((figure(own, "mean") - figure(&exact, "mean")).abs() < 0.2 * sd, "{own}");
            assert!((figure(own, "sd") / sd - 1.0).abs() < 0.3, "{own}");
        }
    }
    for (file, columns) in [
        ("laplace/laplace.csv", "lp__,log_p__,log_q__,m.1,m.2,s"),
        ("paths/pathfinder.csv", "lp__,lp_approx__,path__,m.1,m.2,s"),
    ] {
        let text = std::fs::read_to_string(place.path(file)).unwrap();
        assert!(text.contains(columns), "{text}");
    }
    let text = place.succeed(&["model", "laplace", "groups.stan", "--data", "groups.json"]).stdout;
    assert!(text.contains("k-hat") && !text.contains("one chain"), "{text}");
    // Tails that no Gaussian has.
    place.write("heavy.stan", "parameters { vector[5] x; } model { x ~ student_t(1, 0, 1); }");
    let bad = place.run(&["model", "pathfinder", "heavy.stan"]);
    assert!(bad.code == Some(0) && bad.stdout.contains("warning: k-hat"), "{bad:?}");
    // A funnel without data: the mode is nowhere near the mass.
    place.write(
        "funnel.stan",
        "parameters { real v; vector[9] x; } model { v ~ normal(0, 3); x ~ normal(0, exp(v / 2)); }",
    );
    let none = place.run(&["model", "laplace", "funnel.stan"]);
    assert!(none.code == Some(1) || none.stdout.contains("warning: k-hat"), "{none:?}");
}

#[test]
fn quantities_are_generated_from_the_draws_of_another_run() {
    let place = Place::new();
    regression(&place);
    let run = ["model", "sample", "groups.stan", "--data", "groups.json", "--out", "draws"];
    place.succeed(&[&run[..], &QUICK].concat());
    let base = ["model", "generate", "predict.stan", "--data", "groups.json", "--fitted-params"];
    let output = json(&place, &[&base[..], &["draws", "--out", "more"]].concat());
    assert!(output["chains"] == 2 && output["draws"] == 200, "{output}");
    assert_eq!(output["parameters"][0]["name"], "gap");
    assert_eq!(output["parameters"][1]["name"], "k");
    let same = json(&place, &[&base[..], &["draws/chain_1.csv", "draws/chain_2.csv"]].concat());
    assert_eq!(output, same);
    let rows = |file: &str| -> Vec<Vec<f64>> {
        let text = std::fs::read_to_string(place.path(file)).unwrap();
        let rows = text.lines().filter(|line| !line.starts_with('#')).skip(1);
        rows.map(|row| row.split(',').map(|cell| cell.parse().unwrap()).collect()).collect()
    };
    let (draws, more) = (rows("draws/chain_1.csv"), rows("more/chain_1.csv"));
    let width = draws[0].len();
    for (draw, own) in draws.iter().zip(&more) {
        let gap = draw[width - 2] - draw[width - 3];
        assert!(own.iter().any(|x| (x - gap).abs() < 1e-12), "{own:?} {gap}");
    }
    let wrong =
        place.run(&["model", "generate", "groups.stan", "--data", "groups.json", "--fitted-params", "draws"]);
    assert!(wrong.code == Some(1) && wrong.stderr.contains("generates no quantities"), "{wrong:?}");
    place.write("other.csv", "lp__,a\n1,2\n3,4\n");
    let wrong = place.run(&[&base[..], &["other.csv"]].concat());
    assert!(wrong.stderr.contains("no column for the parameters m[1], m[2], s"), "{wrong:?}");
}

#[test]
fn the_warm_up_is_in_the_files_if_asked_for() {
    let place = Place::new();
    regression(&place);
    let run = ["model", "sample", "groups.stan", "--data", "groups.json", "--thin", "2"];
    let short: Vec<&str> = run.iter().chain(&QUICK).copied().collect();
    let plain = json(&place, &[&short[..], &["--out", "plain"]].concat());
    let saved = json(&place, &[&short[..], &["--save-warmup", "--out", "saved"]].concat());
    assert_eq!(plain, saved);
    let text = std::fs::read_to_string(place.path("saved/chain_2.csv")).unwrap();
    let count = |text: &str| text.lines().filter(|line| !line.starts_with('#')).count() - 1;
    let (before, after) = text.split_once("# Adaptation terminated\n").unwrap();
    assert_eq!((count(before), count(after) + 1), (100, 100));
    assert!(text.contains("save_warmup = 1") && text.contains("# Step size = "), "{text}");
    // What reads CmdStan's files drops them.
    let diagnose = |folder: &str| {
        let files = [format!("{folder}/chain_1.csv"), format!("{folder}/chain_2.csv")];
        place.succeed(&["mcmc", "diagnose", &files[0], &files[1]]).stdout
    };
    assert_eq!(diagnose("plain"), diagnose("saved"));
    // Another start is another chain.
    assert_ne!(plain, json(&place, &[&short[..], &["--init", "0"]].concat()));
}
