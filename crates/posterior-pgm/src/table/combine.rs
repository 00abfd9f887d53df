//! Quotients, marginals and parts of tables, by walking strides.

use posterior_graph::VarId;

use super::Table;
use super::layout::{cells, for_each_run, strides_in};
use crate::{Error, Semiring};

/// `op` at each joint state of both scopes: the left one's variables, then those that only the right one has.
pub(super) fn combine<V: Copy>(
    left: &Table<V>,
    right: &Table<V>,
    op: impl Fn(V, V) -> V,
) -> Result<Table<V>, Error> {
    let (mut scope, mut cards) = (left.scope.clone(), left.cards.clone());
    for (&v, &card) in right.scope.iter().zip(&right.cards) {
        match left.axis(v) {
            Some(axis) if left.cards[axis] != card => {
                let reason = format!("{v:?} has {} and {card} states", left.cards[axis]);
                return Err(Error::Shape { scope: format!("{:?}", left.scope), reason });
            }
            Some(_) => {}
            None => {
                scope.push(v);
                cards.push(card);
            }
        }
    }
    let cells = cells(&cards).ok_or(Error::TooLarge { variables: scope.len() })?;
    let a = strides_in(&scope, &left.scope, &left.cards);
    let b = strides_in(&scope, &right.scope, &right.cards);
    let mut values = Vec::with_capacity(cells);
    for_each_run(&cards, [&a, &b], |[i, j], len, [step_a, step_b]| {
        let (a, b) = (&left.values[i..], &right.values[j..]);
        match (step_a, step_b) {
            (1, 1) => values.extend(a[..len].iter().zip(&b[..len]).map(|(&a, &b)| op(a, b))),
            (1, 0) => values.extend(a[..len].iter().map(|&a| op(a, b[0]))),
            (0, 1) => values.extend(b[..len].iter().map(|&b| op(a[0], b))),
            _ => values.extend((0..len).map(|k| op(a[k * step_a], b[k * step_b]))),
        }
    });
    Ok(Table { scope, cards, values })
}

/// The table over `keep`, with ⊕ over the rest.
pub(super) fn project<S: Semiring>(
    table: &Table<S::Value>,
    keep: &[VarId],
) -> Result<Table<S::Value>, Error> {
    let mut cards = Vec::with_capacity(keep.len());
    for (place, &v) in keep.iter().enumerate() {
        let axis = table.axis(v).filter(|_| !keep[..place].contains(&v));
        let axis = axis.ok_or_else(|| Error::Shape {
            scope: format!("{:?}", table.scope),
            reason: format!("{v:?} is not in the scope, or is kept twice"),
        })?;
        cards.push(table.cards[axis]);
    }
    let len = cells(&cards).ok_or(Error::TooLarge { variables: keep.len() })?;
    let values = if S::SUMS_TOGETHER {
        sum_together::<S>(table, keep, &cards)
    } else {
        let mut values = vec![S::ZERO; len];
        let own = strides_in(&table.scope, keep, &cards);
        let mut rest = table.values.as_slice();
        for_each_run(&table.cards, [&own], |[i], len, [step]| {
            let (run, after) = rest.split_at(len);
            rest = after;
            match step {
                0 => values[i] = S::add(values[i], S::sum(run)),
                1 => values[i..].iter_mut().zip(run).for_each(|(a, &b)| *a = S::add(*a, b)),
                step => {
                    let cells = values[i..].iter_mut().step_by(step);
                    cells.zip(run).for_each(|(a, &b)| *a = S::add(*a, b));
                }
            }
        });
        values
    };
    Ok(Table { scope: keep.to_vec(), cards, values })
}

/// One result after another: all that is added to it is put side by side first.
fn sum_together<S: Semiring>(table: &Table<S::Value>, keep: &[VarId], cards: &[usize]) -> Vec<S::Value> {
    let strides = strides_in(&table.scope, &table.scope, &table.cards);
    let axis = |v: &VarId| table.axis(*v).expect("invariant: what is kept is in the scope");
    let kept: Vec<usize> = keep.iter().map(|v| strides[axis(v)]).collect();
    let others: Vec<usize> = (0..strides.len()).filter(|&i| !keep.contains(&table.scope[i])).collect();
    let other_cards: Vec<usize> = others.iter().map(|&i| table.cards[i]).collect();
    let other_strides: Vec<usize> = others.iter().map(|&i| strides[i]).collect();
    let mut block = Vec::with_capacity(other_cards.iter().product());
    let mut values = Vec::with_capacity(cards.iter().product());
    for_each_run(cards, [&kept], |[start], len, [step]| {
        for k in 0..len {
            block.clear();
            for_each_run(&other_cards, [&other_strides], |[i], len, [inner]| {
                let from = &table.values[start + k * step + i..];
                block.extend((0..len).map(|j| from[j * inner]));
            });
            values.push(S::sum(&block));
        }
    });
    values
}

