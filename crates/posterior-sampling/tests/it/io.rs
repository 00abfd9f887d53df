//! Draws in files: what is written is read again, what others write is read, what is wrong is reported with
//! its place.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use posterior_sampling::{Draws, FileError};
use serde_json::{Value, json};

fn strings(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

/// Two chains of three draws.
fn example() -> Draws {
    let rows = vec![
        vec![0.1, 1e300, -0.5, 2.0, 5e-324, 7.0, 0.30000000000000004, -0.0, 1.0 / 3.0],
        vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY],
    ];
    let statistics = vec![vec![-1.5, 0.0, -2.5, 1.0, -3.5, 0.0], vec![-1.0, 0.0, -2.0, 0.0, -3.0, 1.0]];
    Draws::new(strings(&["mu", "x[1,1]", "x[1,2]"]), rows)
        .unwrap()
        .with_statistics(strings(&["lp", "diverging"]), statistics)
        .unwrap()
}

/// Bits, so that NaN equals itself.
fn bits(draws: &Draws) -> Vec<Vec<u64>> {
    let all = (0..draws.chains()).flat_map(|chain| (0..draws.len()).map(move |draw| draws.draw(chain, draw)));
    all.map(|row| row.iter().map(|x| x.to_bits()).collect()).collect()
}

#[track_caller]
fn same(found: &Draws, expected: &Draws) {
    assert_eq!(found.names(), expected.names());
    assert_eq!(found.statistic_names(), expected.statistic_names());
    assert_eq!((found.chains(), found.len()), (expected.chains(), expected.len()));
    assert_eq!(bits(found), bits(expected));
    for name in expected.statistic_names() {
        assert_eq!(found.statistic(name), expected.statistic(name), "{name}");
    }
}

fn read(text: &str) -> Result<Draws, FileError> {
    Draws::read_csv(text.as_bytes())
}

#[track_caller]
fn refused(text: &str, message: &str) {
    assert_eq!(read(text).unwrap_err().to_string(), message, "{text:?}");
}

