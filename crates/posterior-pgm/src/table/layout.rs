//! Where the numbers of a table are.

use posterior_graph::VarId;

/// How many joint states variables with these numbers of states have; `None` beyond `usize`.
pub(crate) fn cells(cards: &[usize]) -> Option<usize> {
    cards.iter().try_fold(1_usize, |cells, &card| cells.checked_mul(card))
}

/// How far apart neighbouring states of each variable of `scope` are in a table over `own` (0: not in it).
pub(super) fn strides_in(scope: &[VarId], own: &[VarId], own_cards: &[usize]) -> Vec<usize> {
    let mut strides = vec![1; own.len()];
    for i in (1..own.len()).rev() {
        strides[i - 1] = strides[i] * own_cards[i];
    }
    scope.iter().map(|v| own.iter().position(|o| o == v).map_or(0, |place| strides[place])).collect()
}

/// Calls `f` for each run of joint states that differ only in the innermost axis, in order, the last variable
/// fastest: with the place where the run begins in each of several tables, its length, and the distance of
/// neighbours in each table.
///
/// Neighbouring variables that are one axis in all tables are taken together, so that runs are long.
pub(super) fn for_each_run<const TABLES: usize>(
    cards: &[usize],
    strides: [&[usize]; TABLES],
    mut f: impl FnMut([usize; TABLES], usize, [usize; TABLES]),
) {
    let mut axes = merge(cards, strides);
    let (inner, steps) = axes.pop().unwrap_or((1, [1; TABLES]));
    let mut states = vec![0; axes.len()];
    let mut places = [0; TABLES];
    loop {
        f(places, inner, steps);
        let mut axis = axes.len();
        loop {
            if axis == 0 {
                return;
            }
            axis -= 1;
            let (card, steps) = &axes[axis];
            states[axis] += 1;
            places.iter_mut().zip(steps).for_each(|(place, step)| *place += step);
            if states[axis] < *card {
                break;
            }
            places.iter_mut().zip(steps).for_each(|(place, step)| *place -= step * card);
            states[axis] = 0;
        }
    }
}

/// Joins neighbours that are one axis in every table, and leaves out variables of one state.
fn merge<const TABLES: usize>(cards: &[usize], strides: [&[usize]; TABLES]) -> Vec<(usize, [usize; TABLES])> {
    let mut axes: Vec<(usize, [usize; TABLES])> = Vec::with_capacity(cards.len());
    for (i, &card) in cards.iter().enumerate().filter(|(_, card)| **card > 1) {
        let steps = strides.map(|own| own[i]);
        match axes.last_mut() {
            Some((slow, apart)) if apart.iter().zip(&steps).all(|(slow, fast)| *slow == fast * card) => {
                (*slow, *apart) = (*slow * card, steps);
            }
            _ => axes.push((card, steps)),
        }
    }
    axes
}
