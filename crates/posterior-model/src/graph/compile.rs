//! From the record to the graph.

use std::collections::BTreeMap;

use super::{Graph, GraphCheck, Instruction, Operand, Place, Source};
use crate::op::Op;
use crate::trace::{Decision, Node, Trace};
use crate::value::Num;

/// Numbers of an operand before the places are known.
struct Draft {
    numbers: Vec<Num>,
    len: usize,
}

struct Compiler {
    dim: usize,
    constants: Vec<f64>,
    /// Constants that stand alone, by their bits; blocks by their first and last bits and length.
    single: BTreeMap<u64, u32>,
    blocks: BTreeMap<(u64, usize), Vec<u32>>,
    slot_of: Vec<u32>,
}

/// Orders the nodes that the outputs, the checks and the decisions need.
///
/// Densities that are only summed into the first output are summed where they are computed.
pub(crate) fn compile(trace: &Trace, dim: usize, outputs: &[Num]) -> Graph {
    let mut node_of = vec![u32::MAX; trace.values.len()];
    for (at, node) in trace.nodes.iter().enumerate() {
        node_of[node.out as usize..(node.out + node.n_out) as usize].fill(at as u32);
    }
    let (needed, uses) = reach(trace, outputs, &node_of);
    let root = match outputs.first() {
        Some(Num::N(wire)) if node_of[*wire as usize] != u32::MAX => {
            let at = node_of[*wire as usize];
            (trace.nodes[at as usize].op == Op::Sum && uses[*wire as usize] == 1).then_some(at)
        }
        _ => None,
    };
    let mut fused = vec![false; trace.nodes.len()];
    if let Some(root) = root {
        for x in inputs(trace, &trace.nodes[root as usize]) {
            if let Num::N(wire) = *x {
                let at = node_of[wire as usize];
                if at != u32::MAX && uses[wire as usize] == 1 {
                    fused[at as usize] = matches!(trace.nodes[at as usize].op, Op::Density(_));
                }
            }
        }
    }
    let mut order: Vec<u32> = (0..trace.nodes.len() as u32).filter(|&at| needed[at as usize]).collect();
    let key = |at: u32| {
        let node = &trace.nodes[at as usize];
        let level = if Some(at) == root {
            u32::MAX
        } else if fused[at as usize] {
            u32::MAX - 1
        } else {
            node.level
        };
        (level, node.op, node.inputs.1 - node.inputs.0, node.place)
    };
    order.sort_by_cached_key(|&at| (key(at), at));
    let mut groups: Vec<&[u32]> = vec![];
    let mut rest = order.as_slice();
    while let Some(&first) = rest.first() {
        let many = trace.nodes[first as usize].op.batches();
        let end = if many { rest.iter().take_while(|&&at| key(at) == key(first)).count() } else { 1 };
        let (group, after) = rest.split_at(end);
        groups.push(group);
        rest = after;
    }
    build(trace, dim, outputs, &groups, &fused, root)
}

fn inputs<'a>(trace: &'a Trace, node: &Node) -> &'a [Num] {
    &trace.inputs[node.inputs.0 as usize..node.inputs.1 as usize]
}

/// Which nodes are needed, and how often each wire is used.
fn reach(trace: &Trace, outputs: &[Num], node_of: &[u32]) -> (Vec<bool>, Vec<u32>) {
    let mut needed = vec![false; trace.nodes.len()];
    let mut uses = vec![0; trace.values.len()];
    let checked = trace.checks.iter().flat_map(|check| &check.numbers);
    let decided = trace.decisions.iter().flat_map(|decision| &decision.numbers);
    for x in outputs.iter().chain(checked).chain(decided) {
        if let Num::N(wire) = *x {
            uses[wire as usize] += 1;
            if node_of[wire as usize] != u32::MAX {
                needed[node_of[wire as usize] as usize] = true;
            }
        }
    }
    for at in (0..trace.nodes.len()).rev() {
        if needed[at] {
            for x in inputs(trace, &trace.nodes[at]) {
                if let Num::N(wire) = *x {
                    uses[wire as usize] += 1;
                    if node_of[wire as usize] != u32::MAX {
                        needed[node_of[wire as usize] as usize] = true;
                    }
                }
            }
        }
    }
    (needed, uses)
}

