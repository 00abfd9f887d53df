//! Sums of products that neither underflow nor overflow.

use std::borrow::Cow;

use posterior_pgm::{LogSumProduct, SumProduct, Table};

use super::Program;
use crate::Error;

/// Positive numbers of a table stay between 1/`RANGE` and `RANGE`, so that a product of two is a normal number.
const RANGE: f64 = 1e150;

/// The tables that an elimination leaves, whose product is to be multiplied by e^`ln_scale`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Scaled {
    pub(crate) tables: Vec<Table>,
    pub(crate) ln_scale: f64,
}

impl Scaled {
    /// The one table that is left, divided by its sum, and the logarithm of that sum; `None` if the sum is zero.
    pub(crate) fn normalized(&self) -> Option<(Table, f64)> {
        let [table] = self.tables.as_slice() else { return None };
        Some((table.normalized()?, table.total().ln() + self.ln_scale))
    }
}

/// Carries out a program on nonnegative tables.
///
/// Works with plain numbers, which are scaled by powers of two (exactly) when they leave the range; where the numbers of one
/// table are too far apart for that, starts again with logarithms.
pub(crate) fn sum_product(program: &Program, tables: &[Cow<'_, Table>]) -> Result<Scaled, Error> {
    let mut exponent = 0;
    let inputs: Option<Vec<_>> =
        tables.iter().map(|table| scaled(Cow::Borrowed(&**table), &mut exponent)).collect();
    let mut adjust = |table| scaled(Cow::Owned(table), &mut exponent).map(Cow::into_owned);
    if let Some(inputs) = inputs
        && let Some(left) = program.run::<SumProduct>(inputs, &mut adjust)?
    {
        let tables = left.into_iter().map(Cow::into_owned).collect();
        return Ok(Scaled { tables, ln_scale: exponent as f64 * std::f64::consts::LN_2 });
    }
    with_logarithms(program, tables)
}

/// As [`sum_product`], with logarithms, the largest of each table being 0.
fn with_logarithms(program: &Program, tables: &[Cow<'_, Table>]) -> Result<Scaled, Error> {
    let mut ln_scale = 0.0;
    let mut shifted = |table: Table| {
        let largest = table.values().iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if largest == f64::NEG_INFINITY {
            return Some(table);
        }
        ln_scale += largest;
        Some(table.map(|value| value - largest))
    };
    let logarithms =
        tables.iter().filter_map(|table| Some(Cow::Owned(shifted(table.map(f64::ln))?))).collect();
    let left = program.run::<LogSumProduct>(logarithms, &mut shifted)?;
    let tables = left.iter().flatten().map(|table| table.map(f64::exp)).collect();
    Ok(Scaled { tables, ln_scale })
}

/// The table in the range, and the power of two that was taken out; `None` if its positive numbers are too far apart.
fn scaled<'a>(table: Cow<'a, Table>, exponent: &mut i64) -> Option<Cow<'a, Table>> {
    let (mut least, mut largest) = (f64::INFINITY, 0.0_f64);
    for &value in table.values() {
        largest = largest.max(value);
        least = least.min(if value > 0.0 { value } else { f64::INFINITY });
    }
    if largest == 0.0 || (least >= 1.0 / RANGE && largest <= RANGE) {
        return Some(table);
    }
    if least / largest < 1.0 / RANGE || least < f64::MIN_POSITIVE {
        return None;
    }
    let power = ((largest.to_bits() >> 52).cast_signed() - 1023).min(1022);
    *exponent += power;
    let factor = f64::from_bits(((1023 - power) as u64) << 52);
    Some(Cow::Owned(table.map(|value| value * factor)))
}
