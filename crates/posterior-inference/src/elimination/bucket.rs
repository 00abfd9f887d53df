//! The product of tables, summed over one variable, without the product in memory.

use posterior_pgm::{Semiring, Table, VarId};

use crate::Error;

/// Where the numbers of some tables are, for each joint state of a scope.
struct Walk {
    cards: Vec<usize>,
    states: Vec<usize>,
    /// For each axis of the scope and each table: how far the next state of this axis is, those to the right
    /// being back at 0.
    jumps: Vec<usize>,
    /// For each table, the place of the joint state.
    places: Vec<usize>,
}

impl Walk {
    /// The joint states of `scope`, the last variable fastest.
    fn new<V: Copy>(tables: &[&Table<V>], scope: &[VarId]) -> Self {
        let mut cards = vec![1; scope.len()];
        let mut jumps = vec![0; scope.len() * tables.len()];
        for (t, table) in tables.iter().enumerate() {
            // How far the axes to the right go.
            let mut back = 0;
            for (axis, &v) in scope.iter().enumerate().rev() {
                let (stride, card) = stride(table, v);
                cards[axis] = cards[axis].max(card);
                jumps[axis * tables.len() + t] = stride.wrapping_sub(back);
                back += stride * (card - 1);
            }
        }
        Self { states: vec![0; cards.len()], cards, jumps, places: vec![0; tables.len()] }
    }

    /// The next joint state; false after the last one.
    fn advance(&mut self) -> bool {
        for axis in (0..self.cards.len()).rev() {
            self.states[axis] += 1;
            if self.states[axis] < self.cards[axis] {
                let jumps = &self.jumps[axis * self.places.len()..];
                for (place, &jump) in self.places.iter_mut().zip(jumps) {
                    *place = place.wrapping_add(jump);
                }
                return true;
            }
            self.states[axis] = 0;
        }
        false
    }
}

/// How far apart the states of `v` are in the table, and how many there are; 0 and 1 if it does not have the
/// variable.
fn stride<V: Copy>(table: &Table<V>, v: VarId) -> (usize, usize) {
    match table.axis(v) {
        None => (0, 1),
        Some(axis) => (table.cards()[axis + 1..].iter().product(), table.cards()[axis]),
    }
}

/// The table over `scope` of ⊕ over `variable` of the ⊗ of all tables. O(joint states of both × tables).
pub(super) fn sum_out<S: Semiring>(
    tables: &[&Table<S::Value>],
    scope: &[VarId],
    variable: Option<VarId>,
) -> Result<Table<S::Value>, Error> {
    let mut walk = Walk::new(tables, scope);
    let own: Vec<(usize, usize)> =
        tables.iter().map(|table| variable.map_or((0, 1), |v| stride(table, v))).collect();
    let card = own.iter().map(|&(_, card)| card).max().unwrap_or(1);
    let rows: Vec<(&[S::Value], usize)> =
        tables.iter().zip(&own).map(|(table, &(stride, _))| (table.values(), stride)).collect();
    let mut values = Vec::with_capacity(walk.cards.iter().product());
    loop {
        values.push(cell::<S>(&rows, &walk.places, card));
        if !walk.advance() {
            break;
        }
    }
    Ok(Table::new(scope.to_vec(), walk.cards, values)?)
}

/// ⊕ over the states of a variable of the ⊗ of one number of each table.
#[inline]
fn cell<S: Semiring>(rows: &[(&[S::Value], usize)], places: &[usize], card: usize) -> S::Value {
    let at = |t: usize, state: usize| rows[t].0[places[t] + state * rows[t].1];
    let terms = 0..card;
    match rows.len() {
        1 => terms.fold(S::ZERO, |sum, state| S::add(sum, at(0, state))),
        2 => terms.fold(S::ZERO, |sum, state| S::add(sum, S::multiply(at(0, state), at(1, state)))),
        3 => terms.fold(S::ZERO, |sum, state| {
            S::add(sum, S::multiply(S::multiply(at(0, state), at(1, state)), at(2, state)))
        }),
        n => terms.fold(S::ZERO, |sum, state| {
            S::add(sum, (0..n).fold(S::ONE, |product, t| S::multiply(product, at(t, state))))
        }),
    }
}