fn build(
    trace: &Trace,
    dim: usize,
    outputs: &[Num],
    groups: &[&[u32]],
    fused: &[bool],
    root: Option<u32>,
) -> Graph {
    let mut compiler = Compiler {
        dim,
        constants: vec![],
        single: BTreeMap::new(),
        blocks: BTreeMap::new(),
        slot_of: vec![u32::MAX; trace.values.len()],
    };
    // Outputs first: where each is, counted from the end of the constants.
    let mut next = 0;
    let mut outs = vec![];
    let mut sums = vec![];
    for group in groups {
        outs.push(next);
        if fused[group[0] as usize] {
            sums.push(next);
            next += 1;
            continue;
        }
        for &at in *group {
            let node = &trace.nodes[at as usize];
            for j in 0..node.n_out {
                compiler.slot_of[(node.out + j) as usize] = next as u32;
                next += 1;
            }
        }
    }
    let drafts: Vec<Vec<Draft>> =
        groups.iter().map(|group| compiler.draft(trace, group, Some(group[0]) == root)).collect();
    for draft in drafts.iter().flatten() {
        compiler.intern(&draft.numbers);
    }
    for check in &trace.checks {
        compiler.intern(&check.numbers);
    }
    for decision in &trace.decisions {
        compiler.intern(&decision.numbers);
    }
    let base = dim + compiler.constants.len();
    let mut graph = Graph {
        dim,
        constants: vec![],
        instructions: vec![],
        checks: vec![],
        decisions: vec![],
        once: trace.once,
        outputs: vec![],
        slots: base + next,
        partials: 0,
        buffer: 0,
        systems: trace.systems.clone(),
    };
    for ((group, parts), out) in groups.iter().zip(drafts).zip(outs) {
        let node = &trace.nodes[group[0] as usize];
        let mut operands: Vec<Operand> =
            parts.into_iter().map(|part| compiler.operand(&part.numbers, part.len, base)).collect();
        if Some(group[0]) == root {
            let more: Vec<u32> = sums.iter().map(|sum| (base + sum) as u32).collect();
            let own = &operands[0];
            let mut all: Vec<u32> = (0..own.len).map(|i| own.slot(i)).collect();
            all.extend(more);
            let len = all.len();
            operands[0] = Operand { place: Place::Gather(all.into()), len, grad: true, partials: 0 };
        }
        let is_fused = fused[group[0] as usize];
        let lanes = group.len();
        if matches!(node.op, Op::Density(_)) {
            for operand in operands.iter_mut().filter(|operand| operand.grad) {
                operand.partials = graph.partials;
                graph.partials +=
                    if is_fused && matches!(operand.place, Place::Splat(_)) { 1 } else { lanes };
            }
        }
        let numbers = operands.iter().map(|operand| operand.len).sum::<usize>() * lanes;
        graph.buffer = graph.buffer.max(numbers).max(lanes * node.n_out as usize);
        graph.instructions.push(Instruction {
            op: node.op,
            lanes,
            n_out: node.n_out as usize,
            out: base + out,
            operands,
            fused: is_fused,
            place: node.place,
        });
    }
    compiler.finish(trace, outputs, base, &mut graph);
    graph
}

fn content(numbers: &[Num]) -> u64 {
    use std::hash::Hasher;
    let mut hasher = crate::trace::Multiply::default();
    for x in numbers {
        if let Num::C(x) = x {
            hasher.write_u64(x.to_bits());
        }
    }
    hasher.finish()
}

impl Compiler {
    /// Numbers of the operands of a group; of the last sum those that are not summed elsewhere.
    fn draft(&self, trace: &Trace, group: &[u32], is_root: bool) -> Vec<Draft> {
        let first = &trace.nodes[group[0] as usize];
        let lens = first.op.parts(inputs(trace, first).len());
        let mut parts: Vec<Draft> = lens.iter().map(|&len| Draft { numbers: vec![], len }).collect();
        for &at in group {
            let mut from = inputs(trace, &trace.nodes[at as usize]);
            for part in &mut parts {
                let (these, others) = from.split_at(part.len);
                part.numbers.extend_from_slice(these);
                from = others;
            }
        }
        if is_root {
            let elsewhere = |x: &Num| match *x {
                Num::N(wire) => wire as usize >= self.dim && self.slot_of[wire as usize] == u32::MAX,
                Num::C(_) => false,
            };
            parts[0].numbers.retain(|x| !elsewhere(x));
            parts[0].len = parts[0].numbers.len();
        }
        parts
    }

