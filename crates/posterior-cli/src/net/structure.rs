//! The verbs about the graph alone: `info`, `dsep`, `blanket`, `moralize`, `cliques`, `dot`.

use posterior::graph::{CliqueTree, Drawing, SearchOptions, UnGraph, VarId, best_order};
use posterior::pgm::{GraphicalModel, Model};
use serde::Serialize;
use serde_json::json;

use super::artefacts::{self, Reported};
use super::network_input::Input;
use crate::args::{NetBlanket, NetDot, NetDsep, NetFile, NetInfo};
use crate::failure::Failure;
use crate::output::{self, grouped};
use crate::run::Run;

#[derive(Serialize)]
struct Info {
    format: String,
    kind: &'static str,
    nodes: usize,
    edges: usize,
    factors: usize,
    parameters: usize,
    induced_width: usize,
    largest_clique_states: u64,
    clique_tables_bytes: u64,
    warnings: Vec<String>,
}

/// Sizes, and what exact inference would cost.
pub(super) fn info(args: &NetInfo) -> Result<(), Failure> {
    let mut run = Run::start(&args.input.common)?;
    run.claim(args.out.as_deref(), artefacts::NAMES)?;
    let input = Input::read(&args.input.file)?;
    let graph = input.primal_graph()?;
    let tree = junction_tree(&input, &graph)?;
    let cells = tree.cells(input.variables().cards()).map_err(|error| refused(&input, &error))?;
    let stop = |count: u128| u64::try_from(count).unwrap_or(u64::MAX);
    let (kind, parameters) = match input.model() {
        Model::Bayesian(network) => ("Bayesian network", network.parameter_count()),
        other => ("Markov random field", other.factors().iter().map(|factor| factor.values().len()).sum()),
    };
    let info = Info {
        format: input.file.format.to_string(),
        kind,
        nodes: graph.len(),
        edges: input.model().dag().map_or(graph.edge_count(), posterior::graph::Dag::arrow_count),
        factors: input.model().factors().len(),
        parameters,
        induced_width: tree.width(),
        largest_clique_states: stop(cells.largest()),
        clique_tables_bytes: stop(cells.total()).saturating_mul(8),
        warnings: input.warnings(),
    };
    run.write("report.html", |folder| {
        artefacts::write(folder, &input, &Reported::Structure { said: &info_text(&info) })
    })?;
    run.print(|| &info, || info_text(&info))
}

fn info_text(info: &Info) -> String {
    let cost = posterior::inference::Cost::new(info.clique_tables_bytes / 8, info.largest_clique_states, 0);
    let mut lines = vec![
        format!("{} in {}", info.kind, info.format),
        format!(
            "{} variables, {} {}",
            grouped(info.nodes as u64),
            grouped(info.edges as u64),
            if info.kind.starts_with('B') { "arrows" } else { "edges" }
        ),
        format!(
            "{} {}",
            grouped(info.parameters as u64),
            if info.kind.starts_with('B') { "free parameters" } else { "entries of tables" }
        ),
        format!(
            "exact inference: induced width {}, largest clique {} joint states, {cost}",
            info.induced_width,
            grouped(info.largest_clique_states)
        ),
    ];
    lines.extend(info.warnings.iter().map(|warning| format!("warning: {warning}")));
    lines.join("\n") + "\n"
}

#[derive(Serialize)]
struct SeparationOutput {
    separated: bool,
    active_path: Option<Vec<String>>,
    explanation: Option<String>,
}

/// Whether two sets are separated by a third.
pub(super) fn dsep(args: &NetDsep) -> Result<(), Failure> {
    let run = Run::start(&args.input.common)?;
    let input = Input::read(&args.input.file)?;
    let [x, y, given] = [&args.x, &args.y, &args.given].map(|names| input.variables_of(names));
    let (x, y, given) = (x?, y?, given?);
    let separation = match input.model().dag() {
        Some(dag) => dag.separation(&x, &y, &given),
        None => input.primal_graph()?.separation(&x, &y, &given),
    };
    let separation = separation.map_err(|error| refused(&input, &error))?;
    let path = separation.path();
    let answer = SeparationOutput {
        separated: separation.is_separated(),
        active_path: path.map(|path| names(&input, path.nodes())),
        explanation: path.map(ToString::to_string),
    };
    run.print(
        || &answer,
        || {
            let (x, y) = (args.x.join(", "), args.y.join(", "));
            let given = if args.given.is_empty() {
                String::new()
            } else {
                format!(" given {}", args.given.join(", "))
            };
            match &answer.explanation {
                None => format!("{x} and {y} are independent{given}, whatever the numbers are\n"),
                Some(path) => format!("{x} and {y} may depend on each other{given}, along\n  {path}\n"),
            }
        },
    )
}

