//! Columns of numbers, and groups of rows.

use posterior::datasets::tables::IRIS;
use posterior::latent::Observations;
use posterior::math::linalg::DMatrix;

use crate::args::PcaFit;
use crate::failure::Failure;
use crate::table::Table;

/// What components are looked for in.
#[derive(Debug)]
pub(super) struct Data {
    /// Where it is from.
    pub(super) source: String,
    pub(super) columns: Vec<String>,
    /// What the columns were divided by; 1 where nothing was asked.
    pub(super) scales: Vec<f64>,
    pub(super) observations: Observations,
    pub(super) groups: Option<Groups>,
}

/// The group of each row.
#[derive(Debug)]
pub(super) struct Groups {
    pub(super) column: String,
    pub(super) names: Vec<String>,
    pub(super) each: Vec<usize>,
}

impl Data {
    pub(super) fn read(args: &PcaFit) -> Result<Self, Failure> {
        let (source, columns, values, groups) = match &args.data {
            Some(path) => from_table(args, &Table::read(path)?)?,
            None => embedded(args)?,
        };
        let mut values = values;
        let scales =
            if args.scale { standardize(&source, &columns, &mut values)? } else { vec![1.0; columns.len()] };
        let observations = Observations::with_missing(&values)
            .map_err(|error| Failure::data(format!("{source}: {error}")))?;
        Ok(Self { source, columns, scales, observations, groups })
    }
}

type Parts = (String, Vec<String>, DMatrix<f64>, Option<Groups>);

fn from_table(args: &PcaFit, table: &Table) -> Result<Parts, Failure> {
    let source = table.source.clone();
    let columns: Vec<String> = if args.columns.is_empty() {
        let is_label = |name: &&String| args.label.as_ref() == Some(*name);
        let all = table.header().iter().filter(|name| !is_label(name));
        all.filter(|name| table.numbers(name).is_ok_and(|cells| cells.iter().any(Option::is_some)))
            .cloned()
            .collect()
    } else {
        args.columns.clone()
    };
    if columns.is_empty() {
        let message = format!("{source}: no column holds numbers only");
        return Err(Failure::data(message)
            .with_hint("--columns names the columns to take, and then says what is wrong with them"));
    }
    let mut values = DMatrix::zeros(table.len(), columns.len());
    for (name, mut column) in columns.iter().zip(values.column_iter_mut()) {
        for (x, cell) in column.iter_mut().zip(table.numbers(name)?) {
            *x = cell.unwrap_or(f64::NAN);
        }
    }
    let groups = args.label.as_ref().map(|name| Ok::<_, Failure>(Groups::new(name, &table.labels(name)?)));
    Ok((source, columns, values, groups.transpose()?))
}

fn embedded(args: &PcaFit) -> Result<Parts, Failure> {
    if !args.columns.is_empty() || args.label.is_some() {
        let message =
            "--columns and --label want a table: posterior data export iris writes the embedded one";
        return Err(Failure::Usage(message.to_owned()));
    }
    let rows: Vec<f64> = IRIS.rows().flatten().copied().collect();
    let values = DMatrix::from_row_slice(IRIS.rows().len(), IRIS.columns.len(), &rows);
    let groups = IRIS.labels.as_ref().map(|labels| Groups {
        column: labels.name.to_owned(),
        names: labels.classes.iter().map(|&name| name.to_owned()).collect(),
        each: labels.each.iter().map(|&class| usize::from(class)).collect(),
    });
    Ok((IRIS.title.to_owned(), IRIS.columns.iter().map(|&name| name.to_owned()).collect(), values, groups))
}

impl Groups {
    fn new(column: &str, labels: &[String]) -> Self {
        let mut names: Vec<String> = Vec::new();
        let mut place = |label: &String| {
            names.iter().position(|name| name == label).unwrap_or_else(|| {
                names.push(label.clone());
                names.len() - 1
            })
        };
        let each = labels.iter().map(&mut place).collect();
        Self { column: column.to_owned(), names, each }
    }
}

/// Divides columns by the standard deviation of what is there.
fn standardize(source: &str, names: &[String], values: &mut DMatrix<f64>) -> Result<Vec<f64>, Failure> {
    let mut scales = Vec::new();
    for (name, mut column) in names.iter().zip(values.column_iter_mut()) {
        let seen: Vec<f64> = column.iter().copied().filter(|x| !x.is_nan()).collect();
        let mean = seen.iter().sum::<f64>() / seen.len() as f64;
        let variance = seen.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / (seen.len() as f64 - 1.0);
        let sd = variance.sqrt();
        // Of equal numbers the mean may differ from them in the last place.
        if !(sd > 4.0 * f64::EPSILON * mean.abs() && sd.is_finite()) {
            let message = format!("{source}: column {name}: expected numbers that differ, for --scale");
            return Err(Failure::data(message).with_hint("leave the column out with --columns"));
        }
        column /= sd;
        scales.push(sd);
    }
    Ok(scales)
}
