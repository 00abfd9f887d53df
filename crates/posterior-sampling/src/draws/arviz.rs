//! The groups of ArviZ, and its JSON.

use std::collections::BTreeMap;
use std::io::{self, Write};

use super::{Draws, names};

/// An array of ArviZ: its name, its shape behind chain and draw, and the column of each element, the last
/// index fastest.
#[derive(Debug, Clone)]
pub(super) struct Array<'a> {
    pub(super) name: &'a str,
    pub(super) shape: Vec<usize>,
    pub(super) columns: Vec<usize>,
}

/// Draws in the groups of ArviZ's `InferenceData`, to be written: `posterior`, `sample_stats` if there are
/// statistics, the groups of the arrays that are none of parameters, and `observed_data` if there are any.
///
/// Arrays are by chain, draw, and the indices of the name: `x[0]`, `x[1]` make one array `x` if all its
/// elements are there; else each is an array of its own.
///
/// ```
/// use posterior_sampling::Draws;
///
/// let names = ["mu", "log_lik[1]", "log_lik[2]"].map(str::to_owned).to_vec();
/// let draws = Draws::new(names, vec![vec![0.5, -1.0, -2.0]])?;
/// let mut json = Vec::new();
/// draws.arviz().ln_likelihood("log_lik").write_json(&mut json)?;
/// let expected = r#"{"posterior": {"mu": [[0.5]]}, "log_likelihood": {"log_lik": [[[-1.0, -2.0]]]}}"#;
/// assert_eq!(String::from_utf8(json)?.trim_end(), expected);
/// let mut json = Vec::new();
/// draws.arviz().observed("y", &[3.0, 1.5]).write_json(&mut json)?;
/// assert!(String::from_utf8(json)?.contains(r#""observed_data": {"y": [3.0, 1.5]}"#));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct ArvizGroups<'a> {
    pub(super) draws: &'a Draws,
    /// The arrays that are none of parameters, and their groups.
    others: Vec<(String, &'static str)>,
    /// Lists of observed data by their names.
    pub(super) observed: Vec<(String, Vec<f64>)>,
}

/// The group of observed data.
pub(super) const OBSERVED: &str = "observed_data";

/// A group: its arrays, and the numbers that they take theirs from.
pub(super) struct Group<'a> {
    pub(super) name: &'static str,
    pub(super) arrays: Vec<Array<'a>>,
    statistics: bool,
}

impl Draws {
    /// The draws in the groups of ArviZ, to be written as JSON or, with the feature `netcdf`, as netCDF.
    pub const fn arviz(&self) -> ArvizGroups<'_> {
        ArvizGroups { draws: self, others: Vec::new(), observed: Vec::new() }
    }
}

impl<'a> ArvizGroups<'a> {
    /// The array of this name is of the group `log_likelihood`: ln p of each observation.
    #[must_use]
    pub fn ln_likelihood(self, name: &str) -> Self {
        self.array_in("log_likelihood", name)
    }

    /// The array of this name is of the group `posterior_predictive`: draws of observations.
    #[must_use]
    pub fn predictive(self, name: &str) -> Self {
        self.array_in("posterior_predictive", name)
    }

    /// A list of the group `observed_data`, such as `y` of which `y_rep` has draws.
    #[must_use]
    pub fn observed(mut self, name: &str, values: &[f64]) -> Self {
        self.observed.push((name.to_owned(), values.to_vec()));
        self
    }

    fn array_in(mut self, group: &'static str, name: &str) -> Self {
        self.others.push((name.to_owned(), group));
        self
    }

    /// Writes JSON, which ArviZ reads with `az.from_json`.
    ///
    /// Numbers that are not finite are `NaN`, `Infinity` and `-Infinity`, as Python's JSON has them.
    ///
    /// # Errors
    /// Of `out`.
    pub fn write_json(&self, mut out: impl Write) -> io::Result<()> {
        write!(out, "{{")?;
        for (i, group) in self.groups().iter().enumerate() {
            write!(out, "{}\"{}\": {{", if i == 0 { "" } else { ", " }, group.name)?;
            for (i, array) in group.arrays.iter().enumerate() {
                write!(out, "{}\"{}\": ", if i == 0 { "" } else { ", " }, escaped(array.name))?;
                list(&mut out, self.draws.chains(), &mut |out, chain| {
                    list(out, self.draws.len(), &mut |out, draw| {
                        nested(
                            out,
                            &array.shape,
                            &array.columns,
                            self.row(group, chain, draw),
                            group.is_flag(array),
                        )
                    })
                })?;
            }
            write!(out, "}}")?;
        }
        for (i, (name, values)) in self.observed.iter().enumerate() {
            let before = if i == 0 { format!(", \"{OBSERVED}\": {{") } else { ", ".to_owned() };
            write!(out, "{before}\"{}\": ", escaped(name))?;
            list(&mut out, values.len(), &mut |out, at| write_number(out, values[at]))?;
        }
        if !self.observed.is_empty() {
            write!(out, "}}")?;
        }
        writeln!(out, "}}")?;
        out.flush()
    }

    /// Those that have arrays, and `posterior`.
    pub(super) fn groups(&self) -> Vec<Group<'a>> {
        let own = |array: &Array<'_>| {
            self.others.iter().find(|(name, _)| name == array.name).map_or("posterior", |(_, group)| *group)
        };
        let mut groups = ["posterior", "log_likelihood", "posterior_predictive"].map(|name| Group {
            name,
            arrays: Vec::new(),
            statistics: false,
        });
        for array in arrays(self.draws.names()) {
            let group = own(&array);
            groups
                .iter_mut()
                .filter(|other| other.name == group)
                .for_each(|own| own.arrays.push(array.clone()));
        }
        let flat =
            |(column, name): (usize, &'a String)| Array { name, shape: Vec::new(), columns: vec![column] };
        let statistics = self.draws.statistic_names().iter().enumerate().map(flat).collect();
        let [posterior, others @ ..] = groups;
        let others =
            others.into_iter().chain([Group { name: "sample_stats", arrays: statistics, statistics: true }]);
        std::iter::once(posterior).chain(others.filter(|group| !group.arrays.is_empty())).collect()
    }

    /// The numbers of a draw, of which the columns of the group's arrays are.
    pub(super) fn row(&self, group: &Group<'_>, chain: usize, draw: usize) -> &'a [f64] {
        if group.statistics { self.draws.statistics.row(chain, draw) } else { self.draws.draw(chain, draw) }
    }
}

impl Group<'_> {
    /// Whether the numbers of an array are yes and no.
    pub(super) fn is_flag(&self, array: &Array<'_>) -> bool {
        self.statistics && matches!(array.name, "diverging" | "reached_max_treedepth")
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

fn write_number(out: &mut impl Write, number: f64) -> io::Result<()> {
    match () {
        () if number.is_nan() => write!(out, "NaN"),
        () if number.is_infinite() => write!(out, "{}Infinity", if number < 0.0 { "-" } else { "" }),
        () => write!(out, "{number:?}"),
    }
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
        return if flag { write!(out, "{}", number != 0.0) } else { write_number(out, number) };
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