/// The Markov blanket of a variable.
pub(super) fn blanket(args: &NetBlanket) -> Result<(), Failure> {
    let run = Run::start(&args.input.common)?;
    let input = Input::read(&args.input.file)?;
    let v = input.variable(&args.node)?;
    let blanket = match input.model().dag() {
        Some(dag) => names(&input, &dag.markov_blanket(v)),
        None => names(&input, input.primal_graph()?.neighbours(v)),
    };
    run.print(
        || json!({ "blanket": blanket }),
        || blanket.iter().flat_map(|name| [name.as_str(), "\n"]).collect(),
    )
}

#[derive(Serialize)]
struct Moral {
    edges: Vec<[String; 2]>,
    added: Vec<[String; 2]>,
}

/// The moral graph of a Bayesian network.
pub(super) fn moralize(args: &NetFile) -> Result<(), Failure> {
    let run = Run::start(&args.common)?;
    let input = Input::read(&args.file)?;
    let dag = input.dag()?;
    let moral = dag.moral_graph();
    let named = |(a, b): (VarId, VarId)| [a, b].map(|v| input.variables().name(v).to_owned());
    let added = moral.edges().filter(|&(a, b)| !dag.is_adjacent(a, b)).map(named).collect();
    let answer = Moral { edges: moral.edges().map(named).collect(), added };
    run.print(
        || &answer,
        || {
            let line = |edge: &[String; 2]| {
                let new = if answer.added.contains(edge) { "  (added)" } else { "" };
                format!("{} - {}{new}\n", edge[0], edge[1])
            };
            answer.edges.iter().map(line).collect()
        },
    )
}

#[derive(Serialize)]
struct CliquesOutput {
    cliques: Vec<Vec<String>>,
    states: Vec<u64>,
}

/// The cliques of the junction tree.
pub(super) fn cliques(args: &NetFile) -> Result<(), Failure> {
    let run = Run::start(&args.common)?;
    let input = Input::read(&args.file)?;
    let tree = junction_tree(&input, &input.primal_graph()?)?;
    let cells = tree.cells(input.variables().cards()).map_err(|error| refused(&input, &error))?;
    let answer = CliquesOutput {
        cliques: tree.cliques().map(|clique| names(&input, clique)).collect(),
        states: cells.cliques.iter().map(|&cells| u64::try_from(cells).unwrap_or(u64::MAX)).collect(),
    };
    run.print(
        || &answer,
        || {
            let line = |(clique, states): (&Vec<String>, &u64)| {
                format!("{}  ({} joint states)\n", clique.join(", "), grouped(*states))
            };
            answer.cliques.iter().zip(&answer.states).map(line).collect()
        },
    )
}

/// The graph for Graphviz.
pub(super) fn dot(args: &NetDot) -> Result<(), Failure> {
    let input = Input::read(&args.file)?;
    let drawing = Drawing {
        title: input.file.name.clone(),
        observed: input.variables_of(&args.observed)?,
        ..Drawing::default()
    };
    let text = match input.model() {
        Model::Markov(field) => field.factor_graph().to_dot(&drawing),
        model => model.dag().map_or_else(|| Ok(String::new()), |dag| dag.to_dot(&drawing)),
    };
    output::print(&text.map_err(|error| refused(&input, &error))?)
}

fn junction_tree(input: &Input, graph: &UnGraph) -> Result<CliqueTree, Failure> {
    let found = best_order(graph, input.variables().cards(), &SearchOptions::default());
    found.and_then(|found| CliqueTree::new(graph, &found.order)).map_err(|error| refused(input, &error))
}

fn refused(input: &Input, error: &posterior::graph::Error) -> Failure {
    Failure::data(format!("{}: {error}", input.source))
}

fn names(input: &Input, variables: &[VarId]) -> Vec<String> {
    variables.iter().map(|&v| input.variables().name(v).to_owned()).collect()
}
