//! The passes over the graph.

use super::{Graph, Instruction, Operand, Place, Source, Workspace};
use crate::density::Density;
use crate::matrix;
use crate::op::{Bin, Op, Un};
use crate::trace::Bound;

/// The numbers of an operand.
#[derive(Clone, Copy)]
enum Lanes<'a> {
    Splat(f64),
    Slice(&'a [f64]),
}

impl Lanes<'_> {
    #[inline]
    fn at(self, i: usize) -> f64 {
        match self {
            Self::Splat(x) => x,
            Self::Slice(all) => all[i],
        }
    }
}

/// The numbers of an operand; those that are apart are copied to the buffer.
#[inline]
fn fetch<'a>(operand: &Operand, values: &'a [f64], count: usize, buffer: &'a mut [f64]) -> Lanes<'a> {
    match &operand.place {
        Place::Splat(slot) => Lanes::Splat(values[*slot as usize]),
        Place::Range(start) => Lanes::Slice(&values[*start as usize..*start as usize + count]),
        Place::Gather(slots) => {
            let buffer = &mut buffer[..slots.len()];
            buffer.iter_mut().zip(slots).for_each(|(b, slot)| *b = values[*slot as usize]);
            Lanes::Slice(buffer)
        }
    }
}

/// As [`fetch`], with one number repeated.
fn fetch_slice<'a>(operand: &Operand, values: &'a [f64], count: usize, buffer: &'a mut [f64]) -> &'a [f64] {
    if let Place::Splat(slot) = operand.place {
        buffer[..count].fill(values[slot as usize]);
        return &buffer[..count];
    }
    match fetch(operand, values, count, buffer) {
        Lanes::Slice(slice) => slice,
        Lanes::Splat(_) => &[],
    }
}

