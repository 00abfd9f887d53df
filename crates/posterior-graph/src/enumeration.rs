//! All graphs over a few variables, for questions of the kind "is there any graph that ...?".

use crate::{Dag, Names, UnGraph, VarId};

impl Dag {
    /// All directed acyclic graphs over these variables, one after the other: 1, 1, 3, 25, 543, 29,281,
    /// 3,781,503 for 0 to 6 variables. The first has no arrow. The iterator walks over all 3^(n(n-1)/2) sets
    /// of arrows, each at O(n²).
    ///
    /// ```
    /// use posterior_graph::{Dag, Names};
    ///
    /// assert_eq!(Dag::all_over(&Names::numbered(4)).count(), 543);
    /// ```
    pub fn all_over(names: &Names) -> impl Iterator<Item = Self> + use<> {
        let names = names.clone();
        choices(pairs(names.len()), 3).filter_map(move |chosen| {
            let arrow = |((a, b), choice)| match choice {
                0 => None,
                1 => Some((a, b)),
                _ => Some((b, a)),
            };
            Self::new(names.clone(), chosen.into_iter().filter_map(arrow)).ok()
        })
    }
}

impl UnGraph {
    /// All undirected graphs over these variables, one after the other: 2^(n(n-1)/2). The first has no edge.
    pub fn all_over(names: &Names) -> impl Iterator<Item = Self> + use<> {
        let names = names.clone();
        choices(pairs(names.len()), 2).map(move |chosen| {
            let edges = chosen.into_iter().filter(|&(_, choice)| choice == 1).map(|(pair, _)| pair);
            Self::of_valid(names.clone(), edges.collect())
        })
    }
}

type Pair = (VarId, VarId);

fn pairs(n: usize) -> Vec<Pair> {
    (0..n).flat_map(|b| (0..b).map(move |a| (VarId::new(a), VarId::new(b)))).collect()
}

/// All ways to give each pair one of `kinds` numbers; the first pair changes fastest.
fn choices(pairs: Vec<Pair>, kinds: u8) -> impl Iterator<Item = Vec<(Pair, u8)>> {
    let mut next = Some(vec![0_u8; pairs.len()]);
    std::iter::from_fn(move || {
        let now = next.take()?;
        let mut after = now.clone();
        if let Some(i) = after.iter().position(|&digit| digit + 1 < kinds) {
            after[..i].fill(0);
            after[i] += 1;
            next = Some(after);
        }
        Some(pairs.iter().copied().zip(now).collect())
    })
}
