//! `predictions.csv`, laid out alike in every area: the number of the row, its name and its outcome where
//! they are known, and then what is predicted.

use posterior::math::linalg::DMatrix;
use posterior::table::DataFrame;

use crate::failure::Failure;
use crate::output::shortest;
use crate::output_folder::OutputFolder;

pub(crate) const NAME: &str = "predictions.csv";

/// What the rows of a table are called, and what became of them.
#[derive(Debug, Default)]
pub(crate) struct RowKeys {
    columns: Vec<(String, Vec<String>)>,
    /// The number of each row in its file, from 1, where the rows are not all those of the file.
    pub(crate) numbers: Option<Vec<usize>>,
}

impl RowKeys {
    /// Of those of these columns that the table has.
    pub(crate) fn of<'a>(
        table: &DataFrame,
        columns: impl IntoIterator<Item = &'a String>,
    ) -> Result<Self, Failure> {
        let known = columns.into_iter().filter(|name| table.header().contains(name));
        let column = |name: &String| {
            let cells = table.cells(name)?.map(str::to_owned).collect();
            Ok::<_, Failure>((name.clone(), cells))
        };
        let numbers: Vec<usize> = (0..table.len()).map(|row| table.row_number(row)).collect();
        let all = numbers.iter().copied().eq(1..=numbers.len());
        let columns = known.map(column).collect::<Result<_, _>>()?;
        Ok(Self { columns, numbers: (!all).then_some(numbers) })
    }

    /// Of numbers, a column for each name.
    pub(crate) fn of_numbers(names: &[String], values: &DMatrix<f64>) -> Self {
        let cells = values.column_iter().map(|own| own.iter().copied().map(shortest).collect());
        Self { columns: names.iter().cloned().zip(cells).collect(), numbers: None }
    }

    /// Of one column.
    pub(crate) fn named(name: &str, cells: Vec<String>) -> Self {
        Self { columns: vec![(name.to_owned(), cells)], numbers: None }
    }

    /// With one column more.
    pub(crate) fn with(mut self, name: &str, cells: Vec<String>) -> Self {
        self.columns.push((name.to_owned(), cells));
        self
    }

    /// Those of some of the rows.
    pub(crate) fn at(self, rows: &[usize]) -> Self {
        let all = self.numbers.is_none() && rows.iter().copied().eq(0..rows.len());
        let numbers = (!all).then(|| rows.iter().map(|&row| self.number(row)).collect());
        let of = |cells: &[String]| rows.iter().map(|&row| cells[row].clone()).collect();
        let columns = self.columns.iter().map(|(name, cells)| (name.clone(), of(cells))).collect();
        Self { columns, numbers }
    }

    /// The number of a row in its file, from 1.
    pub(crate) fn number(&self, row: usize) -> usize {
        self.numbers.as_ref().map_or(row + 1, |numbers| numbers[row])
    }

    /// Writes a table with a row of cells for each row, under this header.
    pub(crate) fn put(
        &self,
        folder: &OutputFolder,
        file: &str,
        header: impl IntoIterator<Item = String>,
        cells: impl IntoIterator<Item = Vec<String>>,
    ) -> Result<(), Failure> {
        let names = self.columns.iter().map(|(name, _)| name.clone());
        let header = std::iter::once("row".to_owned()).chain(names).chain(header);
        let row = |(row, cells): (usize, Vec<String>)| {
            let keys = self.columns.iter().map(move |(_, own)| own[row].clone());
            std::iter::once(self.number(row).to_string()).chain(keys).chain(cells).collect::<Vec<_>>()
        };
        folder.put_table(file, header, cells.into_iter().enumerate().map(row))
    }
}
