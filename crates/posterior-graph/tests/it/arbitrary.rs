//! Random graphs and sets of their variables.

use posterior_graph::{Dag, Names, VarId};
use proptest::prelude::*;

/// Graphs of `sizes` variables, any arrows, ids in any order.
pub(crate) fn dag(sizes: std::ops::RangeInclusive<usize>) -> impl Strategy<Value = Dag> {
    let parts = sizes.prop_flat_map(|n| {
        let ids: Vec<usize> = (0..n).collect();
        (Just(ids).prop_shuffle(), proptest::collection::vec(0_u8..5, n * n))
    });
    (parts, 1_u8..5).prop_map(|((ids, draws), density)| {
        let n = ids.len();
        let arrows = (0..n).flat_map(|b| (0..b).map(move |a| (a, b)));
        let arrows = arrows.filter(|&(a, b)| draws[a * n + b] < density);
        let arrows = arrows.map(|(a, b)| (VarId::new(ids[a]), VarId::new(ids[b])));
        Dag::new(Names::numbered(n), arrows.collect::<Vec<_>>()).unwrap()
    })
}

/// A graph and three sets of its variables, of which no two overlap.
pub(crate) fn question(
    sizes: std::ops::RangeInclusive<usize>,
) -> impl Strategy<Value = (Dag, [Vec<VarId>; 3])> {
    dag(sizes).prop_flat_map(|dag| {
        let n = dag.len();
        (Just(dag), proptest::collection::vec(0_usize..6, n)).prop_map(|(dag, places)| {
            // x and y are small, or else nothing is ever separated.
            let wanted = |set: usize, place: usize| match set {
                0 => place == 0,
                1 => place == 1,
                _ => (2..4).contains(&place),
            };
            let sets =
                [0, 1, 2].map(|set| dag.variables().filter(|v| wanted(set, places[v.index()])).collect());
            (dag, sets)
        })
    })
}
