//! The passes over the graph.

use super::densities::densities;
use super::lanes::{Lanes, fetch, fetch_slice, scatter};
use super::{Graph, Instruction, Place, Source, Workspace};
use crate::op::{Bin, Op, Un, matrix};

macro_rules! lanewise {
    ($out:expr, $a:expr, $b:expr, |$x:ident, $y:ident| $value:expr) => {
        match ($a, $b) {
            (Lanes::Slice(a), Lanes::Slice(b)) => {
                for ((out, &$x), &$y) in $out.iter_mut().zip(a).zip(b) {
                    *out = $value;
                }
            }
            (Lanes::Slice(a), Lanes::Splat($y)) => {
                for (out, &$x) in $out.iter_mut().zip(a) {
                    *out = $value;
                }
            }
            (Lanes::Splat($x), Lanes::Slice(b)) => {
                for (out, &$y) in $out.iter_mut().zip(b) {
                    *out = $value;
                }
            }
            (Lanes::Splat($x), Lanes::Splat($y)) => $out.fill($value),
        }
    };
}

impl Graph {
    /// Values of all numbers at the point.
    pub(crate) fn forward(&self, x: &[f64], workspace: &mut Workspace) {
        workspace.values[..self.dim].copy_from_slice(x);
        for instruction in &self.instructions {
            self.step(instruction, workspace);
        }
    }

    /// Adjoints of the parameters, given those of the outputs.
    pub(crate) fn backward(&self, seeds: &[f64], workspace: &mut Workspace) {
        workspace.adjoints.fill(0.0);
        for (seed, output) in seeds.iter().zip(&self.outputs) {
            if let Source::Slot(slot) = output {
                workspace.adjoints[*slot] += seed;
            }
        }
        for instruction in self.instructions.iter().rev() {
            self.back(instruction, workspace);
        }
    }

    /// An output's value.
    pub(crate) fn output(&self, at: usize, workspace: &Workspace) -> f64 {
        match self.outputs[at] {
            Source::Constant(x) => x,
            Source::Slot(slot) => workspace.values[slot],
        }
    }

    /// The first condition that does not hold: its variable and place.
    pub(crate) fn broken(&self, workspace: &mut Workspace) -> Option<(&str, u32)> {
        let Workspace { values, buffers, .. } = workspace;
        let broken = self.checks.iter().find(|check| {
            let numbers = fetch_slice(&check.numbers, values, check.numbers.len, &mut buffers[0]);
            !check.what.holds(numbers)
        })?;
        Some((broken.name.as_str(), broken.place))
    }

    /// The place of the first number that is none.
    pub(crate) fn first_nan(&self, workspace: &Workspace) -> Option<u32> {
        let nan = |one: &&Instruction| {
            let n = if one.fused { 1 } else { one.lanes * one.n_out };
            workspace.values[one.out..one.out + n].iter().any(|x| x.is_nan())
        };
        self.instructions.iter().find(nan).map(|one| one.place)
    }

