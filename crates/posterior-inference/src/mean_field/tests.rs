//! No update makes the bound fall.

use posterior_pgm::{Evidence, MarkovRandomField, Table, VarId, Variables};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::DependentBlocks;
use super::ascent::Ascent;
use super::blocks::blocks;
use crate::sliced::Sliced;

/// Random tables over up to three of six variables, with zeros.
fn model(rng: &mut Pcg64Mcg) -> MarkovRandomField {
    let cards: Vec<usize> = (0..6).map(|_| rng.random_range(2..4)).collect();
    let factors = (0..8)
        .map(|_| {
            let mut scope: Vec<usize> = (0..6).collect();
            while scope.len() > 3 {
                scope.remove(rng.random_range(0..scope.len()));
            }
            scope.truncate(rng.random_range(1..4));
            let own: Vec<usize> = scope.iter().map(|&v| cards[v]).collect();
            let cells: usize = own.iter().product();
            let values =
                (0..cells).map(|_| if rng.random_bool(0.05) { 0.0 } else { rng.random::<f64>() + 0.01 });
            let values = values.collect();
            Table::new(scope.into_iter().map(VarId::new).collect(), own, values).unwrap()
        })
        .collect();
    MarkovRandomField::new(Variables::numbered(&cards).unwrap(), factors).unwrap()
}

#[test]
fn no_update_makes_the_bound_fall() {
    let rng = &mut Pcg64Mcg::seed_from_u64(1);
    for round in 0..200 {
        let model = model(rng);
        let Ok(sliced) = Sliced::new(&model, &Evidence::none()) else { continue };
        let kind = if round % 2 == 0 { DependentBlocks::Variables } else { DependentBlocks::Trees };
        let mut ascent = Ascent::new(&sliced, &blocks(&sliced, kind));
        if round % 3 > 0 {
            ascent.randomize(rng);
        }
        let mut last = ascent.objective();
        for _ in 0..5 {
            for block in 0..ascent.block_count() {
                ascent.update(block).unwrap();
                let now = ascent.objective();
                assert!(now >= last - 1e-10 * (1.0 + last.abs()), "{now} after {last}");
                last = now;
            }
        }
    }
}

#[test]
fn blocks_are_trees_that_cover_all() {
    let rng = &mut Pcg64Mcg::seed_from_u64(2);
    for _ in 0..100 {
        let model = model(rng);
        let Ok(sliced) = Sliced::new(&model, &Evidence::none()) else { continue };
        let blocks = blocks(&sliced, DependentBlocks::Trees);
        let mut all = blocks.concat();
        all.sort_unstable();
        assert_eq!(all, (0..6).collect::<Vec<_>>());
        // The parts of the factors within a block have no loop.
        for block in blocks {
            let scopes = sliced.factors.iter().map(|factor| {
                factor.scope().iter().copied().filter(|v| block.contains(&v.index())).collect::<Vec<_>>()
            });
            let scopes: Vec<_> = scopes.filter(|scope| scope.len() > 1).collect();
            let names = posterior_graph::Names::numbered(6);
            let graph = posterior_graph::FactorGraph::new(names, scopes).unwrap();
            assert!(crate::FactorTree::new(&graph).is_ok());
        }
    }
}