/// The largest value over the states of one variable, and the first state that has it.
pub(super) fn best<V: Copy + PartialOrd>(table: &Table<V>, axis: usize) -> (Table<V>, Vec<u32>) {
    let inner: usize = table.cards[axis + 1..].iter().product();
    let card = table.cards[axis];
    let mut values = Vec::with_capacity(table.values.len() / card);
    let mut states = Vec::with_capacity(values.capacity());
    for slab in table.values.chunks_exact(inner * card) {
        let from = values.len();
        values.extend_from_slice(&slab[..inner]);
        states.resize(from + inner, 0);
        for (state, row) in slab.chunks_exact(inner).enumerate().skip(1) {
            for ((best, chosen), &value) in values[from..].iter_mut().zip(&mut states[from..]).zip(row) {
                if value > *best {
                    *best = value;
                    *chosen = state as u32;
                }
            }
        }
    }
    let (mut scope, mut cards) = (table.scope.clone(), table.cards.clone());
    scope.remove(axis);
    cards.remove(axis);
    (Table { scope, cards, values }, states)
}

/// The part where each finding holds, without its variable.
pub(super) fn reduce<V: Copy>(table: &Table<V>, findings: &[(VarId, usize)]) -> Result<Table<V>, Error> {
    let own = strides_in(&table.scope, &table.scope, &table.cards);
    let mut start = 0;
    let mut free: Vec<usize> = Vec::new();
    for (axis, &v) in table.scope.iter().enumerate() {
        match findings.iter().find(|finding| finding.0 == v) {
            Some(&(_, state)) if state >= table.cards[axis] => {
                let reason = format!("state {state} of {}", table.cards[axis]);
                return Err(Error::Evidence { name: format!("{v:?}"), reason });
            }
            Some(&(_, state)) => start += own[axis] * state,
            None => free.push(axis),
        }
    }
    let scope = free.iter().map(|&axis| table.scope[axis]).collect();
    let cards: Vec<usize> = free.iter().map(|&axis| table.cards[axis]).collect();
    let strides: Vec<usize> = free.iter().map(|&axis| own[axis]).collect();
    Ok(Table { scope, values: gather(&table.values[start..], &cards, &strides), cards })
}

/// The same numbers with the variables in another order.
pub(super) fn reorder<V: Copy>(table: &Table<V>, order: &[VarId]) -> Result<Table<V>, Error> {
    let axes: Option<Vec<usize>> = order.iter().map(|&v| table.axis(v)).collect();
    let mut seen: Vec<VarId> = order.to_vec();
    seen.sort_unstable();
    seen.dedup();
    let axes = axes.filter(|axes| seen.len() == axes.len() && axes.len() == table.scope.len());
    let axes = axes.ok_or_else(|| Error::Shape {
        scope: format!("{:?}", table.scope),
        reason: format!("{order:?} is no order of these variables"),
    })?;
    let own = strides_in(&table.scope, &table.scope, &table.cards);
    let cards: Vec<usize> = axes.iter().map(|&axis| table.cards[axis]).collect();
    let strides: Vec<usize> = axes.iter().map(|&axis| own[axis]).collect();
    Ok(Table { scope: order.to_vec(), values: gather(&table.values, &cards, &strides), cards })
}

fn gather<V: Copy>(from: &[V], cards: &[usize], strides: &[usize]) -> Vec<V> {
    let mut values = Vec::with_capacity(cards.iter().product());
    for_each_run(cards, [strides], |[i], len, [step]| {
        let run = &from[i..];
        if step == 1 {
            values.extend_from_slice(&run[..len]);
        } else {
            values.extend((0..len).map(|k| run[k * step]));
        }
    });
    values
}
