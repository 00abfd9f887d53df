//! Times of exact inference on the networks of the Bayesian Network Repository, beside pyAgrum and pgmpy when
//! a Python program is named.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::path::Path;

use flate2::read::GzDecoder;
use posterior::pgm::{BayesianNetwork, Evidence, GraphicalModel, NetworkFile, Table, Variables, bif};
use posterior_benches::comparison::{Outcome, Settings, figure, median, print_head, print_row, ratio};
use posterior_benches::networks::{sample_evidence, strip};
use posterior_benches::timing::cpu_seconds;
use posterior_inference::{Beliefs, Engine, JunctionTree, Propagation, Targets};
use posterior_testkit::shared::shared_file;
use serde_json::{Value, json};

const NETWORKS: [&str; 13] = [
    "asia",
    "sachs",
    "child",
    "alarm",
    "hepar2",
    "win95pts",
    "water",
    "pathfinder",
    "mildew",
    "diabetes",
    "munin2",
    "munin",
    "munin4",
];

/// Our times of a network, in milliseconds, and all marginals.
struct Ours {
    load: f64,
    first: f64,
    evidence: f64,
    largest: u64,
    marginals: Vec<Vec<f64>>,
}

/// A network with the evidence that it is asked about.
struct Problem {
    name: &'static str,
    bytes: Vec<u8>,
    network: BayesianNetwork,
    evidence: Vec<Evidence>,
}

/// Prints the tables.
pub(super) fn compare(settings: &Settings) -> Outcome {
    let folder = tempfile::tempdir()?;
    let mut problems = Vec::new();
    for name in NETWORKS.into_iter().take(settings.size(usize::MAX, 4)) {
        let Some(bytes) = bytes(name)? else { return Ok(()) };
        let network = bif::read(&bytes)?.network;
        let evidence = (0..10).map(|seed| sample_evidence(&network, seed)).collect();
        let problem = Problem { name, bytes, network, evidence };
        write(&problem, folder.path())?;
        problems.push(problem);
    }
    let peers = run_peers(settings, folder.path())?;
    println!(
        "ms of CPU time, one thread: reading the file; all marginals of a network just read; all marginals after new evidence, the median of ten \
         sets. pyAgrum: the fastest of its engines; o / p: ours / pyAgrum\n"
    );
    let figures = [
        "nodes",
        "largest clique",
        "load",
        "first",
        "evidence",
        "pyAgrum: first",
        "evidence",
        "first, o / p",
        "evidence, o / p",
        "disagreement",
    ];
    print_head(&["network"], &figures);
    let (mut sum, mut count) = (0.0, 0.0);
    for problem in &problems {
        let ours = measure(problem)?;
        let (first, evidence) = peers.get(problem.name).copied().unwrap_or((f64::NAN, f64::NAN));
        let ratios = [ours.first / first, ours.evidence / evidence];
        if ratios.iter().all(|ratio| ratio.is_finite()) {
            sum += ratios[0].ln() + ratios[1].ln();
            count += 2.0;
        }
        print_row(&[
            problem.name.to_owned(),
            problem.network.variables().len().to_string(),
            ours.largest.to_string(),
            figure(ours.load, 2),
            figure(ours.first, 2),
            figure(ours.evidence, 2),
            figure(first, 1),
            figure(evidence, 1),
            ratio(ours.first, first),
            ratio(ours.evidence, evidence),
            disagreement(problem, &ours, folder.path())?,
        ]);
    }
    if count > 0.0 {
        println!("\nGeometric mean of the ratios: {}.", ratio(f64::exp(sum / count), 1.0));
    }
    let (cold, warm, one) = strip_times()?;
    println!(
        "\n1,000 binary nodes of treewidth 3, all marginals: {cold:.2} ms cold, {warm:.3} ms after new evidence; one marginal after new evidence: \
         {one:.3} ms."
    );
    Ok(())
}

fn bytes(name: &str) -> Outcome<Option<Vec<u8>>> {
    let packed = ["diabetes", "mildew"].contains(&name);
    let path = format!("data/bn/{name}.bif{}", if packed { ".gz" } else { "" });
    let Some(path) = shared_file("compare net", &path) else { return Ok(None) };
    let file = fs::read(path)?;
    if !packed {
        return Ok(Some(file));
    }
    let mut bytes = Vec::new();
    GzDecoder::new(&file[..]).read_to_end(&mut bytes)?;
    Ok(Some(bytes))
}

/// The network with plain names, and its tables and evidence, for the peers.
fn write(problem: &Problem, folder: &Path) -> Outcome {
    let variables = problem.network.variables();
    let states = |card: usize| (0..card).map(|state| format!("s{state}")).collect::<Vec<_>>();
    let plain = variables.ids().map(|v| (format!("v{}", v.index()), states(variables.card(v))));
    let plain = BayesianNetwork::new(Variables::new(plain)?, problem.network.factors().to_vec())?;
    fs::write(folder.join(format!("{}.bif", problem.name)), bif::write(&NetworkFile::new(plain))?)?;
    let scope = |table: &Table| table.scope().iter().map(|v| v.index()).collect::<Vec<_>>();
    let cpts = problem.network.factors().iter();
    let cpts: Vec<Value> =
        cpts.map(|table| json!({"scope": scope(table), "values": table.values()})).collect();
    let evidence: Vec<BTreeMap<String, usize>> = problem
        .evidence
        .iter()
        .map(|evidence| evidence.states().map(|(v, state)| (v.index().to_string(), state)).collect())
        .collect();
    let model = json!({"cards": variables.cards(), "cpts": cpts, "evidence": evidence});
    Ok(fs::write(folder.join(format!("{}.json", problem.name)), model.to_string())?)
}

