//! The two loops over the cells of a clique: multiply messages in, sum out.

use std::array::from_fn;

use super::arithmetic::Arithmetic;
use super::potential::Potential;

/// A message into a clique: its cells, and the link that it comes by.
pub(super) type Input<'a> = (usize, &'a [f64]);

/// ∑ potential × messages, over all but the variables of link 0. `out` is added to.
pub(super) fn project<S: Arithmetic>(potential: &Potential, inputs: &[Input<'_>], out: &mut [f64]) {
    if potential.lanes == 1 {
        project_cells::<S>(potential, inputs, out);
        return;
    }
    let mut block = vec![S::ZERO; potential.lanes];
    let is_vector = potential.links[0].is_vector;
    for_each_block::<S>(potential, inputs, &mut block, |_, places, block| {
        let at = places[0] as usize;
        if is_vector {
            add_to::<S>(&mut out[at..at + block.len()], block);
        } else {
            out[at] = S::add(out[at], total::<S>(block));
        }
    });
}

fn project_cells<S: Arithmetic>(potential: &Potential, inputs: &[Input<'_>], out: &mut [f64]) {
    let cells = potential.values.iter().zip(potential.places.chunks_exact(potential.links.len()));
    match *inputs {
        [] => {
            for (&value, places) in cells {
                let out = &mut out[places[0] as usize];
                *out = S::add(*out, value);
            }
        }
        [(a, from_a)] => {
            for (&value, places) in cells {
                let out = &mut out[places[0] as usize];
                *out = S::add(*out, S::multiply(value, from_a[places[a] as usize]));
            }
        }
        [(a, from_a), (b, from_b)] => {
            for (&value, places) in cells {
                let product = S::multiply(value, from_a[places[a] as usize]);
                let out = &mut out[places[0] as usize];
                *out = S::add(*out, S::multiply(product, from_b[places[b] as usize]));
            }
        }
        _ => {
            for (&value, places) in cells {
                let product = inputs
                    .iter()
                    .fold(value, |product, &(k, from)| S::multiply(product, from[places[k] as usize]));
                let out = &mut out[places[0] as usize];
                *out = S::add(*out, product);
            }
        }
    }
}

/// Adds potential × messages to a table for each of several links: `outs` says for each link where its table
/// begins in `out`.
pub(super) fn spread<S: Arithmetic>(
    potential: &Potential,
    inputs: &[Input<'_>],
    outs: &[(usize, usize)],
    out: &mut [f64],
) {
    if potential.lanes == 1 {
        match (inputs.len(), outs.len()) {
            (1, 1) => spread_cells::<S, 1, 1>(potential, inputs, outs, out),
            (1, 2) => spread_cells::<S, 1, 2>(potential, inputs, outs, out),
            (2, 1) => spread_cells::<S, 2, 1>(potential, inputs, outs, out),
            (2, 2) => spread_cells::<S, 2, 2>(potential, inputs, outs, out),
            (3, 2) => spread_cells::<S, 3, 2>(potential, inputs, outs, out),
            (3, 3) => spread_cells::<S, 3, 3>(potential, inputs, outs, out),
            _ => spread_any_cells::<S>(potential, inputs, outs, out),
        }
        return;
    }
    let mut block = vec![S::ZERO; potential.lanes];
    let needs_total = outs.iter().any(|&(k, _)| !potential.links[k].is_vector);
    for_each_block::<S>(potential, inputs, &mut block, |_, places, block| {
        let total = if needs_total { total::<S>(block) } else { S::ZERO };
        for &(k, start) in outs {
            let at = start + places[k] as usize;
            if potential.links[k].is_vector {
                add_to::<S>(&mut out[at..at + block.len()], block);
            } else {
                out[at] = S::add(out[at], total);
            }
        }
    });
}

/// Cell by cell, for numbers of links that are known when this is compiled.
fn spread_cells<S: Arithmetic, const INPUTS: usize, const OUTS: usize>(
    potential: &Potential,
    inputs: &[Input<'_>],
    outs: &[(usize, usize)],
    out: &mut [f64],
) {
    let inputs: [Input<'_>; INPUTS] = from_fn(|i| inputs[i]);
    let outs: [(usize, usize); OUTS] = from_fn(|i| outs[i]);
    for (&value, places) in potential.values.iter().zip(potential.places.chunks_exact(potential.links.len()))
    {
        let mut product = value;
        for (k, from) in inputs {
            product = S::multiply(product, from[places[k] as usize]);
        }
        for (k, start) in outs {
            let out = &mut out[start + places[k] as usize];
            *out = S::add(*out, product);
        }
    }
}

fn spread_any_cells<S: Arithmetic>(
    potential: &Potential,
    inputs: &[Input<'_>],
    outs: &[(usize, usize)],
    out: &mut [f64],
) {
    for (&value, places) in potential.values.iter().zip(potential.places.chunks_exact(potential.links.len()))
    {
        let product =
            inputs.iter().fold(value, |product, &(k, from)| S::multiply(product, from[places[k] as usize]));
        for &(k, start) in outs {
            let out = &mut out[start + places[k] as usize];
            *out = S::add(*out, product);
        }
    }
}

/// Calls `f` with the number of each block, its places, and with potential × messages there.
pub(super) fn for_each_block<S: Arithmetic>(
    potential: &Potential,
    inputs: &[Input<'_>],
    block: &mut [f64],
    mut f: impl FnMut(usize, &[u32], &[f64]),
) {
    let lanes = potential.lanes;
    let (vectors, scalars): (Vec<Input<'_>>, Vec<Input<'_>>) =
        inputs.iter().partition(|(k, _)| potential.links[*k].is_vector);
    let blocks =
        potential.values.chunks_exact(lanes).zip(potential.places.chunks_exact(potential.links.len()));
    for (number, (values, places)) in blocks.enumerate() {
        let factor =
            scalars.iter().fold(S::ONE, |factor, &(k, from)| S::multiply(factor, from[places[k] as usize]));
        if factor == S::ZERO {
            continue;
        }
        let others = match &*vectors {
            [] => {
                let cells = block.iter_mut().zip(values);
                cells.for_each(|(cell, &value)| *cell = S::multiply(factor, value));
                &vectors[..]
            }
            [(k, a), others @ ..] => {
                let cells = block.iter_mut().zip(values).zip(&a[places[*k] as usize..][..lanes]);
                cells.for_each(|((cell, &value), &a)| *cell = S::multiply(S::multiply(factor, value), a));
                others
            }
        };
        for (k, other) in others {
            let cells = block.iter_mut().zip(&other[places[*k] as usize..][..lanes]);
            cells.for_each(|(cell, &value)| *cell = S::multiply(*cell, value));
        }
        f(number, places, block);
    }
}

fn add_to<S: Arithmetic>(out: &mut [f64], block: &[f64]) {
    for (out, &value) in out.iter_mut().zip(block) {
        *out = S::add(*out, value);
    }
}

/// In four sums, which the compiler keeps in vectors.
pub(super) fn total<S: Arithmetic>(block: &[f64]) -> f64 {
    let mut sums = [S::ZERO; 4];
    let chunks = block.chunks_exact(4);
    let rest = chunks.remainder().iter().fold(S::ZERO, |sum, &value| S::add(sum, value));
    for chunk in chunks {
        for (sum, &value) in sums.iter_mut().zip(chunk) {
            *sum = S::add(*sum, value);
        }
    }
    S::add(S::add(S::add(sums[0], sums[1]), S::add(sums[2], sums[3])), rest)
}
