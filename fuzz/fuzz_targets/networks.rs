//! Graphs and networks of any shape and numbers: refused, or valid, and the exact engines agree.
#![no_main]

use libfuzzer_sys::fuzz_target;
use posterior_fuzz::{Input, networks};
use posterior_graph::{Dag, Names, UnGraph, best_order, treewidth};
use posterior_inference::{
    BeliefPropagation, Beliefs, Engine, Enumeration, JunctionTree, MeanField, Targets, VariableElimination,
};
use posterior_pgm::{
    BayesianNetwork, Evidence, GraphicalModel, MarkovRandomField, NetworkFile, Table, VarId, Variables,
};

fn graphs(input: &mut Input<'_>) {
    let size = input.size(0, 7);
    let names: Vec<String> = (0..size).map(|k| format!("v{k}")).collect();
    let Ok(names) = Names::new(names) else { return };
    let count = input.size(0, 12);
    let pairs: Vec<(VarId, VarId)> =
        (0..count).map(|_| (VarId::new(input.size(0, 8)), VarId::new(input.size(0, 8)))).collect();
    if let Ok(graph) = Dag::new(names.clone(), pairs.clone()) {
        assert_eq!(graph.topological_order().len(), size);
    }
    if let Ok(graph) = UnGraph::new(names, pairs) {
        let _ = (best_order(&graph, &vec![2; size], &Default::default()), treewidth(&graph));
    }
}

fn table(input: &mut Input<'_>, scope: Vec<usize>, cards: &[usize], rows: bool) -> Option<Table> {
    let own: Vec<usize> = scope.iter().map(|&v| cards.get(v).copied().unwrap_or(2)).collect();
    let cells: usize = own.iter().product();
    let cells = if input.byte() < 4 { cells + 1 } else { cells };
    let last = own.last().copied().unwrap_or(1).max(1);
    let values = if rows {
        (0..cells.div_ceil(last)).flat_map(|_| input.proportions(last)).collect()
    } else {
        input.numbers(cells)
    };
    Table::new(scope.into_iter().map(VarId::new).collect(), own, values).ok()
}

fn agree(model: &dyn GraphicalModel, evidence: &Evidence) {
    let exact = Enumeration::default().query(model, &Targets::All, evidence);
    let same = |other: Result<Beliefs, posterior_inference::Error>, name: &str| match (&exact, &other) {
        (Ok(exact), Ok(other)) => {
            let (a, b) = (exact.ln_z().value(), other.ln_z().value());
            assert!((a - b).abs() <= 1e-6 * (1.0 + a.abs()), "{name}: ln Z {b}, by enumeration {a}");
            for v in model.variables().ids() {
                for (p, q) in
                    exact.marginal(v).into_iter().flatten().zip(other.marginal(v).into_iter().flatten())
                {
                    assert!((p - q).abs() < 1e-6, "{name}: {v:?} {q}, by enumeration {p}");
                }
            }
        }
        (Err(_), Err(_)) => {}
        (exact, other) => panic!("{name}: {other:?}, by enumeration {exact:?}"),
    };
    same(JunctionTree::default().query(model, &Targets::All, evidence), "junction tree");
    same(VariableElimination::default().query(model, &Targets::All, evidence), "elimination");
    let _ = BeliefPropagation::default().query(model, &Targets::All, evidence);
    let _ = MeanField::default().query(model, &Targets::All, evidence);
}

fuzz_target!(|bytes: &[u8]| {
    let mut input = Input::new(bytes);
    if input.byte() < 32 {
        graphs(&mut input);
        return;
    }
    let count = input.size(1, 5);
    let cards: Vec<usize> = (0..count).map(|_| input.size(0, 3)).collect();
    let Ok(variables) = Variables::numbered(&cards) else { return };
    let directed = input.byte() < 128;
    let tables: Option<Vec<Table>> = (0..count)
        .map(|v| {
            let mut scope: Vec<usize> = (0..v).filter(|_| input.byte() < 100).collect();
            scope.push(if input.byte() < 4 { input.size(0, 6) } else { v });
            table(&mut input, scope, &cards, directed)
        })
        .collect();
    let Some(tables) = tables else { return };
    let mut evidence = Evidence::none();
    for v in 0..count {
        evidence = match input.byte() {
            0..40 => evidence.with(VarId::new(v), input.size(0, 3)),
            40..60 => {
                let likelihood = input.numbers(cards[v]);
                evidence.with_likelihood(VarId::new(v), likelihood)
            }
            _ => evidence,
        };
    }
    if directed {
        if let Ok(network) = BayesianNetwork::new(variables, tables) {
            networks::round_trips(&NetworkFile::new(network.clone()));
            agree(&network, &evidence);
        }
    } else if let Ok(field) = MarkovRandomField::new(variables, tables) {
        agree(&field, &evidence);
    }
});
