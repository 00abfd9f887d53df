//! ⊕ over some variables of the ⊗ of several tables, in one pass and without the product.

use posterior_graph::VarId;

use super::Table;
use super::layout::{cells, strides_in};
use crate::{Error, Semiring};

/// Runs longer than this are cut, so that a run stays in the fastest memory.
const RUN: usize = 1024;

/// A loop over the joint states of several tables, worked out once for their scopes and run for any values.
///
/// Neighbouring variables that all tables hold in the same order are one axis of the loop, so that the
/// innermost run is long and the compiler can use vector instructions. Nothing is allocated for each cell,
/// and the product of the tables is never stored.
///
/// ```
/// use posterior_pgm::{Contraction, SumProduct, Table, VarId};
///
/// let [rain, grass] = [0, 1].map(VarId::new);
/// let prior = Table::new(vec![rain], vec![2], vec![0.8, 0.2])?;
/// let wet = Table::new(vec![rain, grass], vec![2, 2], vec![0.9, 0.1, 0.05, 0.95])?;
/// let sum = Contraction::new(&[&prior, &wet], &[grass])?;
/// let marginal = sum.run::<SumProduct>(&[&prior, &wet]);
/// assert!((marginal.values()[1] - (0.8 * 0.1 + 0.2 * 0.95)).abs() < 1e-15);
/// # Ok::<(), posterior_pgm::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Contraction {
    keep: Vec<VarId>,
    cards: Vec<usize>,
    /// The numbers of values of the tables.
    lens: Vec<usize>,
    axes: Vec<Axis>,
}

/// Neighbouring variables that are one axis: how many joint states, and how far apart they are in each table
/// and in the result.
#[derive(Debug, Clone, PartialEq)]
struct Axis {
    card: usize,
    strides: Vec<usize>,
    out: usize,
}

impl Contraction {
    /// The loop over tables of these scopes, to a table over `keep`, in this order. O(variables × tables).
    ///
    /// # Errors
    /// Tables that disagree about a variable; a variable to keep that no table has or that comes twice; more
    /// joint states than can be counted.
    pub fn new<V: Copy>(tables: &[&Table<V>], keep: &[VarId]) -> Result<Self, Error> {
        // In the order of the largest table, whose values are many and then are read one after another.
        let mut by_size: Vec<&&Table<V>> = tables.iter().collect();
        by_size.sort_by_key(|table| std::cmp::Reverse(table.values.len()));
        let (mut scope, mut all): (Vec<VarId>, Vec<usize>) = (Vec::new(), Vec::new());
        for table in by_size {
            let mut front = 0;
            for (&v, &card) in table.scope.iter().zip(&table.cards) {
                match scope.iter().position(|&known| known == v) {
                    Some(place) if all[place] != card => {
                        let reason = format!("{v:?} has {} and {card} states", all[place]);
                        return Err(Error::Shape { scope: format!("{:?}", table.scope), reason });
                    }
                    Some(_) => {}
                    None => {
                        scope.insert(front, v);
                        all.insert(front, card);
                        front += 1;
                    }
                }
            }
        }
        cells(&all).ok_or(Error::TooLarge { variables: scope.len() })?;
        let cards = kept_cards(&scope, &all, keep)?;
        let strides: Vec<Vec<usize>> =
            tables.iter().map(|table| strides_in(&scope, &table.scope, &table.cards)).collect();
        let out = strides_in(&scope, keep, &cards);
        let axes = all.iter().enumerate().map(|(i, &card)| Axis {
            card,
            strides: strides.iter().map(|own| own[i]).collect(),
            out: out[i],
        });
        let lens = tables.iter().map(|table| table.values.len()).collect();
        Ok(Self { keep: keep.to_vec(), cards, lens, axes: merge(axes) })
    }

    /// How many joint states of all tables together the loop visits.
    pub fn joint_states(&self) -> usize {
        self.axes.iter().map(|axis| axis.card).product()
    }

    /// The result for tables of these scopes.
    ///
    /// # Panics
    /// If the number of tables or one of their sizes is another one.
    #[track_caller]
    pub fn run<S: Semiring>(&self, tables: &[&Table<S::Value>]) -> Table<S::Value> {
        let mut values = vec![S::ZERO; self.cards.iter().product()];
        let inputs: Vec<&[S::Value]> = tables.iter().map(|table| table.values.as_slice()).collect();
        self.add_to::<S>(&inputs, &mut values);
        Table { scope: self.keep.clone(), cards: self.cards.clone(), values }
    }