    fn step(&self, one: &Instruction, workspace: &mut Workspace) {
        let Workspace { values, partials, buffers, .. } = workspace;
        let (before, after) = values.split_at_mut(one.out);
        let [first, second, _] = buffers;
        let n = one.lanes;
        match one.op {
            Op::Un(un) => {
                let out = &mut after[..n];
                let x = fetch_slice(&one.operands[0], before, n, first);
                if un == Un::Exp {
                    out.copy_from_slice(x);
                    posterior_math::elementwise::exp(out);
                } else {
                    out.iter_mut().zip(x).for_each(|(out, x)| *out = un.value(*x));
                }
            }
            Op::Bin(bin) => {
                let out = &mut after[..n];
                let a = fetch(&one.operands[0], before, n, first);
                let b = fetch(&one.operands[1], before, n, second);
                match bin {
                    Bin::Add => lanewise!(out, a, b, |x, y| x + y),
                    Bin::Sub => lanewise!(out, a, b, |x, y| x - y),
                    Bin::Mul => lanewise!(out, a, b, |x, y| x * y),
                    Bin::Div => lanewise!(out, a, b, |x, y| x / y),
                    _ => lanewise!(out, a, b, |x, y| bin.value(x, y)),
                }
            }
            Op::Density(density) => densities(one, density, before, after, partials, first),
            Op::Sum => {
                let len = one.operands[0].len;
                if let Place::Gather(slots) = &one.operands[0].place {
                    for (out, slots) in after[..n].iter_mut().zip(slots.chunks_exact(len)) {
                        *out = slots.iter().map(|slot| before[*slot as usize]).sum();
                    }
                } else {
                    let x = fetch_slice(&one.operands[0], before, n * len, first);
                    after[..n].iter_mut().zip(x.chunks_exact(len)).for_each(|(o, x)| *o = sum(x));
                }
            }
            Op::Dot => {
                let len = one.operands[0].len;
                let a = fetch_slice(&one.operands[0], before, n * len, first);
                let b = fetch_slice(&one.operands[1], before, n * len, second);
                let pairs = a.chunks_exact(len).zip(b.chunks_exact(len));
                after[..n].iter_mut().zip(pairs).for_each(|(o, (a, b))| *o = matrix::dot(a, b));
            }
            Op::MatMul(m, k, cols) => {
                let (m, k, cols) = (m as usize, k as usize, cols as usize);
                let a = fetch_slice(&one.operands[0], before, m * k, first);
                let b = fetch_slice(&one.operands[1], before, k * cols, second);
                matrix::multiply(a, b, m, k, cols, &mut after[..m * cols]);
            }
            _ => {
                let arity: usize = one.operands.iter().map(|operand| operand.len).sum();
                for lane in 0..n {
                    collect(one, lane, before, first);
                    let out = &mut after[lane * one.n_out..(lane + 1) * one.n_out];
                    if let Op::System(at) = one.op {
                        self.systems[at as usize].forward(&first[..arity], out);
                    } else {
                        one.op.forward(&first[..arity], out);
                    }
                }
            }
        }
    }

    fn back(&self, one: &Instruction, workspace: &mut Workspace) {
        let Workspace { values, adjoints, partials, buffers } = workspace;
        let (left, right) = adjoints.split_at_mut(one.out);
        let (before, after) = values.split_at(one.out);
        let [first, second, third] = buffers;
        let n = one.lanes;
        match one.op {
            Op::Un(un) => {
                let x = fetch_slice(&one.operands[0], before, n, first);
                scatter(&one.operands[0], left, n, |i| right[i] * un.slope(x[i], after[i]));
            }
            Op::Bin(bin) => {
                let a = fetch(&one.operands[0], before, n, first);
                let b = fetch(&one.operands[1], before, n, second);
                binary_back(one, bin, (a, b), after, left, right);
            }
            Op::Density(_) => {
                density_back(one, partials, left, right);
            }
            Op::Sum => {
                let len = one.operands[0].len;
                if n == 1 {
                    let g = right[0];
                    scatter(&one.operands[0], left, len, |_| g);
                } else {
                    scatter(&one.operands[0], left, n * len, |i| right[i / len]);
                }
            }
            Op::Dot => {
                let len = one.operands[0].len;
                let a = fetch_slice(&one.operands[0], before, n * len, first);
                let b = fetch_slice(&one.operands[1], before, n * len, second);
                for (operand, factor) in [(&one.operands[0], b), (&one.operands[1], a)] {
                    if operand.grad && n == 1 {
                        let g = right[0];
                        scatter(operand, left, len, |i| g * factor[i]);
                    } else if operand.grad {
                        scatter(operand, left, n * len, |i| right[i / len] * factor[i]);
                    }
                }
            }
            Op::MatMul(m, k, cols) => {
                let size = (m as usize, k as usize, cols as usize);
                let (of_a, of_b) = (size.0 * size.1, size.1 * size.2);
                let dy = &right[..size.0 * size.2];
                if one.operands[0].grad {
                    let b = fetch_slice(&one.operands[1], before, of_b, second);
                    third[..of_a].fill(0.0);
                    matrix::multiply_left_adjoint(b, dy, size, &mut third[..of_a]);
                    scatter(&one.operands[0], left, of_a, |i| third[i]);
                }
                if one.operands[1].grad {
                    let a = fetch_slice(&one.operands[0], before, of_a, first);
                    third[..of_b].fill(0.0);
                    matrix::multiply_right_adjoint(a, dy, size, &mut third[..of_b]);
                    scatter(&one.operands[1], left, of_b, |i| third[i]);
                }
            }
            _ => self.other_back(one, (before, after), (left, right), (first, third)),
        }
    }

