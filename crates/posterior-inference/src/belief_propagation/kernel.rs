//! Messages out of one factor: its table, summed with the messages of all variables but one.

use posterior_pgm::Semiring;

/// Memory that is used again for each factor.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scratch(Vec<Vec<f64>>);

impl Scratch {
    fn take(&mut self) -> Vec<f64> {
        self.0.pop().unwrap_or_default()
    }

    fn put_back(&mut self, used: Vec<f64>) {
        self.0.push(used);
    }
}

/// out(r) = ⊕ⱼ table(r, j) ⊗ message(j): the fastest variable goes.
fn contract_last<S: Semiring<Value = f64>>(table: &[f64], message: &[f64], out: &mut [f64]) {
    if let &[m0, m1] = message {
        for (row, out) in table.chunks_exact(2).zip(out) {
            *out = S::add(S::multiply(row[0], m0), S::multiply(row[1], m1));
        }
        return;
    }
    for (row, out) in table.chunks_exact(message.len()).zip(out) {
        *out = row.iter().zip(message).fold(S::ZERO, |sum, (&x, &m)| S::add(sum, S::multiply(x, m)));
    }
}

/// out(c) = ⊕ⱼ table(j, c) ⊗ message(j): the slowest variable goes.
fn contract_first<S: Semiring<Value = f64>>(table: &[f64], message: &[f64], out: &mut [f64]) {
    out.fill(S::ZERO);
    for (row, &m) in table.chunks_exact(out.len()).zip(message) {
        for (out, &x) in out.iter_mut().zip(row) {
            *out = S::add(*out, S::multiply(x, m));
        }
    }
}

/// The table with the messages of its last variables, which have `cards` states, contracted.
fn without_last<S: Semiring<Value = f64>>(
    table: &[f64],
    cards: &[usize],
    messages: &[f64],
    scratch: &mut Scratch,
) -> Vec<f64> {
    let (mut now, mut next) = (scratch.take(), scratch.take());
    let mut end = messages.len();
    for (i, &card) in cards.iter().rev().enumerate() {
        let source = if i == 0 { table } else { &now };
        next.resize(source.len() / card, S::ZERO);
        contract_last::<S>(source, &messages[end - card..end], &mut next);
        std::mem::swap(&mut now, &mut next);
        end -= card;
    }
    scratch.put_back(next);
    now
}

/// The table with the messages of its first variables, which have `cards` states, contracted.
fn without_first<S: Semiring<Value = f64>>(
    table: &[f64],
    cards: &[usize],
    messages: &[f64],
    scratch: &mut Scratch,
) -> Vec<f64> {
    let (mut now, mut next) = (scratch.take(), scratch.take());
    let mut start = 0;
    for (i, &card) in cards.iter().enumerate() {
        let source = if i == 0 { table } else { &now };
        next.resize(source.len() / card, S::ZERO);
        contract_first::<S>(source, &messages[start..start + card], &mut next);
        std::mem::swap(&mut now, &mut next);
        start += card;
    }
    scratch.put_back(next);
    now
}

/// The message to the variable at `axis`. `incoming` holds the messages of all variables one after another;
/// the one of `axis` is not read. O(cells).
pub(crate) fn send_one<S: Semiring<Value = f64>>(
    table: &[f64],
    cards: &[usize],
    incoming: &[f64],
    axis: usize,
    out: &mut [f64],
    scratch: &mut Scratch,
) {
    let start: usize = cards[..axis].iter().sum();
    let (before, after) = (&incoming[..start], &incoming[start + cards[axis]..]);
    match *cards {
        [_, _] if axis == 0 => contract_last::<S>(table, after, out),
        [_, _] => contract_first::<S>(table, before, out),
        _ if axis == 0 => {
            let last = without_last::<S>(table, &cards[1..], after, scratch);
            out.copy_from_slice(&last);
            scratch.put_back(last);
        }
        _ if axis + 1 == cards.len() => {
            let first = without_first::<S>(table, &cards[..axis], before, scratch);
            out.copy_from_slice(&first);
            scratch.put_back(first);
        }
        _ => {
            let last = without_last::<S>(table, &cards[axis + 1..], after, scratch);
            let first = without_first::<S>(&last, &cards[..axis], before, scratch);
            out.copy_from_slice(&first);
            scratch.put_back(last);
            scratch.put_back(first);
        }
    }
}

