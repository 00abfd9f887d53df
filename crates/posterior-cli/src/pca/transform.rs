//! `posterior pca transform`.

use posterior::latent::principal_components::{FactorModel, PrincipalComponents};
use posterior::latent::{Error, Observations};
use posterior::math::linalg::DMatrix;
use serde::{Deserialize, Serialize};

use crate::args::PcaTransform;
use crate::failure::{Failure, refused};
use crate::output::{grouped, shortest, significant};
use crate::rows_input::{ModelColumns, Rows};
use crate::run::Run;
use crate::{model_file, text_table};

pub(super) const AREA: &str = "pca";

/// The file of the scores.
pub(super) const SCORES: &str = "scores.csv";

/// Rows of the table of scores, for people.
const ROWS: usize = 24;

/// What `pca fit` leaves for `pca transform`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Model {
    pub(super) method: String,
    pub(super) columns: ModelColumns,
    pub(super) components: Components,
}

/// What was fitted, in the units of the fit.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Components {
    Directions(PrincipalComponents),
    Factors(FactorModel),
}

impl Components {
    fn columns(&self) -> usize {
        match self {
            Self::Directions(model) => model.mean().len(),
            Self::Factors(model) => model.dimension(),
        }
    }

    /// A row for each row, a column for each component.
    pub(super) fn scores(&self, rows: &Observations) -> Result<DMatrix<f64>, Error> {
        match self {
            Self::Directions(model) => model.scores(rows),
            Self::Factors(model) => model.posterior_means(rows),
        }
    }
}

/// The scores of new rows; its JSON is the contract of the command line.
#[derive(Debug, Serialize)]
struct Output {
    model: String,
    method: String,
    rows: usize,
    columns: Vec<String>,
    /// A list for each row, a number for each component.
    scores: Vec<Vec<f64>>,
    /// The number of each of these rows in its file, from 1, where they are not all of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    row_numbers: Option<Vec<usize>>,
}

/// Runs the verb.
pub(crate) fn run(args: &PcaTransform) -> Result<(), Failure> {
    let mut run = Run::start(&args.input.common)?;
    run.claim(args.input.out.as_deref(), &[SCORES])?;
    let (source, model): (_, Model) = model_file::read(&args.input.model, AREA)?;
    if !model.columns.are(model.components.columns()) {
        let why = "its columns are not as many as those of its components";
        return Err(model_file::no_model(&source, AREA, why));
    }
    let missing = args.missing.of_method(matches!(model.components, Components::Factors(_)));
    let data = Rows::for_model(&args.input.data, &args.input.table, &model.columns, None, missing)?;
    run.notes(&data.notes);
    let observations = Observations::with_missing(&data.values).map_err(refused)?;
    let scores = model.components.scores(&observations).map_err(|error| {
        let failure = Failure::data(format!("{}: {error}", data.source));
        match error {
            Error::NotFinite { .. } => {
                failure.with_hint("models of the methods ppca and factor take missing cells")
            }
            _ => failure,
        }
    })?;
    let names: Vec<String> = (1..=scores.ncols()).map(|j| format!("component_{j}")).collect();
    run.write(SCORES, |folder| {
        let cells = |row: usize| scores.row(row).iter().copied().map(shortest).collect();
        data.keys.put(folder, SCORES, names.clone(), (0..scores.nrows()).map(cells))
    })?;
    let output = Output {
        model: source,
        method: model.method,
        rows: scores.nrows(),
        columns: model.columns.names,
        row_numbers: data.keys.numbers.clone(),
        scores: scores.row_iter().map(|row| row.iter().copied().collect()).collect(),
    };
    run.print(|| &output, || text(&data, &output, &names))
}

fn text(data: &Rows, output: &Output, names: &[String]) -> String {
    let rows = grouped(output.rows as u64);
    let step = output.rows.div_ceil(ROWS).max(1);
    let header: Vec<&str> = std::iter::once("row").chain(names.iter().map(String::as_str)).collect();
    let row = |(row, scores): (usize, &Vec<f64>)| {
        std::iter::once(data.keys.number(row).to_string())
            .chain(scores.iter().copied().map(significant))
            .collect()
    };
    let shown = output.scores.iter().enumerate().step_by(step).map(row).collect();
    let table = text_table::right(&header, shown);
    let rest = if step > 1 {
        format!("({} of {rows} rows; all with --format json or --out)\n", output.rows.div_ceil(step))
    } else {
        String::new()
    };
    format!("{}: {rows} rows on the components of {}\n\n{table}{rest}", data.source, output.method)
}
