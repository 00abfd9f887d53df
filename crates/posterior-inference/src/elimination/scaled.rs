//! Sums of products that neither underflow nor overflow.

use std::borrow::Cow;

use posterior_pgm::{LogSumProduct, SumProduct, Table, VarId};

use super::Program;
use super::bucket::sum_out;
use super::program::take;
use crate::Error;

/// Positive numbers of products stay between 1/`RANGE` and `RANGE`.
const RANGE: f64 = 1e290;

/// Positive numbers of tables stay between 1/`TABLE_RANGE` and `TABLE_RANGE`, so that at least two can be
/// multiplied.
const TABLE_RANGE: f64 = 1e145;

/// The tables that an elimination leaves, whose product is to be multiplied by e^`ln_scale`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Scaled {
    pub(crate) tables: Vec<Table>,
    pub(crate) ln_scale: f64,
}

impl Scaled {
    /// The one table that is left, divided by its sum, and the logarithm of that sum; `None` if the sum is
    /// zero.
    pub(crate) fn normalized(&self) -> Option<(Table, f64)> {
        let [table] = self.tables.as_slice() else { return None };
        Some((table.normalized()?, table.total().ln() + self.ln_scale))
    }
}

/// Carries out a program on nonnegative tables.
///
/// Works with plain numbers, which are scaled by powers of two (exactly) when they leave the range; where the
/// numbers of one table are too far apart for that, starts again with logarithms.
pub(crate) fn sum_product(program: &Program, tables: &[Cow<'_, Table>]) -> Result<Scaled, Error> {
    if let Some(plain) = plain(program, tables)? {
        return Ok(plain);
    }
    let Scaled { mut tables, ln_scale } = with_logarithms(program, tables)?;
    for table in &mut tables {
        *table = table.map(f64::exp);
    }
    Ok(Scaled { tables, ln_scale })
}

/// As [`sum_product`], but the tables that are left hold logarithms: no number of one of them is too small
/// beside the others.
pub(crate) fn ln_sum_product(program: &Program, tables: &[Cow<'_, Table>]) -> Result<Scaled, Error> {
    let Some(Scaled { mut tables, ln_scale }) = plain(program, tables)? else {
        return with_logarithms(program, tables);
    };
    for table in &mut tables {
        *table = table.map(f64::ln);
    }
    Ok(Scaled { tables, ln_scale })
}

/// With plain numbers; `None` if they will not do.
fn plain(program: &Program, tables: &[Cow<'_, Table>]) -> Result<Option<Scaled>, Error> {
    let mut linear = Linear { exponent: 0 };
    let left = linear.run(program, tables)?;
    Ok(left.map(|tables| Scaled { tables, ln_scale: linear.exponent as f64 * std::f64::consts::LN_2 }))
}

/// A table, and its least and largest positive number; 1 and 1 if there is none.
struct Bounded<'a> {
    table: Cow<'a, Table>,
    least: f64,
    largest: f64,
}

/// Plain numbers, and the power of two that was taken out.
struct Linear {
    exponent: i64,
}

impl Linear {
    /// The tables that are left; `None` if plain numbers will not do.
    fn run(&mut self, program: &Program, inputs: &[Cow<'_, Table>]) -> Result<Option<Vec<Table>>, Error> {
        let mut tables: Vec<Option<Bounded<'_>>> = Vec::with_capacity(inputs.len() + program.steps().len());
        for table in inputs {
            let Some(own) = self.bounded(Cow::Borrowed(&**table)) else { return Ok(None) };
            tables.push(Some(own));
        }
        for step in program.steps() {
            let own = take(&mut tables, &step.tables);
            let Some(result) = self.sum_out(own, &step.scope, Some(step.variable))? else { return Ok(None) };
            tables.push(Some(result));
        }
        let rest = take(&mut tables, program.rest());
        let Some(kept) = program.kept() else {
            return Ok(Some(rest.into_iter().map(|own| own.table.into_owned()).collect()));
        };
        Ok(self.sum_out(rest, kept, None)?.map(|own| vec![own.table.into_owned()]))
    }

    fn sum_out<'a>(
        &mut self,
        mut tables: Vec<Bounded<'a>>,
        scope: &[VarId],
        variable: Option<VarId>,
    ) -> Result<Option<Bounded<'a>>, Error> {
        while !can_be_multiplied(&tables) {
            // Tables over the same variables can be scaled after each product: so many witnesses of one thing
            // underflow last.
            let Some((a, b)) = inner_pair(&tables) else { return Ok(None) };
            let [inner, outer] = [tables.swap_remove(a.max(b)), tables.swap_remove(a.min(b))];
            let product = outer.table.product::<SumProduct>(&inner.table)?;
            let Some(product) = self.bounded(Cow::Owned(product)) else { return Ok(None) };
            tables.push(product);
        }
        let tables: Vec<&Table> = tables.iter().map(|own| &*own.table).collect();
        Ok(self.bounded(Cow::Owned(sum_out::<SumProduct>(&tables, scope, variable)?)))
    }

    /// The table in the range, what was taken out being counted; `None` if its positive numbers are too far
    /// apart.
    fn bounded<'a>(&mut self, table: Cow<'a, Table>) -> Option<Bounded<'a>> {
        let (mut least, mut largest) = (f64::INFINITY, 0.0_f64);
        for &value in table.values() {
            largest = if value > largest { value } else { largest };
            least = if value < least && value > 0.0 { value } else { least };
        }
        if largest == 0.0 {
            return Some(Bounded { table, least: 1.0, largest: 1.0 });
        }
        if least >= 1.0 / TABLE_RANGE && largest <= TABLE_RANGE {
            return Some(Bounded { table, least, largest });
        }
        if least / largest < 1.0 / TABLE_RANGE || least < f64::MIN_POSITIVE {
            return None;
        }
        let power = ((largest.to_bits() >> 52).cast_signed() - 1023).min(1022);
        self.exponent += power;
        let factor = f64::from_bits(((1023 - power) as u64) << 52);
        let table = Cow::Owned(table.map(|value| value * factor));
        Some(Bounded { table, least: least * factor, largest: largest * factor })
    }
}