    /// Adds the result for tables with these values to `out`.
    ///
    /// # Panics
    /// If a length is wrong.
    #[track_caller]
    pub fn add_to<S: Semiring>(&self, inputs: &[&[S::Value]], out: &mut [S::Value]) {
        assert!(
            inputs.iter().map(|input| input.len()).eq(self.lens.iter().copied()),
            "as many values in as many tables as the loop was made for"
        );
        assert_eq!(out.len(), self.cards.iter().product::<usize>(), "a place for each result");
        let Some((inner, outer)) = self.axes.split_last() else {
            let product = inputs.iter().fold(S::ONE, |product, input| S::multiply(product, input[0]));
            out[0] = S::add(out[0], product);
            return;
        };
        let mut block = vec![S::ONE; inner.card.min(RUN)];
        walk(outer, inputs.len(), |places, at| {
            for from in (0..inner.card).step_by(RUN) {
                let block = &mut block[..(inner.card - from).min(RUN)];
                multiply::<S>(inputs, places, inner, from, block);
                let at = at + from * inner.out;
                match inner.out {
                    0 => out[at] = S::add(out[at], S::sum(block)),
                    1 => out[at..].iter_mut().zip(&*block).for_each(|(a, &b)| *a = S::add(*a, b)),
                    stride => {
                        let cells = out[at..].iter_mut().step_by(stride);
                        cells.zip(&*block).for_each(|(a, &b)| *a = S::add(*a, b));
                    }
                }
            }
        });
    }
}

fn kept_cards(scope: &[VarId], all: &[usize], keep: &[VarId]) -> Result<Vec<usize>, Error> {
    let card = |(place, v): (usize, &VarId)| {
        let axis = scope.iter().position(|own| own == v).filter(|_| !keep[..place].contains(v));
        axis.map(|axis| all[axis]).ok_or_else(|| Error::Shape {
            scope: format!("{scope:?}"),
            reason: format!("{v:?} is not in the scope, or is kept twice"),
        })
    };
    keep.iter().enumerate().map(card).collect()
}

/// Joins neighbours that are one axis in every table, and leaves out axes of one state.
fn merge(axes: impl Iterator<Item = Axis>) -> Vec<Axis> {
    let mut merged: Vec<Axis> = Vec::new();
    for axis in axes.filter(|axis| axis.card > 1) {
        if let Some(last) = merged.last_mut()
            && last.out == axis.out * axis.card
            && last.strides.iter().zip(&axis.strides).all(|(slow, fast)| *slow == fast * axis.card)
        {
            *last = Axis { card: last.card * axis.card, ..axis };
        } else {
            merged.push(axis);
        }
    }
    merged
}

/// The product of the tables along a part of the innermost axis.
fn multiply<S: Semiring>(
    inputs: &[&[S::Value]],
    places: &[usize],
    inner: &Axis,
    from: usize,
    block: &mut [S::Value],
) {
    block.fill(S::ONE);
    for ((input, &place), &stride) in inputs.iter().zip(places).zip(&inner.strides) {
        let values = &input[place + from * stride..];
        match stride {
            0 => block.iter_mut().for_each(|cell| *cell = S::multiply(*cell, values[0])),
            1 => block.iter_mut().zip(values).for_each(|(cell, &b)| *cell = S::multiply(*cell, b)),
            stride => {
                let values = values.iter().step_by(stride);
                block.iter_mut().zip(values).for_each(|(cell, &b)| *cell = S::multiply(*cell, b));
            }
        }
    }
}

/// Calls `f` with the places in the tables and in the result, for each joint state of the axes.
fn walk(axes: &[Axis], tables: usize, mut f: impl FnMut(&[usize], usize)) {
    let mut states = vec![0; axes.len()];
    let mut places = vec![0; tables];
    let mut out = 0;
    loop {
        f(&places, out);
        let mut axis = axes.len();
        loop {
            if axis == 0 {
                return;
            }
            axis -= 1;
            let Axis { card, strides, out: step } = &axes[axis];
            states[axis] += 1;
            out += step;
            places.iter_mut().zip(strides).for_each(|(place, stride)| *place += stride);
            if states[axis] < *card {
                break;
            }
            out -= step * card;
            places.iter_mut().zip(strides).for_each(|(place, stride)| *place -= stride * card);
            states[axis] = 0;
        }
    }
}
