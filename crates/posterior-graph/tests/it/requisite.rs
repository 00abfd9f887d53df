//! What a query needs, against d-separation from the parameters and from the values themselves.

use posterior_graph::{Dag, Error, Names, VarId};
use proptest::prelude::*;

use crate::arbitrary;
use crate::separation::{ids, student};

/// The graph in which every variable has one more parent, its parameter: variable v has parameter n + v.
fn with_parameters(dag: &Dag) -> Dag {
    let n = dag.len();
    let parameters = dag.variables().map(|v| (VarId::new(n + v.index()), v));
    Dag::new(Names::numbered(2 * n), dag.arrows().chain(parameters)).unwrap()
}

/// A table is needed if its parameter is not separated from the targets; a value, if it is not separated from
/// them given the other values.
fn check(dag: &Dag, targets: &[VarId], observed: &[VarId]) {
    let needed = dag.requisite(targets, observed).unwrap();
    let wide = with_parameters(dag);
    let parameter = |v: VarId| VarId::new(dag.len() + v.index());
    let connected =
        |a: &[VarId], b: VarId, given: &[VarId]| !wide.separation(a, &[b], given).unwrap().is_separated();
    let tables: Vec<VarId> =
        dag.variables().filter(|&v| connected(targets, parameter(v), observed)).collect();
    assert_eq!(needed.probabilities, tables, "{dag:?} {targets:?} given {observed:?}");
    let mut sorted = observed.to_vec();
    sorted.sort_unstable();
    let rest = |v: VarId| sorted.iter().copied().filter(|&w| w != v).collect::<Vec<_>>();
    let values: Vec<VarId> = sorted.iter().copied().filter(|&v| connected(targets, v, &rest(v))).collect();
    assert_eq!(needed.observations, values, "{dag:?} {targets:?} given {observed:?}");
}

#[test]
fn needs_are_d_connections_on_all_graphs_of_four_variables() {
    for dag in Dag::all_over(&Names::numbered(4)) {
        for code in 0..81_usize {
            let place = |v: VarId| (code / 3_usize.pow(v.index() as u32)) % 3;
            let [x, given] =
                [0, 1].map(|set| dag.variables().filter(|&v| place(v) == set).collect::<Vec<_>>());
            check(&dag, &x, &given);
        }
    }
}

#[test]
fn golden_needs_of_student() {
    let dag = student();
    let set = |names: &str| ids(dag.names(), names);
    let grade = dag.requisite(&set("G"), &[]).unwrap();
    assert_eq!((grade.probabilities, grade.observations), (set("D,I,G"), vec![]));
    // The letter says nothing new once the grade is known, and the SAT nothing once the intelligence is.
    let exam = dag.requisite(&set("D"), &set("I,G,S,L")).unwrap();
    assert_eq!((exam.probabilities, exam.observations), (set("D,G"), set("I,G")));
    let letter = dag.requisite(&set("L"), &set("G,S")).unwrap();
    assert_eq!((letter.probabilities, letter.observations), (set("L"), set("G")));
    // An observed target needs its own value.
    let itself = dag.requisite(&set("G"), &set("G,L")).unwrap();
    assert_eq!((itself.probabilities, itself.observations), (vec![], set("G")));
    assert_eq!(dag.barren(&set("I"), &set("S")).unwrap(), set("D,G,L"));
    assert_eq!(dag.barren(&[], &[]).unwrap(), set("D,I,G,S,L"));
    let unknown = Error::UnknownVariable { index: 9, len: 5 };
    assert_eq!(dag.requisite(&[], &[VarId::new(9)]), Err(unknown.clone()));
    assert_eq!(dag.barren(&[VarId::new(9)], &[]), Err(unknown));
}

proptest! {
    #[test]
    fn needs_are_d_connections((dag, [targets, _, observed]) in arbitrary::question(5..=8)) {
        check(&dag, &targets, &observed);
        let barren = dag.barren(&targets, &observed).unwrap();
        let needed = dag.requisite(&targets, &observed).unwrap();
        prop_assert!(!needed.probabilities.iter().any(|v| barren.contains(v)));
    }
}
