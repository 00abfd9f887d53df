//! Products, marginals and parts of tables, by walking strides.

use posterior_graph::VarId;

use super::Table;
use super::layout::{cells, strides_in, walk};
use crate::Error;

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
    walk(&cards, &a, &b, |i, j| values.push(op(left.values[i], right.values[j])));
    Ok(Table { scope, cards, values })
}

/// The table over `keep`, with `add` over the rest.
pub(super) fn project<V: Copy>(
    table: &Table<V>,
    keep: &[VarId],
    zero: V,
    add: impl Fn(V, V) -> V,
) -> Result<Table<V>, Error> {
    let mut cards = Vec::with_capacity(keep.len());
    for (place, &v) in keep.iter().enumerate() {
        let axis = table.axis(v).filter(|_| !keep[..place].contains(&v));
        let axis = axis.ok_or_else(|| Error::Shape {
            scope: format!("{:?}", table.scope),
            reason: format!("{v:?} is not in the scope, or is kept twice"),
        })?;
        cards.push(table.cards[axis]);
    }
    let own = strides_in(&table.scope, keep, &cards);
    let none = vec![0; own.len()];
    let mut values = vec![zero; cells(&cards).ok_or(Error::TooLarge { variables: keep.len() })?];
    let mut place = 0;
    walk(&table.cards, &own, &none, |i, _| {
        values[i] = add(values[i], table.values[place]);
        place += 1;
    });
    Ok(Table { scope: keep.to_vec(), cards, values })
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
    let cards: Vec<usize> = free.iter().map(|&axis| table.cards[axis]).collect();
    let strides: Vec<usize> = free.iter().map(|&axis| own[axis]).collect();
    let none = vec![0; free.len()];
    let mut values = Vec::new();
    walk(&cards, &strides, &none, |i, _| values.push(table.values[start + i]));
    Ok(Table { scope: free.iter().map(|&axis| table.scope[axis]).collect(), cards, values })
}