/// First and evidence, for each network.
type Peers = BTreeMap<String, (f64, f64)>;

/// For each network pyAgrum's least times of its engines: first and evidence.
fn run_peers(settings: &Settings, folder: &Path) -> Outcome<Peers> {
    let Some(printed) = settings.printed("networks.py", folder, 1)? else { return Ok(Peers::new()) };
    let mut least = Peers::new();
    for line in printed.lines() {
        let line: Value = serde_json::from_str(line)?;
        let (Some(network), Some(first), Some(evidence)) =
            (line["network"].as_str(), line["first_ms"].as_f64(), line["evidence_ms"].as_f64())
        else {
            continue;
        };
        let best = least.entry(network.to_owned()).or_insert((f64::INFINITY, f64::INFINITY));
        *best = (best.0.min(first), best.1.min(evidence));
    }
    Ok(least)
}

/// Milliseconds of CPU time a call: the mean over so many calls that the clock can tell.
fn milliseconds<T>(mut call: impl FnMut() -> Outcome<T>) -> Outcome<(f64, T)> {
    let mut least = f64::INFINITY;
    let mut result = call()?;
    for _ in 0..3 {
        let start = cpu_seconds();
        let mut calls = 0;
        while calls == 0 || cpu_seconds() - start < 0.05 {
            result = call()?;
            calls += 1;
        }
        least = least.min((cpu_seconds() - start) / f64::from(calls));
    }
    Ok((least * 1e3, result))
}

fn measure(problem: &Problem) -> Outcome<Ours> {
    let (load, _) = milliseconds(|| Ok(bif::read(&problem.bytes)?))?;
    let (first, (_, largest)) = milliseconds(|| cold(&problem.network))?;
    let engine = JunctionTree::default();
    let plan = engine.plan(&problem.network, &Targets::All)?;
    let mut propagation = engine.prepare(&problem.network, &plan)?;
    let mut marginals = vec![flat(&problem.network, &propagation.beliefs()?)];
    let mut times = Vec::new();
    for evidence in &problem.evidence {
        let (time, beliefs) = milliseconds(|| warm(&mut propagation, evidence))?;
        times.push(time);
        marginals.push(flat(&problem.network, &beliefs));
    }
    Ok(Ours { load, first, evidence: median(times), largest, marginals })
}

fn cold(network: &BayesianNetwork) -> Outcome<(Beliefs, u64)> {
    let engine = JunctionTree::default();
    let plan = engine.plan(network, &Targets::All)?;
    let largest = engine.cost(&plan).largest;
    Ok((engine.prepare(network, &plan)?.beliefs()?, largest))
}

fn warm(propagation: &mut Propagation<'_>, evidence: &Evidence) -> Outcome<Beliefs> {
    propagation.set_evidence(&Evidence::none())?;
    propagation.set_evidence(evidence)?;
    Ok(propagation.beliefs()?)
}

fn flat(network: &BayesianNetwork, beliefs: &Beliefs) -> Vec<f64> {
    network.variables().ids().flat_map(|v| beliefs.marginal(v).unwrap_or_default().to_vec()).collect()
}

/// The largest difference from the peer's marginals.
fn disagreement(problem: &Problem, ours: &Ours, folder: &Path) -> Outcome<String> {
    let Ok(text) = fs::read_to_string(folder.join(format!("{}.marginals.json", problem.name))) else {
        return Ok(String::new());
    };
    let theirs: Vec<Vec<Vec<f64>>> = serde_json::from_str(&text)?;
    let pairs = theirs.iter().map(|set| set.concat()).zip(&ours.marginals);
    let most = pairs
        .flat_map(|(theirs, ours)| ours.iter().zip(theirs).map(|(a, b)| (a - b).abs()).collect::<Vec<_>>())
        .fold(0.0, f64::max);
    Ok(format!("{most:.0e}"))
}

/// A strip of 1,000 binary variables, each of which depends on the three before it: all marginals cold and
/// warm, and one marginal warm.
fn strip_times() -> Outcome<(f64, f64, f64)> {
    let network = strip(1000);
    let (cold_time, _) = milliseconds(|| cold(&network))?;
    let engine = JunctionTree::default();
    let plan = engine.plan(&network, &Targets::All)?;
    let mut propagation = engine.prepare(&network, &plan)?;
    let evidence = sample_evidence(&network, 1);
    let (warm_time, _) = milliseconds(|| warm(&mut propagation, &evidence))?;
    let (one_time, _) = milliseconds(|| {
        propagation.set_evidence(&Evidence::none())?;
        propagation.set_evidence(&evidence)?;
        Ok(propagation.marginal(posterior::graph::VarId::new(500))?.to_vec())
    })?;
    Ok((cold_time, warm_time, one_time))
}
