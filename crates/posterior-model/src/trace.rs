//! The record of a run: each operation on numbers that depend on parameters becomes a node, once.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::equation::Equation;
use crate::op::{Bin, Op, Un};
use crate::value::Num;

/// An operation that was done, with its inputs and outputs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Node {
    pub(crate) op: Op,
    pub(crate) inputs: (u32, u32),
    pub(crate) out: u32,
    pub(crate) n_out: u32,
    pub(crate) level: u32,
    /// Where the statement begins, in bytes.
    pub(crate) place: u32,
}

/// A hash of few bytes, by multiplication.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Multiply(u64);

impl Hasher for Multiply {
    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 29)
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    fn write_u32(&mut self, x: u32) {
        self.write_u64(u64::from(x));
    }

    fn write_u64(&mut self, x: u64) {
        self.0 = (self.0.rotate_left(5) ^ x).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }

    fn write_usize(&mut self, x: usize) {
        self.write_u64(x as u64);
    }

    fn write_isize(&mut self, x: isize) {
        self.write_u64(x as u64);
    }
}

/// What a condition must hold for the point not to be refused.
#[derive(Debug, Clone)]
pub(crate) struct Check {
    pub(crate) what: Bound,
    pub(crate) numbers: Vec<Num>,
    pub(crate) place: u32,
    pub(crate) name: String,
}

/// How two numbers compared where the course of the run depended on it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Decision {
    pub(crate) numbers: [Num; 2],
    pub(crate) outcome: Option<Ordering>,
}

/// A condition on numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Bound {
    /// The first at least the second.
    AtLeast,
    /// The first at most the second.
    AtMost,
    Ordered,
    PositiveOrdered,
    Simplex,
    UnitVector,
    SumToZero,
    /// Square and of this size.
    CholeskyCorr(usize),
    CholeskyCov(usize, usize),
    Corr(usize),
    Cov(usize),
}

/// The nodes, with their values at the point of the record.
#[derive(Debug, Default)]
pub(crate) struct Trace {
    pub(crate) nodes: Vec<Node>,
    pub(crate) inputs: Vec<Num>,
    /// Values of wires; the parameters are the first.
    pub(crate) values: Vec<f64>,
    pub(crate) levels: Vec<u32>,
    /// Hashes of the nodes, and places of nodes by hash: open addressing, one more than the index.
    hashes: Vec<u64>,
    table: Vec<u32>,
    pub(crate) checks: Vec<Check>,
    pub(crate) systems: Vec<Arc<dyn Equation>>,
    /// What the course of the run depended on: the record holds where all of it is so.
    pub(crate) decisions: Vec<Decision>,
    /// Whether it depended on numbers in another way: then the record holds at this point only.
    pub(crate) once: bool,
    pub(crate) place: u32,
    scratch: Vec<f64>,
    out: Vec<f64>,
}

impl Trace {
    /// A record whose parameters have these values.
    pub(crate) fn new(parameters: &[f64]) -> Self {
        Self { values: parameters.to_vec(), levels: vec![0; parameters.len()], ..Self::default() }
    }

    /// The value at the point of the record.
    pub(crate) fn value(&self, x: Num) -> f64 {
        match x {
            Num::C(x) => x,
            Num::N(wire) => self.values[wire as usize],
        }
    }

    /// How two numbers compare, for a decision: the record then holds where they compare so.
    pub(crate) fn compare(&mut self, x: Num, y: Num) -> Option<Ordering> {
        let outcome = self.value(x).partial_cmp(&self.value(y));
        if !matches!((x, y), (Num::C(_), Num::C(_))) {
            self.decisions.push(Decision { numbers: [x, y], outcome });
        }
        outcome
    }

    /// Whether a number is zero, for a decision.
    pub(crate) fn is_zero(&mut self, x: Num) -> bool {
        self.compare(x, Num::C(0.0)) == Some(Ordering::Equal)
    }

    /// The value for a decision that is no comparison: the record then holds at this point only.
    pub(crate) fn decide(&mut self, x: Num) -> f64 {
        self.once |= matches!(x, Num::N(_));
        self.value(x)
    }

    /// Whether the course of the run depended on parameters.
    pub(crate) const fn branches(&self) -> bool {
        self.once || !self.decisions.is_empty()
    }

    fn compute(&mut self, op: Op, inputs: &[Num], n_out: usize) {
        self.scratch.clear();
        for &x in inputs {
            let value = self.value(x);
            self.scratch.push(value);
        }
        self.out.clear();
        self.out.resize(n_out, 0.0);
        if let Op::System(at) = op {
            let system = Arc::clone(&self.systems[at as usize]);
            system.forward(&self.scratch, &mut self.out);
        } else {
            op.forward(&self.scratch, &mut self.out);
        }
    }

