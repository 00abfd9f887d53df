//! Bucket elimination (Zhang and Poole 1994, Dechter 1999): ⊕ over some variables of ⊗ of tables.

mod bucket;
mod order;
mod program;
mod scaled;

use std::borrow::Cow;

use posterior_pgm::{Semiring, Table, VarId};

use crate::{Budget, Cost, Error};

pub use order::OrderChoice;
pub(crate) use program::Program;
pub(crate) use scaled::{Scaled, ln_sum_product, sum_product};

const ALTERNATIVES: &str = "another order, more evidence, conditioning or an approximate engine may do";

/// ⊕ over the variables of `order`, which go in this order, of the ⊗ of all tables: a table over the
/// variables that are left, in the order of their ids.
///
/// Any order gives the same answer but for rounding, at a different cost: O(∑ joint states of the tables that
/// meet in a variable). One algorithm answers many questions:
///
/// ```
/// use posterior_inference::{Budget, eliminate};
/// use posterior_pgm::{Counting, MinSum, Table, VarId};
///
/// // A ring of four, neighbours of which must differ: how many ways with two colours, and with three?
/// let ring = |colours: usize| -> Result<u64, Box<dyn std::error::Error>> {
///     let differ = (0..colours * colours).map(|i| u64::from(i / colours != i % colours)).collect::<Vec<_>>();
///     let edge = |a, b| Table::new(vec![VarId::new(a), VarId::new(b)], vec![colours; 2], differ.clone());
///     let tables = [edge(0, 1)?, edge(1, 2)?, edge(2, 3)?, edge(3, 0)?];
///     let all: Vec<VarId> = (0..4).map(VarId::new).collect();
///     Ok(eliminate::<Counting>(&tables, &all, Budget::bytes(1 << 20))?.values()[0])
/// };
/// assert_eq!((ring(2)?, ring(3)?), (2, 18));
///
/// // The least energy that leaves variable 1 in each of its states.
/// let [a, b] = [0, 1].map(VarId::new);
/// let energy = Table::new(vec![a, b], vec![2, 2], vec![3.0, 1.0, 2.0, 4.0])?;
/// let least = eliminate::<MinSum>(&[energy], &[a], Budget::bytes(1 << 20))?;
/// assert_eq!(least.values(), [2.0, 1.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// A variable that comes twice in `order`, tables that disagree on the number of states of a variable, or
/// [`Error::TooLarge`] before anything is allocated.
pub fn eliminate<S: Semiring>(
    tables: &[Table<S::Value>],
    order: &[VarId],
    budget: Budget,
) -> Result<Table<S::Value>, Error> {
    let cards = cards_of(tables)?;
    if let Some(&v) = order.iter().enumerate().find_map(|(i, v)| order[..i].contains(v).then_some(v)) {
        let error = posterior_graph::Error::RepeatedVariable {
            name: format!("{v:?}"),
            context: "an elimination order",
        };
        return Err(posterior_pgm::Error::from(error).into());
    }
    let present: Vec<VarId> =
        order.iter().copied().filter(|v| cards.get(v.index()).is_some_and(|&card| card > 0)).collect();
    let mut kept: Vec<VarId> = (0..cards.len()).filter(|&i| cards[i] > 0).map(VarId::new).collect();
    kept.retain(|v| !present.contains(v));
    let program = Program::new(tables.iter().map(Table::scope), &present, Some(&kept), &cards);
    check(program.cost(), budget)?;
    let tables = tables.iter().map(Cow::Borrowed).collect();
    let answer = program.run::<S>(tables, &mut |table| table)?.pop();
    Ok(answer.map_or_else(|| Table::scalar(S::ONE), Cow::into_owned))
}

/// How many states each variable has: 0 for those in no table.
fn cards_of<V: Copy>(tables: &[Table<V>]) -> Result<Vec<usize>, Error> {
    let mut cards = Vec::new();
    for table in tables {
        for (v, &card) in table.scope().iter().zip(table.cards()) {
            if cards.len() <= v.index() {
                cards.resize(v.index() + 1, 0);
            }
            let known = &mut cards[v.index()];
            if *known != 0 && *known != card {
                let reason = format!("{v:?} has {card} states, elsewhere {known}");
                return Err(
                    posterior_pgm::Error::Shape { scope: format!("{:?}", table.scope()), reason }.into()
                );
            }
            *known = card;
        }
    }
    Ok(cards)
}

/// Refuses what is over the budget.
pub(crate) fn check(cost: Cost, budget: Budget) -> Result<(), Error> {
    if budget.allows(&cost) {
        return Ok(());
    }
    Err(Error::TooLarge { cost, budget, alternatives: ALTERNATIVES })
}
