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

/// Calls `f(a, b)` for each joint state in order, the last variable fastest, with its places in two tables.
pub(super) fn walk(cards: &[usize], a: &[usize], b: &[usize], mut f: impl FnMut(usize, usize)) {
    let mut states = vec![0; cards.len()];
    let (mut at_a, mut at_b) = (0, 0);
    loop {
        f(at_a, at_b);
        let mut axis = cards.len();
        loop {
            if axis == 0 {
                return;
            }
            axis -= 1;
            states[axis] += 1;
            at_a += a[axis];
            at_b += b[axis];
            if states[axis] < cards[axis] {
                break;
            }
            at_a -= a[axis] * cards[axis];
            at_b -= b[axis] * cards[axis];
            states[axis] = 0;
        }
    }
}