#[test]
fn a_table_is_read_as_it_was_written() {
    let mut out = Vec::new();
    example().write_csv(&mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    assert_eq!(text.lines().next(), Some("chain,draw,mu,\"x[1,1]\",\"x[1,2]\",lp__,divergent__"));
    assert_eq!(text.lines().nth(1), Some("1,1,0.1,1e300,-0.5,-1.5,0.0"));
    same(&read(&text).unwrap(), &example());
}

/// Columns beside the chain number draws, and parameters may have their names.
#[test]
fn parameters_that_are_called_as_counters_are_kept() {
    let names = strings(&["step", ".iteration", "draw", "iteration"]);
    let draws = Draws::new(names, vec![vec![0.5, 7.0, 2.0, 1.0, 0.25, 6.0, 1.0, 1.0]]).unwrap();
    let mut text = Vec::new();
    draws.write_csv(&mut text).unwrap();
    same(&Draws::read_csv(text.as_slice()).unwrap(), &draws);
    assert_eq!(read("lp__,step\n-1,2\n").unwrap().names(), ["step"]);
    assert_eq!(read(".chain,.iteration,.draw,mu\n1,1,1,2\n2,1,2,3\n").unwrap().names(), ["mu"]);
    assert_eq!(read("Iteration,Chain,mu\n1,1,2\n1,2,3\n").unwrap().names(), ["mu"]);
}

#[test]
fn chains_may_take_turns() {
    let draws = read("\u{feff}Chain, x\r\nb,1\r\na,2\r\n\r\nb,3\r\na,4\r\n").unwrap();
    assert_eq!(draws.named("x").unwrap(), [[1.0, 3.0], [2.0, 4.0]]);
    let posterior =
        read("theta[1],.chain,.iteration,.draw\n0.5,1,1,1\n0.6,1,2,2\n0.7,2,1,3\n0.8,2,2,4").unwrap();
    assert_eq!(posterior.names(), ["theta[1]"]);
    assert_eq!(posterior.named("theta[1]").unwrap(), [[0.5, 0.6], [0.7, 0.8]]);
}

const CMDSTAN: &str = "\
# stan_version_major = 2
# method = sample (Default)
#   sample
#     num_samples = 2
#     num_warmup = 1000 (Default)
#     save_warmup = SAVED
#     thin = 500
#     algorithm = hmc (Default)
#         nuts
#           max_depth = 3
# id = 1 (Default)
lp__,accept_stat__,stepsize__,treedepth__,n_leapfrog__,divergent__,energy__,mu,theta.1,theta.2
WARM# Adaptation terminated
# Step size = 0.5
# Diagonal elements of inverse mass matrix:
# 1, 1, 1
-5.5,0.9,0.5,2,3,0,6.5,1.25,0.5,-0.5
-4.5,0.8,0.5,3,7,1,5.5,2.25,0.75,nan
#
#  Elapsed Time: 0.01 seconds (Warm-up)
#
";

#[test]
fn files_of_cmdstan_are_read() {
    let warm = "-9,1,0.1,1,1,1,9,9,9,9\n-8,1,0.1,1,1,1,9,9,9,9\n";
    for text in [CMDSTAN.replace("WARM", ""), CMDSTAN.replace("WARM", warm).replace("SAVED", "true")] {
        let draws = read(&text).unwrap();
        assert_eq!(draws.names(), ["mu", "theta[1]", "theta[2]"]);
        assert_eq!((draws.chains(), draws.len()), (1, 2));
        assert_eq!(draws.draw(0, 0), [1.25, 0.5, -0.5]);
        assert!(draws.draw(0, 1)[2].is_nan());
        let one = |name: &str| draws.statistic(name).unwrap();
        assert_eq!(one("lp"), [[-5.5, -4.5]]);
        assert_eq!(one("acceptance_rate"), [[0.9, 0.8]]);
        assert_eq!(one("step_size"), [[0.5, 0.5]]);
        assert_eq!(one("n_steps"), [[3.0, 7.0]]);
        assert_eq!(one("diverging"), [[0.0, 1.0]]);
        assert_eq!(one("energy"), [[6.5, 5.5]]);
        assert_eq!(one("reached_max_treedepth"), [[0.0, 1.0]]);
        assert_eq!(draws.statistic_names().len(), 8);
    }
    // Without adaptation, a saved warm-up is as long as the comments say: 1000 by 500.
    let fixed = CMDSTAN.replace("WARM", warm).replace("SAVED", "1").replace("# Adaptation terminated\n", "");
    assert_eq!(read(&fixed).unwrap().len(), 2);
}

#[test]
fn a_chain_is_written_as_cmdstan_does() {
    let mut all = Vec::new();
    for chain in 0..2 {
        let mut out = Vec::new();
        example().write_cmdstan(chain, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(text.contains("\nlp__,divergent__,mu,x.1.1,x.1.2\n"), "{text}");
        all.push(read(&text).unwrap());
    }
    same(&Draws::join(all).unwrap(), &example());
    assert!(example().write_cmdstan(2, Vec::new()).is_err());
    let bare = Draws::new(strings(&["x[0]", "x[1]"]), vec![vec![1.0, 2.0]]).unwrap();
    let mut out = Vec::new();
    bare.write_cmdstan(0, &mut out).unwrap();
    assert!(String::from_utf8(out).unwrap().ends_with("\nlp__,x.1,x.2\nNaN,1.0,2.0\n"));
}

#[test]
fn arviz_json_has_arrays() {
    let mut out = Vec::new();
    let draws = Draws::new(
        strings(&["b[1]", "a[0,1]", "a[0,0]", "mu", "b[3]", "q\"\\"]),
        vec![vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0], vec![1.5, 2.5, 3.5, 4.5, 5.5, 6.5]],
    )
    .unwrap()
    .with_statistics(strings(&["lp", "diverging"]), vec![vec![-1.0, 0.0], vec![-2.0, 1.0]])
    .unwrap();
    draws.arviz().write_json(&mut out).unwrap();
    let found: Value = serde_json::from_slice(&out).unwrap();
    // b lacks its second element, and a[0,1] stands before a[0,0].
    let posterior = json!({
        "b[1]": [[1.0], [1.5]], "a": [[[[3.0, 2.0]]], [[[3.5, 2.5]]]], "mu": [[4.0], [4.5]],
        "b[3]": [[5.0], [5.5]], "q\"\\": [[6.0], [6.5]]
    });
    let statistics = json!({"lp": [[-1.0], [-2.0]], "diverging": [[false], [true]]});
    assert_eq!(found, json!({"posterior": posterior, "sample_stats": statistics}));
    let mut out = Vec::new();
    example().arviz().write_json(&mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    assert!(text.contains("\"x\": [[[[1e300, -0.5]]") && text.contains("[[Infinity, -Infinity]]"), "{text}");
}

#[test]
fn what_is_wrong_is_reported_with_its_place() {
    refused("", "no draws: expected a header, and the file ends at line 0");
    refused("\n# x\n", "no draws: expected a header, and the file ends at line 2");
    refused("chain,mu\n", "no draws: expected a row for each draw, and the file ends at line 1");
    refused(
        "a,b\n1,2\n",
        "line 1: expected a column \"chain\" (or \"lp__\", as CmdStan has it), found \"a\", \"b\"",
    );
    refused("chain,mu\n1,2\n1,x\n", "line 3, column \"mu\": expected a number, found \"x\"");
    refused("chain,mu\n1,2\n1,\n", "line 3, column \"mu\": expected a number, found nothing");
    refused("chain,mu\n,2\n", "line 2, column \"chain\": expected the number of a chain, found nothing");
    refused("chain,mu\n1,2,3\n", "line 2: expected 2 fields, as in the header, found 3");
    refused("chain,mu\n1\n", "line 2: expected 2 fields, as in the header, found 1");
    refused("chain,mu\n1,2\n1,3\n2,1\n", "chain 2 has 1 draws, and chain 1 has 2");
    refused("chain,mu,mu\n1,2,3\n", "two columns are named \"mu\"");
    refused("chain,mu,chain\n1,2,3\n", "line 1: expected one column \"chain\", found several");
    refused("chain,draw\n1,2\n", "line 1: expected a column for each parameter, found none");
    refused("chain,,mu\n1,2,3\n", "line 1: expected a name for each column, found column 2 without one");
    refused("chain,\"mu\n1,2\n", "line 1: expected names of columns, found a quote that is not closed");
    refused(
        "chain,draw,mu\n1,2,0\n1,2,0\n",
        "line 3, column \"draw\": expected more than 2, for draws of a chain stand in their order, found 2",
    );
    let bytes = b"chain,mu\n1,\xe9\n";
    let error = Draws::read_csv(&bytes[..]).unwrap_err().to_string();
    assert_eq!(error, "line 2: expected text in UTF-8, found other bytes");
    let cut = CMDSTAN.replace("WARM", "").replace("2.25,0.75,nan\n", "2.2\n");
    refused(&cut, "line 18: expected 10 fields, as in the header, found 8");
}

#[test]
fn comments_of_cmdstan_without_their_number_are_refused() {
    for (from, to, message) in [
        (
            "num_warmup = 1000 (Default)",
            "num_warmup = (Default)",
            "line 5: expected a whole number after \"num_warmup =\", found \"(Default)\"",
        ),
        ("thin = 500", "thin = 0.5", "line 7: expected a whole number after \"thin =\", found \"0.5\""),
        (
            "max_depth = 3",
            "max_depth =",
            "line 10: expected a whole number after \"max_depth =\", found nothing",
        ),
    ] {
        refused(&CMDSTAN.replace("WARM", "").replace(from, to), message);
    }
    let without = CMDSTAN.replace("WARM", "").replace("#           max_depth = 3\n", "");
    assert!(read(&without).unwrap().statistic("reached_max_treedepth").is_none());
}

#[test]
fn chains_are_joined_if_they_go_together() {
    let one = |names: &[&str], draws: usize| {
        Draws::new(strings(names), vec![vec![0.5; draws * names.len()]]).unwrap()
    };
    let joined = Draws::join([one(&["a", "b"], 3), one(&["a", "b"], 3)]).unwrap();
    assert_eq!((joined.chains(), joined.len()), (2, 3));
    let refused = |all: Vec<Draws>| Draws::join(all).unwrap_err().to_string();
    assert_eq!(
        refused(vec![one(&["a"], 3), one(&["b"], 3)]),
        "draws 1 have the column \"b\", and the first have \"a\""
    );
    assert_eq!(
        refused(vec![one(&["a"], 3), one(&["a", "b"], 3)]),
        "draws 1 have the column \"b\", and the first have no more"
    );
    assert_eq!(refused(vec![one(&["a"], 3), one(&["a"], 2)]), "draws of each chain: expected 3, found 2");
    assert_eq!(refused(Vec::new()), "draws to join: expected 1, found 0");
}

#[cfg(feature = "serde")]
#[test]
fn draws_ranks_and_metrics_that_were_read_are_valid_or_refused() {
    use posterior_math::linalg::DMatrix;
    use posterior_sampling::calibration::Ranks;
    use posterior_sampling::hamiltonian::Metric;

    let draws =
        Draws::new(vec!["a".to_owned(), "b".to_owned()], vec![vec![1.0, f64::NAN, 3.0, 4.0]]).unwrap();
    let text = serde_json::to_string(&draws).unwrap();
    let again: Draws = serde_json::from_str(&text).unwrap();
    assert_eq!((again.len(), again.names()), (2, draws.names()));
    for (from, to) in [("\"len\":2", "\"len\":3"), ("\"b\"", "\"a\""), ("4.0", "4.0,5.0")] {
        assert!(text.contains(from), "{text}");
        assert!(serde_json::from_str::<Draws>(&text.replace(from, to)).is_err(), "{from} as {to}");
    }
    assert!(serde_json::from_str::<Ranks>(r#"{"name":"x","all":[3],"draws":2}"#).is_err());

    let covariance = DMatrix::from_row_slice(2, 2, &[2.0, 0.5, 0.5, 1.0]);
    let directions = DMatrix::from_row_slice(2, 1, &[1.0, 0.0]);
    let metrics = [
        Metric::unit(),
        Metric::diagonal(&[1.0, 4.0]).unwrap(),
        Metric::dense(&covariance).unwrap(),
        Metric::low_rank(&[1.0, 4.0], &directions, &[9.0]).unwrap(),
    ];
    for metric in metrics {
        let text = serde_json::to_string(&metric).unwrap();
        assert_eq!(serde_json::from_str::<Metric>(&text).unwrap(), metric);
    }
    for text in [
        r#"{"Diagonal":[0.0]}"#,
        r#"{"Dense":{"dim":2,"columns":[1.0,0.0]}}"#,
        r#"{"Dense":{"dim":18446744073709551615,"columns":[1.0]}}"#,
        r#"{"Dense":{"dim":1,"columns":[-1.0]}}"#,
        r#"{"LowRank":[[1.0,1.0],{"dim":2,"columns":[1.0],"stretch":[1.0],"shrink":[-0.5]}]}"#,
        r#"{"LowRank":[[1.0],{"dim":1,"columns":[1.0],"stretch":[1.0],"shrink":[3.0]}]}"#,
    ] {
        assert!(serde_json::from_str::<Metric>(text).is_err(), "{text}");
    }
}

/// A file of HDF5 with the numbers of each array one after another; that ArviZ reads it was tried.
#[test]
#[cfg(feature = "netcdf")]
fn netcdf_has_the_arrays() {
    let mut file = Vec::new();
    example().arviz().predictive("x").write_netcdf(&mut file).unwrap();
    assert!(file.starts_with(b"\x89HDF\r\n\x1a\n"));
    let has = |bytes: &[u8]| file.windows(bytes.len()).any(|own| own == bytes);
    for name in ["posterior", "posterior_predictive", "sample_stats", "mu", "x_dim_0", "x_dim_1", "diverging"]
    {
        assert!(has(name.as_bytes()), "{name}");
    }
    let numbers = |all: &[f64]| all.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<u8>>();
    assert!(has(&numbers(&[0.1, 2.0, 0.30000000000000004, 1.0, 4.0, f64::NAN])));
    assert!(has(&numbers(&[1e300, -0.5, 5e-324, 7.0, -0.0, 1.0 / 3.0, 2.0, 3.0])));
    assert!(has(&numbers(&[-1.5, -2.5, -3.5, -1.0, -2.0, -3.0])));
    assert!(has(&[0, 1, 0, 0, 0, 1]));
    let named = |name: &str| Draws::new(strings(&[name]), vec![vec![1.0]]).unwrap();
    assert!(named("a/b").arviz().write_netcdf(Vec::new()).is_err());
}