/// Adds to the adjoints of an operand.
#[inline]
fn scatter(operand: &Operand, adjoints: &mut [f64], count: usize, mut of: impl FnMut(usize) -> f64) {
    match &operand.place {
        Place::Splat(slot) => {
            let sum: f64 = (0..count).map(of).sum();
            adjoints[*slot as usize] += sum;
        }
        Place::Range(start) => {
            let to = &mut adjoints[*start as usize..*start as usize + count];
            to.iter_mut().enumerate().for_each(|(i, to)| *to += of(i));
        }
        Place::Gather(slots) => {
            for (i, slot) in slots.iter().enumerate() {
                adjoints[*slot as usize] += of(i);
            }
        }
    }
}

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
            Op::Sum => match &one.operands[0].place {
                Place::Gather(slots) => {
                    for (out, slots) in after[..n].iter_mut().zip(slots.chunks_exact(one.operands[0].len)) {
                        *out = slots.iter().map(|slot| before[*slot as usize]).sum();
                    }
                }
                _ => {
                    let len = one.operands[0].len;
                    let x = fetch_slice(&one.operands[0], before, n * len, first);
                    after[..n].iter_mut().zip(x.chunks_exact(len)).for_each(|(o, x)| *o = sum(x));
                }
            },
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
                    if let Op::Ode(at) = one.op {
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
                let (one_side, other) = (&one.operands[0], &one.operands[1]);
                match bin {
                    Bin::Add | Bin::Sub => {
                        if one_side.grad {
                            scatter(one_side, left, n, |i| right[i]);
                        }
                        if other.grad {
                            let sign = if bin == Bin::Add { 1.0 } else { -1.0 };
                            scatter(other, left, n, |i| sign * right[i]);
                        }
                        return;
                    }
                    _ => {}
                }
                let a = fetch(one_side, before, n, first);
                let b = fetch(other, before, n, second);
                if one_side.grad {
                    match bin {
                        Bin::Mul => scatter(one_side, left, n, |i| right[i] * b.at(i)),
                        Bin::Div => scatter(one_side, left, n, |i| right[i] / b.at(i)),
                        _ => scatter(one_side, left, n, |i| {
                            right[i] * bin.slopes(a.at(i), b.at(i), after[i]).0
                        }),
                    }
                }
                if other.grad {
                    match bin {
                        Bin::Mul => scatter(other, left, n, |i| right[i] * a.at(i)),
                        _ => scatter(other, left, n, |i| {
                            right[i] * bin.slopes(a.at(i), b.at(i), after[i]).1
                        }),
                    }
                }
            }
            Op::Density(_) => {
                for operand in one.operands.iter().filter(|operand| operand.grad) {
                    let of = &partials[operand.partials..];
                    if one.fused {
                        let g = right[0];
                        if let Place::Splat(slot) = operand.place {
                            left[slot as usize] += g * of[0];
                        } else {
                            scatter(operand, left, n, |i| g * of[i]);
                        }
                    } else {
                        scatter(operand, left, n, |i| right[i] * of[i]);
                    }
                }
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
            _ => {
                let arity: usize = one.operands.iter().map(|operand| operand.len).sum();
                for lane in 0..n {
                    collect(one, lane, before, first);
                    third[..arity].fill(0.0);
                    let range = lane * one.n_out..(lane + 1) * one.n_out;
                    let (x, dx) = (&first[..arity], &mut third[..arity]);
                    if let Op::Ode(at) = one.op {
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

/// Values of a density in all lanes, and its partial derivatives.
fn densities(
    one: &Instruction,
    density: Density,
    before: &[f64],
    after: &mut [f64],
    partials: &mut [f64],
    buffer: &mut [f64],
) {
    let n = one.lanes;
    let count = one.operands.len();
    let mut lanes = [Lanes::Splat(0.0); 8];
    let mut rest = buffer;
    for (lanes, operand) in lanes.iter_mut().zip(&one.operands) {
        let (own, others) = rest.split_at_mut(n);
        *lanes = fetch(operand, before, n, own);
        rest = others;
    }
    if one.fused
        && density == Density::Normal
        && let Lanes::Splat(s) = lanes[2]
    {
        after[0] = normal(one, lanes[0], lanes[1], s, partials);
        return;
    }
    if one.fused
        && density == Density::BernoulliLogit
        && let (Lanes::Slice(y), Lanes::Slice(eta), Place::Range(_) | Place::Gather(_)) =
            (lanes[0], lanes[1], &one.operands[1].place)
    {
        let at = one.operands[1].partials;
        after[0] = bernoulli_logit(y, eta, &mut partials[at..at + n]);
        return;
    }
    if one.fused {
        for operand in one.operands.iter().filter(|operand| operand.grad) {
            if matches!(operand.place, Place::Splat(_)) {
                partials[operand.partials] = 0.0;
            }
        }
    }
    let mut x = [0.0; 8];
    let mut total = 0.0;
    for lane in 0..n {
        for (x, lanes) in x[..count].iter_mut().zip(&lanes) {
            *x = lanes.at(lane);
        }
        let mut d = [0.0; 8];
        let value = density.value(&x[..count], &mut d);
        if !one.fused {
            after[lane] = value;
        }
        total += value;
        for (operand, d) in one.operands.iter().zip(d) {
            if operand.grad {
                if one.fused && matches!(operand.place, Place::Splat(_)) {
                    partials[operand.partials] += d;
                } else {
                    partials[operand.partials + lane] = d;
                }
            }
        }
    }
    if one.fused {
        after[0] = total;
    }
}

/// The sum of Bernoulli densities with log odds, and the derivatives by them.
fn bernoulli_logit(y: &[f64], eta: &[f64], slopes: &mut [f64]) -> f64 {
    slopes.iter_mut().zip(eta).for_each(|(s, eta)| *s = -eta.abs());
    posterior_math::elementwise::exp(slopes);
    let mut total = 0.0;
    let mut product = 1.0;
    for ((slope, &eta), &y) in slopes.iter_mut().zip(eta).zip(y) {
        if !(y == 0.0 || y == 1.0) {
            return f64::NAN;
        }
        let small = *slope;
        let sign = 2.0 * y - 1.0;
        let signed = sign * eta;
        let tail = if signed >= 0.0 { small } else { 1.0 } / (1.0 + small);
        *slope = sign * tail;
        total += signed.min(0.0);
        // ln(1 + e^-|x|) of several at once; of tiny ones, where the product would lose them, alone.
        if small < 1e-3 {
            total -= small.ln_1p();
        } else {
            product *= 1.0 + small;
            if product > 1e280 {
                total -= product.ln();
                product = 1.0;
            }
        }
    }
    total - product.ln()
}

/// The sum of normal densities with one standard deviation.
fn normal(one: &Instruction, y: Lanes<'_>, mu: Lanes<'_>, s: f64, partials: &mut [f64]) -> f64 {
    if !(s > 0.0) {
        return f64::NAN;
    }
    let n = one.lanes;
    let scale = 1.0 / s;
    let mut squares = 0.0;
    let (of_y, of_mu, of_s) = (&one.operands[0], &one.operands[1], &one.operands[2]);
    let slope = |i: usize| (mu.at(i) - y.at(i)) * scale * scale;
    for lane in 0..n {
        let z = (y.at(lane) - mu.at(lane)) * scale;
        squares += z * z;
    }
    for (operand, sign) in [(of_y, 1.0), (of_mu, -1.0)] {
        if operand.grad {
            if let Place::Splat(_) = operand.place {
                partials[operand.partials] = sign * (0..n).map(slope).sum::<f64>();
            } else {
                let to = &mut partials[operand.partials..operand.partials + n];
                to.iter_mut().enumerate().for_each(|(i, to)| *to = sign * slope(i));
            }
        }
    }
    if of_s.grad {
        partials[of_s.partials] = (squares - n as f64) * scale;
    }
    -0.5 * squares - n as f64 * (s.ln() + posterior_math::special::HALF_LN_TAU)
}

impl Bound {
    /// Whether the numbers fulfil it, up to 1e-8 where numbers must add up.
    pub(crate) fn holds(self, x: &[f64]) -> bool {
        const SLACK: f64 = 1e-8;
        let near = |a: f64, b: f64| (a - b).abs() <= SLACK;
        let rows_are_units = |n: usize| {
            (0..n).all(|i| near((0..n).map(|j| x[i + j * n] * x[i + j * n]).sum::<f64>(), 1.0))
        };
        let lower = |n: usize, m: usize| {
            (0..m).all(|j| (0..j.min(n)).all(|i| x[i + j * n] == 0.0) && (j >= n || x[j + j * n] > 0.0))
        };
        let symmetric = |n: usize| (0..n).all(|i| (0..i).all(|j| near(x[i + j * n], x[j + i * n])));
        let factor = |n: usize| {
            let mut l = vec![0.0; n * n];
            matrix::forward(Op::Cholesky(n as u32), x, &mut l);
            !l.iter().any(|x| x.is_nan())
        };
        match self {
            Self::AtLeast => x[..x.len() / 2].iter().zip(&x[x.len() / 2..]).all(|(x, low)| x >= low),
            Self::AtMost => x[..x.len() / 2].iter().zip(&x[x.len() / 2..]).all(|(x, high)| x <= high),
            Self::Ordered => x.windows(2).all(|two| two[0] < two[1]),
            Self::PositiveOrdered => x.first().is_none_or(|x| *x >= 0.0) && x.windows(2).all(|two| two[0] < two[1]),
            Self::Simplex => x.iter().all(|x| *x >= 0.0) && near(x.iter().sum(), 1.0),
            Self::UnitVector => near(x.iter().map(|x| x * x).sum(), 1.0),
            Self::SumToZero => near(x.iter().sum(), 0.0),
            Self::CholeskyCorr(n) => lower(n, n) && rows_are_units(n),
            Self::CholeskyCov(n, m) => lower(n, m),
            Self::Corr(n) => symmetric(n) && (0..n).all(|i| near(x[i + i * n], 1.0)) && factor(n),
            Self::Cov(n) => symmetric(n) && factor(n),
        }
    }
}
