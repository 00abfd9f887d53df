//! The data sets that the library holds.

use posterior_datasets::series::{self, TimeSeries};
use posterior_datasets::tables::{self, DataTable};
use posterior_datasets::{find, sotu};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::arrays;

/// Series by their names.
const SERIES: [(&str, &TimeSeries); 3] =
    [("air-passengers", &series::AIR_PASSENGERS), ("co2", &series::CO2), ("nile", &series::NILE)];

/// Tables by their names.
const TABLES: [(&str, &DataTable); 4] = [
    ("galaxies", &tables::GALAXIES),
    ("iris", &tables::IRIS),
    ("old-faithful", &tables::OLD_FAITHFUL),
    ("sleep-study", &tables::SLEEP_STUDY),
];

/// The set of a name among some.
fn named<T>(name: &str, all: &[(&str, &'static T)]) -> PyResult<&'static T> {
    let found = all.iter().find(|(own, _)| *own == name);
    found.map(|(_, set)| *set).ok_or_else(|| {
        let names: Vec<&str> = all.iter().map(|(own, _)| *own).collect();
        PyValueError::new_err(format!("name: expected {}, found {name:?}", names.join(", ")))
    })
}

/// What a set is, and where it is from.
#[pyfunction]
pub(crate) fn dataset_source(name: &str) -> PyResult<(&'static str, &'static str)> {
    let found = find(name).map(|own| (own.title, own.provenance));
    found.ok_or_else(|| PyValueError::new_err(format!("name: there is no data set {name:?}")))
}

/// The title of a series, its first year, its steps a year and its values.
#[pyfunction]
pub(crate) fn dataset_series<'py>(
    py: Python<'py>,
    name: &str,
) -> PyResult<(&'static str, f64, f64, Bound<'py, PyAny>)> {
    let own = named(name, &SERIES)?;
    Ok((own.title, own.start, own.per_year, arrays::array(py, own.values)))
}

/// The name of labels, and the label of each row.
type Labels = Option<(&'static str, Vec<&'static str>)>;

/// The names of the columns of a table, its numbers, and its labels if it has some.
type Table<'py> = (&'static [&'static str], Bound<'py, PyAny>, Labels);

/// The table of a name.
#[pyfunction]
pub(crate) fn dataset_table<'py>(py: Python<'py>, name: &str) -> PyResult<Table<'py>> {
    let own = named(name, &TABLES)?;
    let shape = [own.rows().len(), own.columns.len()];
    let labels = own.labels.map(|own| {
        (own.name, own.each.iter().map(|&class| own.classes[usize::from(class)]).collect::<Vec<_>>())
    });
    Ok((own.columns, arrays::shaped(py, own.values.to_vec(), &shape)?, labels))
}

/// Addresses of presidents: counts by compressed rows, words, and what is known of each address.
#[derive(IntoPyObject)]
pub(crate) struct Addresses<'py> {
    ends: Bound<'py, PyAny>,
    words: Bound<'py, PyAny>,
    numbers: Bound<'py, PyAny>,
    vocabulary: Vec<String>,
    years: Vec<u16>,
    presidents: Vec<String>,
    parties: Vec<String>,
    forms: Vec<String>,
}

/// Counts of the words of the State of the Union addresses.
#[pyfunction]
pub(crate) fn dataset_addresses(py: Python<'_>) -> PyResult<Addresses<'_>> {
    let sotu::StateOfTheUnion { addresses, vocabulary, .. } = sotu::load();
    let rows = || addresses.iter().flat_map(|own| &own.counts);
    let lengths = addresses.iter().map(|own| i64::try_from(own.counts.len()));
    let lengths = lengths.collect::<Result<Vec<_>, _>>()?;
    let ends = lengths.iter().scan(0, |end, length| {
        *end += length;
        Some(*end)
    });
    let ends: Vec<i64> = std::iter::once(0).chain(ends).collect();
    let words: Vec<i64> = rows().map(|&(word, _)| i64::from(word)).collect();
    let numbers: Vec<i64> = rows().map(|&(_, count)| i64::from(count)).collect();
    let entries = numbers.len();
    Ok(Addresses {
        ends: arrays::shaped(py, ends, &[addresses.len() + 1])?,
        words: arrays::shaped(py, words, &[entries])?,
        numbers: arrays::shaped(py, numbers, &[entries])?,
        vocabulary,
        years: addresses.iter().map(|own| own.year).collect(),
        presidents: addresses.iter().map(|own| own.president.clone()).collect(),
        parties: addresses.iter().map(|own| own.party.clone()).collect(),
        forms: addresses.iter().map(|own| own.form.to_string()).collect(),
    })
}