/// The messages to all variables, one after another in `out`. O(cells), whatever the number of variables: the
/// left half is contracted for the right one and the right half for the left one, and so on within the
/// halves.
pub(crate) fn send_all<S: Semiring<Value = f64>>(
    table: &[f64],
    cards: &[usize],
    incoming: &[f64],
    out: &mut [f64],
    scratch: &mut Scratch,
) {
    match *cards {
        [] => {}
        [_] => out.copy_from_slice(table),
        [first, _] => {
            contract_last::<S>(table, &incoming[first..], &mut out[..first]);
            contract_first::<S>(table, &incoming[..first], &mut out[first..]);
        }
        _ => {
            let half = cards.len() / 2;
            let split: usize = cards[..half].iter().sum();
            let (left, right) = out.split_at_mut(split);
            let part = without_last::<S>(table, &cards[half..], &incoming[split..], scratch);
            send_all::<S>(&part, &cards[..half], &incoming[..split], left, scratch);
            scratch.put_back(part);
            let part = without_first::<S>(table, &cards[..half], &incoming[..split], scratch);
            send_all::<S>(&part, &cards[half..], &incoming[split..], right, scratch);
            scratch.put_back(part);
        }
    }
}

/// ⊕ over all joint states of the table with the messages of all variables.
pub(crate) fn total<S: Semiring<Value = f64>>(
    table: &[f64],
    cards: &[usize],
    incoming: &[f64],
    scratch: &mut Scratch,
) -> f64 {
    let value = without_last::<S>(table, cards, incoming, scratch);
    let total = value[0];
    scratch.put_back(value);
    total
}

/// The table times the messages of all variables, in its order.
pub(crate) fn absorb<S: Semiring<Value = f64>>(table: &[f64], cards: &[usize], incoming: &[f64]) -> Vec<f64> {
    let mut out = table.to_vec();
    let (mut inner, mut end) = (1, incoming.len());
    for &card in cards.iter().rev() {
        let message = &incoming[end - card..end];
        for (i, block) in out.chunks_exact_mut(inner).enumerate() {
            let m = message[i % card];
            for x in &mut *block {
                *x = S::multiply(*x, m);
            }
        }
        inner *= card;
        end -= card;
    }
    out
}

#[cfg(test)]
mod tests {
    use posterior_pgm::{MaxProduct, Semiring, SumProduct};

    use super::{Scratch, absorb, send_all, send_one, total};

    /// Messages by their definition: the sum over all cells.
    fn by_definition<S: Semiring<Value = f64>>(
        table: &[f64],
        cards: &[usize],
        incoming: &[f64],
        target: usize,
    ) -> Vec<f64> {
        let mut out = vec![S::ZERO; cards[target]];
        for (cell, &value) in table.iter().enumerate() {
            let (mut rest, mut product, mut end, mut own) = (cell, value, incoming.len(), 0);
            for (axis, &card) in cards.iter().enumerate().rev() {
                let state = rest % card;
                rest /= card;
                end -= card;
                if axis == target {
                    own = state;
                } else {
                    product = S::multiply(product, incoming[end + state]);
                }
            }
            out[own] = S::add(out[own], product);
        }
        out
    }

    fn check<S: Semiring<Value = f64>>(cards: &[usize]) {
        let cells: usize = cards.iter().product();
        let width: usize = cards.iter().sum();
        let number = |i: usize| ((i * 7919 + 13) % 101) as f64 / 101.0;
        let table: Vec<f64> = (0..cells).map(number).collect();
        let incoming: Vec<f64> = (0..width).map(|i| number(i + 31)).collect();
        let scratch = &mut Scratch::default();
        let mut all = vec![0.0; width];
        send_all::<S>(&table, cards, &incoming, &mut all, scratch);
        let mut start = 0;
        for (axis, &card) in cards.iter().enumerate() {
            let expected = by_definition::<S>(&table, cards, &incoming, axis);
            let mut one = vec![0.0; card];
            send_one::<S>(&table, cards, &incoming, axis, &mut one, scratch);
            for state in 0..card {
                assert!((one[state] - expected[state]).abs() <= 1e-13 * expected[state]);
                assert!((all[start + state] - expected[state]).abs() <= 1e-13 * expected[state]);
            }
            start += card;
        }
        let sum = absorb::<S>(&table, cards, &incoming).into_iter().fold(S::ZERO, S::add);
        assert!((total::<S>(&table, cards, &incoming, scratch) - sum).abs() <= 1e-13 * sum);
    }

    #[test]
    fn messages_are_what_the_definition_says() {
        for cards in
            [vec![3, 4], vec![2, 2], vec![2, 3, 4], vec![3, 2, 2, 5], vec![2, 1, 3, 2, 2], vec![3, 3, 3]]
        {
            check::<SumProduct>(&cards);
            check::<MaxProduct>(&cards);
        }
    }
}
