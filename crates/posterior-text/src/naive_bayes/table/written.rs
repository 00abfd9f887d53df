//! The file form of a table's statistics.

use posterior_dist::NormalGamma;
use posterior_math::streaming::MeanVariance;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::class_table::{Cell, ClassTable};
use super::column::ColumnDistribution;

const FORMAT: &str = "posterior-class-table-1";

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    format: String,
    columns: Vec<ColumnFile>,
    rows: Vec<f64>,
    /// Classes x columns; counts of categories, or weight, mean and sum of squares.
    cells: Vec<Vec<f64>>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
enum ColumnFile {
    Normal,
    NormalPredictive { mu: f64, kappa: f64, alpha: f64, beta: f64 },
    Categorical { levels: usize },
}

impl Serialize for ClassTable {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let column = |column: &ColumnDistribution| match column {
            ColumnDistribution::Normal => ColumnFile::Normal,
            ColumnDistribution::NormalPredictive(prior) => ColumnFile::NormalPredictive {
                mu: prior.location(),
                kappa: prior.kappa(),
                alpha: prior.shape(),
                beta: prior.rate(),
            },
            ColumnDistribution::Categorical { levels } => ColumnFile::Categorical { levels: *levels },
        };
        let cell = |cell: &Cell| match cell {
            Cell::Moments(moments) if moments.weight() == 0.0 => vec![0.0; 3],
            Cell::Moments(moments) => vec![moments.weight(), moments.mean(), moments.sum_of_squares()],
            Cell::Levels(counts) => counts.clone(),
        };
        let file = File {
            format: FORMAT.to_owned(),
            columns: self.columns.iter().map(column).collect(),
            rows: self.rows.clone(),
            cells: self.cells.iter().map(cell).collect(),
        };
        file.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for ClassTable {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        File::deserialize(deserializer)?.table().map_err(D::Error::custom)
    }
}

impl File {
    fn table(self) -> Result<ClassTable, String> {
        if self.format != FORMAT {
            return Err(format!("format {:?}, expected {FORMAT:?}", self.format));
        }
        let column = |column: &ColumnFile| match *column {
            ColumnFile::Normal => Ok(ColumnDistribution::Normal),
            ColumnFile::NormalPredictive { mu, kappa, alpha, beta } => {
                NormalGamma::new(mu, kappa, alpha, beta).map(ColumnDistribution::NormalPredictive)
            }
            ColumnFile::Categorical { levels } => Ok(ColumnDistribution::Categorical { levels }),
        };
        let columns = self.columns.iter().map(column).collect::<Result<Vec<_>, _>>();
        let columns = columns.map_err(|error| error.to_string())?;
        if let Some(wide) = self.cells.iter().map(Vec::len).max()
            && columns
                .iter()
                .any(|column| matches!(column, ColumnDistribution::Categorical { levels } if *levels > wide))
        {
            return Err("a column of more categories than counts".to_owned());
        }
        let mut table = ClassTable::new(&columns, self.rows.len()).map_err(|error| error.to_string())?;
        let good = |n: &f64| *n >= 0.0 && n.is_finite();
        if table.cells.len() != self.cells.len() || !self.rows.iter().all(good) {
            return Err("other numbers of classes and columns than statistics".to_owned());
        }
        table.rows = self.rows;
        for (own, cell) in table.cells.iter_mut().zip(self.cells) {
            match own {
                Cell::Moments(moments) => match cell.as_slice() {
                    [weight, mean, squares] if good(weight) && good(squares) && mean.is_finite() => {
                        *moments = MeanVariance::from_moments(*weight, *mean, *squares);
                    }
                    _ => return Err("moments that are none".to_owned()),
                },
                Cell::Levels(counts) if counts.len() == cell.len() && cell.iter().all(good) => *counts = cell,
                Cell::Levels(_) => return Err("counts that are none".to_owned()),
            }
        }
        Ok(table)
    }
}