/// Whether no product of one number of each table, nor of some of them, leaves the range.
fn can_be_multiplied(tables: &[Bounded<'_>]) -> bool {
    let (mut least, mut largest) = (1.0, 1.0);
    for own in tables {
        least *= own.least.min(1.0);
        largest *= own.largest.max(1.0);
    }
    least >= 1.0 / RANGE && largest <= RANGE
}

/// Two tables, the variables of the first of which are among those of the second.
fn inner_pair(tables: &[Bounded<'_>]) -> Option<(usize, usize)> {
    let is_inside = |a: usize, b: usize| {
        a != b && tables[a].table.scope().iter().all(|&v| tables[b].table.axis(v).is_some())
    };
    let pairs = (0..tables.len()).flat_map(|a| (0..tables.len()).map(move |b| (a, b)));
    pairs.into_iter().find(|&(a, b)| is_inside(a, b))
}

/// As [`ln_sum_product`], working with logarithms, the largest of each table being 0.
fn with_logarithms(program: &Program, tables: &[Cow<'_, Table>]) -> Result<Scaled, Error> {
    let mut ln_scale = 0.0;
    let mut shifted = |table: Table| {
        let largest = table.values().iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if largest == f64::NEG_INFINITY {
            return table;
        }
        ln_scale += largest;
        table.map(|value| value - largest)
    };
    let logarithms = tables.iter().map(|table| Cow::Owned(shifted(table.map(f64::ln)))).collect();
    let left = program.run::<LogSumProduct>(logarithms, &mut shifted)?;
    // What is left was shifted, or is a product of what was: no number is far above 1, and the largest may be
    // far below.
    let tables: Vec<Table> = left.iter().map(|table| shifted(table.clone().into_owned())).collect();
    Ok(Scaled { tables, ln_scale })
}
