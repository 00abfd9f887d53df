//! Numbers of the record as affine functions of others, with known coefficients.

use std::collections::BTreeMap;

use crate::op::{Bin, Op, Un};
use crate::trace::{Node, Trace};
use crate::value::Num;

/// The most terms of a function: of more it is a number of its own.
const MOST_TERMS: usize = 256;

/// A constant and a sum of numbers with coefficients.
#[derive(Debug, Clone, Default)]
pub(super) struct Affine {
    pub(super) constant: f64,
    pub(super) terms: BTreeMap<u32, f64>,
}

impl Affine {
    /// Adds a multiple of another.
    pub(super) fn add(&mut self, factor: f64, other: &Self) {
        self.constant += factor * other.constant;
        for (wire, value) in &other.terms {
            *self.terms.entry(*wire).or_insert(0.0) += factor * value;
        }
    }
}

/// The affine functions that were found.
#[derive(Debug)]
pub(super) struct Expansion {
    nodes: Vec<Option<Node>>,
    known: BTreeMap<u32, Affine>,
    /// The terms of all sums that were followed: what computing them takes.
    pub(super) work: usize,
}

impl Expansion {
    pub(super) fn new(trace: &Trace) -> Self {
        let mut nodes = vec![None; trace.values.len()];
        for node in &trace.nodes {
            nodes[node.out as usize..(node.out + node.n_out) as usize].fill(Some(*node));
        }
        Self { nodes, known: BTreeMap::new(), work: 0 }
    }

    /// The operation that a number comes from.
    pub(super) fn node(&self, x: Num) -> Option<Node> {
        if let Num::N(wire) = x { self.nodes[wire as usize] } else { None }
    }

    /// A number as a function of those that are not affine in others.
    pub(super) fn of(&mut self, trace: &Trace, x: Num) -> Affine {
        let wire = match x {
            Num::C(constant) => return Affine { constant, terms: BTreeMap::new() },
            Num::N(wire) => wire,
        };
        // What it depends on first: no call is deeper than one.
        let mut stack = vec![wire];
        while let Some(&top) = stack.last() {
            if self.known.contains_key(&top) {
                stack.pop();
                continue;
            }
            let parts = self.nodes[top as usize].and_then(|node| parts(trace, &node, top));
            let parts = parts.unwrap_or_default();
            let open: Vec<u32> = parts
                .iter()
                .filter_map(|(_, x)| if let Num::N(wire) = *x { Some(wire) } else { None })
                .collect();
            let before = stack.len();
            stack.extend(open.into_iter().filter(|wire| !self.known.contains_key(wire)));
            if stack.len() == before {
                let own = self.joined(top, &parts);
                self.work += parts.len();
                self.known.insert(top, own);
                stack.pop();
            }
        }
        self.known.get(&wire).cloned().unwrap_or_default()
    }

    fn joined(&self, wire: u32, parts: &[(f64, Num)]) -> Affine {
        let mut own = Affine::default();
        for (factor, x) in parts {
            match x {
                Num::C(x) => own.constant += factor * x,
                Num::N(wire) => own.add(*factor, &self.known[wire]),
            }
        }
        if parts.is_empty() || own.terms.len() > MOST_TERMS {
            return Affine { constant: 0.0, terms: BTreeMap::from([(wire, 1.0)]) };
        }
        own
    }
}

/// The numbers that this one is a sum of, with their factors; nothing where it is no such sum.
fn parts(trace: &Trace, node: &Node, wire: u32) -> Option<Vec<(f64, Num)>> {
    let inputs = &trace.inputs[node.inputs.0 as usize..node.inputs.1 as usize];
    let product = |x: &Num, y: &Num| match (x, y) {
        (Num::C(factor), x) | (x, Num::C(factor)) => Some((*factor, *x)),
        _ => None,
    };
    match (node.op, inputs) {
        (Op::Un(Un::Minus), [x]) => Some(vec![(-1.0, *x)]),
        (Op::Bin(Bin::Add), [x, y]) => Some(vec![(1.0, *x), (1.0, *y)]),
        (Op::Bin(Bin::Sub), [x, y]) => Some(vec![(1.0, *x), (-1.0, *y)]),
        (Op::Bin(Bin::Mul), [x, y]) => Some(vec![product(x, y)?]),
        (Op::Bin(Bin::Div), [x, Num::C(y)]) => Some(vec![(y.recip(), *x)]),
        (Op::Sum, all) => Some(all.iter().map(|x| (1.0, *x)).collect()),
        (Op::Dot, all) => {
            let (a, b) = all.split_at(all.len() / 2);
            a.iter().zip(b).map(|(x, y)| product(x, y)).collect()
        }
        (Op::MatMul(m, k, _), all) => {
            let (m, k, place) = (m as usize, k as usize, (wire - node.out) as usize);
            let (a, b) = all.split_at(m * k);
            let (row, column) = (place % m, place / m);
            (0..k).map(|p| product(&a[row + p * m], &b[p + column * k])).collect()
        }
        _ => None,
    }
}