    /// The adjoints of what has no loop of its own.
    fn other_back(
        &self,
        one: &Instruction,
        (before, after): (&[f64], &[f64]),
        (left, right): (&mut [f64], &[f64]),
        (first, third): (&mut [f64], &mut [f64]),
    ) {
        let arity: usize = one.operands.iter().map(|operand| operand.len).sum();
        for lane in 0..one.lanes {
            collect(one, lane, before, first);
            third[..arity].fill(0.0);
            let range = lane * one.n_out..(lane + 1) * one.n_out;
            let (x, dx) = (&first[..arity], &mut third[..arity]);
            if let Op::System(at) = one.op {
                self.systems[at as usize].backward(x, &right[range], dx);
            } else {
                one.op.backward(x, &after[range.clone()], &right[range], dx);
            }
            let mut at = 0;
            for operand in &one.operands {
                for i in 0..operand.len {
                    if operand.grad {
                        left[operand.slot(lane * operand.len + i) as usize] += third[at];
                    }
                    at += 1;
                }
            }
        }
    }
}

/// The adjoints of an operation on two operands.
fn binary_back(
    one: &Instruction,
    bin: Bin,
    (a, b): (Lanes<'_>, Lanes<'_>),
    after: &[f64],
    left: &mut [f64],
    right: &[f64],
) {
    let (one_side, other) = (&one.operands[0], &one.operands[1]);
    let n = one.lanes;
    if one_side.grad {
        match bin {
            Bin::Add | Bin::Sub => scatter(one_side, left, n, |i| right[i]),
            Bin::Mul => scatter(one_side, left, n, |i| right[i] * b.at(i)),
            Bin::Div => scatter(one_side, left, n, |i| right[i] / b.at(i)),
            _ => scatter(one_side, left, n, |i| right[i] * bin.slopes(a.at(i), b.at(i), after[i]).0),
        }
    }
    if other.grad {
        match bin {
            Bin::Add => scatter(other, left, n, |i| right[i]),
            Bin::Sub => scatter(other, left, n, |i| -right[i]),
            Bin::Mul => scatter(other, left, n, |i| right[i] * a.at(i)),
            _ => scatter(other, left, n, |i| right[i] * bin.slopes(a.at(i), b.at(i), after[i]).1),
        }
    }
}

/// The adjoints of the arguments of a density.
fn density_back(one: &Instruction, partials: &[f64], left: &mut [f64], right: &[f64]) {
    for operand in one.operands.iter().filter(|operand| operand.grad) {
        let of = &partials[operand.partials..];
        match operand.place {
            Place::Splat(slot) if one.fused => left[slot as usize] += right[0] * of[0],
            _ if one.fused => scatter(operand, left, one.lanes, |i| right[0] * of[i]),
            _ => scatter(operand, left, one.lanes, |i| right[i] * of[i]),
        }
    }
}

fn sum(x: &[f64]) -> f64 {
    let chunks = x.chunks_exact(4);
    let rest: f64 = chunks.remainder().iter().sum();
    let mut sums = [0.0; 4];
    for four in chunks {
        for i in 0..4 {
            sums[i] += four[i];
        }
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
}

/// The inputs of one lane behind one another.
fn collect(one: &Instruction, lane: usize, values: &[f64], buffer: &mut [f64]) {
    let mut at = 0;
    for operand in &one.operands {
        for i in 0..operand.len {
            buffer[at] = values[operand.slot(lane * operand.len + i) as usize];
            at += 1;
        }
    }
}
