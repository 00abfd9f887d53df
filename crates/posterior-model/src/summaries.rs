//! Normal observations by sums of squares that are computed once.
//!
//! Where the mean of each of N observations is affine in the same few numbers z, with known coefficients, and
//! all have one standard deviation σ, their density is that of N ln σ and of Σ (c + A z)² / 2σ²: a function
//! of z of the second degree, whose coefficients are known before the first gradient. A gradient then costs
//! as much as AᵀA has entries, however many observations there are.

mod affine;
mod squares;

use std::collections::BTreeMap;
use std::sync::Arc;

use posterior_math::sparse::SparseMatrix;

use crate::density::Density;
use crate::op::Op;
use crate::trace::Trace;
use crate::value::Num;
use affine::{Affine, Expansion};
use squares::Squares;

/// The work of a density beside that of a product, in gradients.
const DENSITY: usize = 8;

/// The most products that AᵀA may take: of more rows or coefficients the rows are computed one by one.
const MOST_PRODUCTS: usize = 20_000_000;

/// The places of the terms that share a standard deviation.
struct Group {
    scale: Num,
    terms: Vec<usize>,
}

/// Terms of a log density of which normal ones are taken together where that makes a gradient cheaper.
pub(crate) fn summarised(trace: &mut Trace, terms: &[Num]) -> Vec<Num> {
    let mut expansion = Expansion::new(trace);
    // Observations of one statement with one standard deviation.
    let mut groups: BTreeMap<(bool, u64, u32), Group> = BTreeMap::new();
    for (at, term) in terms.iter().enumerate() {
        let Some(node) = expansion.node(*term).filter(|node| node.op == Op::Density(Density::Normal)) else {
            continue;
        };
        let scale = trace.inputs[node.inputs.0 as usize + 2];
        let key = match scale {
            Num::C(x) => (false, x.to_bits(), node.place),
            Num::N(wire) => (true, u64::from(wire), node.place),
        };
        groups.entry(key).or_insert(Group { scale, terms: vec![] }).terms.push(at);
    }
    let mut left: Vec<Option<Num>> = terms.iter().copied().map(Some).collect();
    let mut found = vec![];
    for ((.., place), group) in groups {
        let before = expansion.work;
        let observed = group.terms.iter().map(|&at| terms[at]);
        let Some(rows) = rows(trace, &mut expansion, observed) else { continue };
        let Some((squares, numbers)) = summary(&rows, expansion.work - before) else { continue };
        for &at in &group.terms {
            left[at] = None;
        }
        found.push((squares, numbers, group.scale, place));
    }
    let mut all: Vec<Num> = left.into_iter().flatten().collect();
    for (squares, numbers, scale, place) in found {
        let index = trace.systems.len() as u32;
        trace.systems.push(Arc::new(squares));
        trace.place = place;
        let inputs: Vec<Num> = numbers.into_iter().map(Num::N).chain([scale]).collect();
        all.push(trace.one(Op::System(index), &inputs));
    }
    all
}

/// The residuals of normal densities; nothing where their products would be too many.
fn rows(trace: &Trace, expansion: &mut Expansion, terms: impl Iterator<Item = Num>) -> Option<Vec<Affine>> {
    let (mut rows, mut products) = (vec![], 0);
    for term in terms {
        let row = residual(trace, expansion, term);
        products += row.terms.len() * row.terms.len();
        if products > MOST_PRODUCTS {
            return None;
        }
        rows.push(row);
    }
    Some(rows)
}

/// The outcome of a normal density less its mean.
fn residual(trace: &Trace, expansion: &mut Expansion, term: Num) -> Affine {
    let Some(node) = expansion.node(term) else { return Affine::default() };
    let at = node.inputs.0 as usize;
    let (mut outcome, mean) =
        (expansion.of(trace, trace.inputs[at]), expansion.of(trace, trace.inputs[at + 1]));
    outcome.add(-1.0, &mean);
    outcome
}

/// The sum of squares and the numbers that it is of, if it takes less work than the rows: so many products,
/// and their densities.
fn summary(rows: &[Affine], work: usize) -> Option<(Squares, Vec<u32>)> {
    let entries: usize = rows.iter().map(|row| row.terms.len()).sum();
    let is_finite = |row: &Affine| row.constant.is_finite() && row.terms.values().all(|own| own.is_finite());
    if entries == 0 || !rows.iter().all(is_finite) {
        return None;
    }
    let mut place = BTreeMap::new();
    for wire in rows.iter().flat_map(|row| row.terms.keys()) {
        place.entry(*wire).or_insert(0);
    }
    place.values_mut().enumerate().for_each(|(at, own)| *own = at);
    let triplets = rows.iter().enumerate().flat_map(|(i, row)| {
        row.terms.iter().map(|(wire, value)| (i, place[wire], *value)).collect::<Vec<_>>()
    });
    let matrix = SparseMatrix::from_triplets(rows.len(), place.len(), triplets).ok()?;
    let gram = matrix.gram(&vec![1.0; rows.len()]).ok()?;
    if 2 * (gram.stored() + place.len()) > work + DENSITY * rows.len() {
        return None;
    }
    let constants: Vec<f64> = rows.iter().map(|row| row.constant).collect();
    Some((Squares::new(&matrix, &gram, constants), place.into_keys().collect()))
}
