//! The JSON of ArviZ.

use std::collections::BTreeMap;
use std::io::{self, Write};

use super::{Draws, names};

/// An array of ArviZ: its name, its shape behind chain and draw, and the column of each element, the last
/// index fastest.
struct Array<'a> {
    name: &'a str,
    shape: Vec<usize>,
    columns: Vec<usize>,
}

impl Draws {
    /// Writes the groups `posterior` and `sample_stats` as JSON, which ArviZ reads with `az.from_json`:
    /// arrays by chain, draw, and the indices of the name. `x[0]`, `x[1]` make one array `x` if all its
    /// elements are there; else each is an array of its own.
    ///
    /// Numbers that are not finite are `NaN`, `Infinity` and `-Infinity`, as Python's JSON has them.
    ///
    /// # Errors
    /// Of `out`.
    pub fn write_arviz_json(&self, mut out: impl Write) -> io::Result<()> {
        write!(out, "{{\"posterior\": ")?;
        let arrays = arrays(self.names());
        self.write_group(&mut out, &arrays, &|chain, draw| self.draw(chain, draw), &|_| false)?;
        if !self.statistic_names().is_empty() {
            let flat = |(column, name)| Array { name, shape: Vec::new(), columns: vec![column] };
            let arrays: Vec<Array<'_>> =
                self.statistic_names().iter().map(String::as_str).enumerate().map(flat).collect();
            write!(out, ", \"sample_stats\": ")?;
            let is_flag = |name: &str| matches!(name, "diverging" | "reached_max_treedepth");
            self.write_group(&mut out, &arrays, &|chain, draw| self.statistics.row(chain, draw), &is_flag)?;
        }
        writeln!(out, "}}")?;
        out.flush()
    }

    fn write_group<'a>(
        &self,
        out: &mut impl Write,
        arrays: &[Array<'_>],
        row: &dyn Fn(usize, usize) -> &'a [f64],
        is_flag: &dyn Fn(&str) -> bool,
    ) -> io::Result<()> {
        write!(out, "{{")?;
        for (i, array) in arrays.iter().enumerate() {
            write!(out, "{}\"{}\": ", if i == 0 { "" } else { ", " }, escaped(array.name))?;
            let flag = is_flag(array.name);
            list(out, self.chains(), &mut |out, chain| {
                list(out, self.len(), &mut |out, draw| {
                    nested(out, &array.shape, &array.columns, row(chain, draw), flag)
                })
            })?;
        }
        write!(out, "}}")
    }
}

fn list<W: Write>(
    out: &mut W,
    len: usize,
    element: &mut dyn FnMut(&mut W, usize) -> io::Result<()>,
) -> io::Result<()> {
    write!(out, "[")?;
    for i in 0..len {
        if i > 0 {
            write!(out, ", ")?;
        }
        element(out, i)?;
    }
    write!(out, "]")
}

fn nested<W: Write>(
    out: &mut W,
    shape: &[usize],
    columns: &[usize],
    row: &[f64],
    flag: bool,
) -> io::Result<()> {
    let Some((&len, rest)) = shape.split_first() else {
        let number = row[columns[0]];
        return match () {
            () if flag => write!(out, "{}", number != 0.0),
            () if number.is_nan() => write!(out, "NaN"),
            () if number.is_infinite() => write!(out, "{}Infinity", if number < 0.0 { "-" } else { "" }),
            () => write!(out, "{number:?}"),
        };
    };
    let width = columns.len() / len;
    list(out, len, &mut |out, i| nested(out, rest, &columns[i * width..(i + 1) * width], row, flag))
}

/// The arrays that these names make.
fn arrays(all: &[String]) -> Vec<Array<'_>> {
    let split: Vec<(&str, Vec<usize>)> = all.iter().map(|name| names::parts(name)).collect();
    let mut members: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (column, (base, _)) in split.iter().enumerate() {
        members.entry(base).or_default().push(column);
    }
    let mut whole: BTreeMap<&str, Array<'_>> =
        members.iter().filter_map(|(base, members)| Some((*base, array(base, members, &split)?))).collect();
    let is_whole: Vec<bool> = split.iter().map(|(base, _)| whole.contains_key(base)).collect();
    let mut arrays = Vec::new();
    for (column, (base, _)) in split.iter().enumerate() {
        if let Some(array) = whole.remove(base) {
            arrays.push(array);
        } else if !is_whole[column] {
            arrays.push(Array { name: &all[column], shape: Vec::new(), columns: vec![column] });
        }
    }
    arrays
}

/// The array of these columns, if they are all its elements.
fn array<'a>(base: &'a str, members: &[usize], split: &[(&str, Vec<usize>)]) -> Option<Array<'a>> {
    let indices = |column: usize| &split[column].1;
    let rank = indices(members[0]).len();
    if rank == 0 || members.iter().any(|&column| indices(column).len() != rank) {
        return None;
    }
    let range = |axis: usize| {
        let own = || members.iter().map(|&column| indices(column)[axis]);
        Some((own().min()?, own().max()?))
    };
    let ranges: Vec<(usize, usize)> = (0..rank).map(range).collect::<Option<_>>()?;
    let len = |&(low, high): &(usize, usize)| (high - low).checked_add(1);
    let shape: Vec<usize> = ranges.iter().map(len).collect::<Option<_>>()?;
    let elements = shape.iter().try_fold(1_usize, |product, &len| product.checked_mul(len))?;
    if elements != members.len() {
        return None;
    }
    let mut columns = members.to_vec();
    columns.sort_by(|&a, &b| indices(a).cmp(indices(b)));
    let distinct = columns.windows(2).all(|pair| indices(pair[0]) != indices(pair[1]));
    distinct.then_some(Array { name: base, shape, columns })
}

/// Text as JSON has it.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '"' | '\\' => escaped.extend(['\\', c]),
            c if c.is_control() => escaped.extend(format!("\\u{:04x}", u32::from(c)).chars()),
            c => escaped.push(c),
        }
    }
    escaped
}