    /// Does an operation: known inputs give known outputs, others one node for equal inputs.
    pub(crate) fn apply(&mut self, op: Op, inputs: &[Num], n_out: usize) -> Outputs {
        if inputs.iter().all(|x| matches!(x, Num::C(_))) {
            self.compute(op, inputs, n_out);
            return Outputs::Known(self.out.clone());
        }
        let mut hasher = Multiply::default();
        op.hash(&mut hasher);
        for x in inputs {
            match *x {
                Num::C(x) => hasher.write_u64(x.to_bits()),
                Num::N(wire) => hasher.write_u64(u64::from(wire) | 1 << 63),
            }
        }
        let key = hasher.finish();
        let same = |one: &Num, other: &Num| match (one, other) {
            (Num::C(one), Num::C(other)) => one.to_bits() == other.to_bits(),
            (Num::N(one), Num::N(other)) => one == other,
            _ => false,
        };
        if self.table.len() < 2 * (self.nodes.len() + 1) {
            self.grow();
        }
        let mask = self.table.len() - 1;
        let mut bucket = key as usize & mask;
        while self.table[bucket] != 0 {
            let at = self.table[bucket] as usize - 1;
            let node = self.nodes[at];
            let before = &self.inputs[node.inputs.0 as usize..node.inputs.1 as usize];
            let equal = self.hashes[at] == key && node.op == op && before.len() == inputs.len();
            if equal && before.iter().zip(inputs).all(|(a, b)| same(a, b)) {
                return Outputs::Nodes(node.out, n_out);
            }
            bucket = (bucket + 1) & mask;
        }
        self.table[bucket] = self.nodes.len() as u32 + 1;
        self.hashes.push(key);
        self.compute(op, inputs, n_out);
        let level = inputs.iter().map(|x| if let Num::N(w) = x { self.levels[*w as usize] } else { 0 });
        let level = level.max().unwrap_or(0) + 1;
        let out = self.values.len() as u32;
        self.values.extend_from_slice(&self.out);
        self.levels.resize(self.values.len(), level);
        let start = self.inputs.len() as u32;
        self.inputs.extend_from_slice(inputs);
        let inputs = (start, self.inputs.len() as u32);
        self.nodes.push(Node { op, inputs, out, n_out: n_out as u32, level, place: self.place });
        Outputs::Nodes(out, n_out)
    }

    fn grow(&mut self) {
        let size = (4 * (self.nodes.len() + 16)).next_power_of_two();
        self.table = vec![0; size];
        for (at, &hash) in self.hashes.iter().enumerate() {
            let mut bucket = hash as usize & (size - 1);
            while self.table[bucket] != 0 {
                bucket = (bucket + 1) & (size - 1);
            }
            self.table[bucket] = at as u32 + 1;
        }
    }

    /// An operation with one output.
    pub(crate) fn one(&mut self, op: Op, inputs: &[Num]) -> Num {
        match self.apply(op, inputs, 1) {
            Outputs::Known(known) => Num::C(known[0]),
            Outputs::Nodes(first, _) => Num::N(first),
        }
    }

    /// An operation with several outputs.
    pub(crate) fn many(&mut self, op: Op, inputs: &[Num], n_out: usize) -> Vec<Num> {
        match self.apply(op, inputs, n_out) {
            Outputs::Known(known) => known.into_iter().map(Num::C).collect(),
            Outputs::Nodes(first, n) => (first..first + n as u32).map(Num::N).collect(),
        }
    }

    pub(crate) fn un(&mut self, un: Un, x: Num) -> Num {
        match x {
            Num::C(x) => Num::C(un.value(x)),
            node @ Num::N(_) => self.one(Op::Un(un), &[node]),
        }
    }

    pub(crate) fn bin(&mut self, bin: Bin, x: Num, y: Num) -> Num {
        match (bin, x, y) {
            (_, Num::C(x), Num::C(y)) => Num::C(bin.value(x, y)),
            (Bin::Add, Num::C(0.0), other)
            | (Bin::Add | Bin::Sub, other, Num::C(0.0))
            | (Bin::Mul, Num::C(1.0), other)
            | (Bin::Mul | Bin::Div, other, Num::C(1.0)) => other,
            _ => self.one(Op::Bin(bin), &[x, y]),
        }
    }

    pub(crate) fn add(&mut self, x: Num, y: Num) -> Num {
        self.bin(Bin::Add, x, y)
    }

    pub(crate) fn sub(&mut self, x: Num, y: Num) -> Num {
        self.bin(Bin::Sub, x, y)
    }

    pub(crate) fn mul(&mut self, x: Num, y: Num) -> Num {
        self.bin(Bin::Mul, x, y)
    }

    pub(crate) fn div(&mut self, x: Num, y: Num) -> Num {
        self.bin(Bin::Div, x, y)
    }

    pub(crate) fn sum(&mut self, all: &[Num]) -> Num {
        match all {
            [] => Num::C(0.0),
            [one] => *one,
            [one, other] => self.add(*one, *other),
            _ => self.one(Op::Sum, all),
        }
    }

    pub(crate) fn dot(&mut self, a: &[Num], b: &[Num]) -> Num {
        match a.len() {
            0 => Num::C(0.0),
            1 => self.mul(a[0], b[0]),
            _ => {
                let both: Vec<Num> = a.iter().chain(b).copied().collect();
                self.one(Op::Dot, &both)
            }
        }
    }

    pub(crate) fn log_sum_exp(&mut self, all: &[Num]) -> Num {
        match all {
            [] => Num::C(f64::NEG_INFINITY),
            [one] => *one,
            [one, other] => self.bin(Bin::LogAddExp, *one, *other),
            _ => self.one(Op::LogSumExp, all),
        }
    }

    /// The product of matrices of m × k and k × n numbers.
    pub(crate) fn multiply(&mut self, a: &[Num], b: &[Num], size: (usize, usize, usize)) -> Vec<Num> {
        let (m, k, n) = size;
        if m * n == 0 || k == 0 {
            return vec![Num::C(0.0); m * n];
        }
        if m == 1 && n == 1 {
            return vec![self.dot(a, b)];
        }
        let both: Vec<Num> = a.iter().chain(b).copied().collect();
        self.many(Op::MatMul(m as u32, k as u32, n as u32), &both, m * n)
    }
}

/// What an operation gives.
#[derive(Debug)]
pub(crate) enum Outputs {
    Known(Vec<f64>),
    /// The first wire and how many.
    Nodes(u32, usize),
}
