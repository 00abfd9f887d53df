//! Numbers of operands, and what is added to their adjoints.

use super::{Operand, Place};

/// The numbers of an operand.
#[derive(Clone, Copy)]
pub(super) enum Lanes<'a> {
    Splat(f64),
    Slice(&'a [f64]),
}

impl Lanes<'_> {
    #[inline]
    pub(super) fn at(self, i: usize) -> f64 {
        match self {
            Self::Splat(x) => x,
            Self::Slice(all) => all[i],
        }
    }
}

/// The numbers of an operand; those that are apart are copied to the buffer.
#[inline]
pub(super) fn fetch<'a>(
    operand: &Operand,
    values: &'a [f64],
    count: usize,
    buffer: &'a mut [f64],
) -> Lanes<'a> {
    match &operand.place {
        Place::Splat(slot) => Lanes::Splat(values[*slot as usize]),
        Place::Range(start) => Lanes::Slice(&values[*start as usize..*start as usize + count]),
        Place::Gather(slots) => {
            let buffer = &mut buffer[..slots.len()];
            buffer.iter_mut().zip(slots).for_each(|(b, slot)| *b = values[*slot as usize]);
            Lanes::Slice(buffer)
        }
    }
}

/// As [`fetch`], with one number repeated.
pub(super) fn fetch_slice<'a>(
    operand: &Operand,
    values: &'a [f64],
    count: usize,
    buffer: &'a mut [f64],
) -> &'a [f64] {
    if let Place::Splat(slot) = operand.place {
        buffer[..count].fill(values[slot as usize]);
        return &buffer[..count];
    }
    match fetch(operand, values, count, buffer) {
        Lanes::Slice(slice) => slice,
        Lanes::Splat(_) => &[],
    }
}

/// Adds to the adjoints of an operand.
#[inline]
pub(super) fn scatter(
    operand: &Operand,
    adjoints: &mut [f64],
    count: usize,
    mut of: impl FnMut(usize) -> f64,
) {
    match &operand.place {
        Place::Splat(slot) => {
            let sum: f64 = (0..count).map(of).sum();
            adjoints[*slot as usize] += sum;
        }
        Place::Range(start) => {
            let to = &mut adjoints[*start as usize..*start as usize + count];
            to.iter_mut().enumerate().for_each(|(i, to)| *to += of(i));
        }
        Place::Gather(slots) => {
            for (i, slot) in slots.iter().enumerate() {
                adjoints[*slot as usize] += of(i);
            }
        }
    }
}