    /// Checks, decisions, outputs and constants.
    fn finish(&mut self, trace: &Trace, outputs: &[Num], base: usize, graph: &mut Graph) {
        for check in &trace.checks {
            let numbers = self.operand(&check.numbers, check.numbers.len(), base);
            graph.buffer = graph.buffer.max(numbers.len);
            graph.checks.push(GraphCheck {
                what: check.what,
                numbers,
                place: check.place,
                name: check.name.clone(),
            });
        }
        let decision = |one: &Decision| (one.numbers.map(|x| self.slot(x, base)), one.outcome);
        graph.decisions = trace.decisions.iter().map(decision).collect();
        graph.outputs = outputs
            .iter()
            .map(|x| match *x {
                Num::C(x) => Source::Constant(x),
                Num::N(wire) => Source::Slot(self.slot(Num::N(wire), base) as usize),
            })
            .collect();
        graph.constants = std::mem::take(&mut self.constants);
    }

    /// Gives constants their places: together if there are no others, else each alone.
    fn intern(&mut self, numbers: &[Num]) {
        let known = numbers.iter().filter(|x| matches!(x, Num::C(_))).count();
        if known == 0 {
            return;
        }
        let bits = |x: &Num| if let Num::C(x) = x { x.to_bits() } else { 0 };
        let same = numbers.iter().all(|x| bits(x) == bits(&numbers[0]));
        if known == numbers.len() && numbers.len() > 1 && !same {
            if self.block(numbers).is_none() {
                let start = self.constants.len() as u32;
                self.constants.extend(numbers.iter().map(|x| if let Num::C(x) = x { *x } else { 0.0 }));
                self.blocks.entry((content(numbers), numbers.len())).or_default().push(start);
            }
            return;
        }
        for x in numbers {
            if let Num::C(x) = *x {
                let constants = &mut self.constants;
                self.single.entry(x.to_bits()).or_insert_with(|| {
                    constants.push(x);
                    constants.len() as u32 - 1
                });
            }
        }
    }

    /// Where these constants begin, if they have a place together.
    fn block(&self, numbers: &[Num]) -> Option<u32> {
        let starts = self.blocks.get(&(content(numbers), numbers.len()))?;
        starts.iter().copied().find(|&start| {
            let held = &self.constants[start as usize..start as usize + numbers.len()];
            held.iter().zip(numbers).all(|(h, x)| matches!(x, Num::C(x) if x.to_bits() == h.to_bits()))
        })
    }

    fn slot(&self, x: Num, base: usize) -> u32 {
        match x {
            Num::C(x) => self.dim as u32 + self.single.get(&x.to_bits()).copied().unwrap_or(0),
            Num::N(wire) if (wire as usize) < self.dim => wire,
            Num::N(wire) => base as u32 + self.slot_of[wire as usize],
        }
    }

    fn operand(&self, numbers: &[Num], len: usize, base: usize) -> Operand {
        let grad = numbers.iter().any(|x| matches!(x, Num::N(_)));
        if !grad
            && numbers.len() > 1
            && let Some(start) = self.block(numbers)
        {
            return Operand { place: Place::Range(self.dim as u32 + start), len, grad, partials: 0 };
        }
        let slots: Vec<u32> = numbers.iter().map(|x| self.slot(*x, base)).collect();
        let first = slots.first().copied().unwrap_or(0);
        let place = if slots.iter().all(|&slot| slot == first) {
            Place::Splat(first)
        } else if slots.iter().enumerate().all(|(i, &slot)| slot == first + i as u32) {
            Place::Range(first)
        } else {
            Place::Gather(slots.into())
        };
        Operand { place, len, grad, partials: 0 }
    }
}

impl Operand {
    /// The place of a number.
    pub(super) fn slot(&self, i: usize) -> u32 {
        match &self.place {
            Place::Splat(slot) => *slot,
            Place::Range(start) => start + i as u32,
            Place::Gather(slots) => slots[i],
        }
    }
}
