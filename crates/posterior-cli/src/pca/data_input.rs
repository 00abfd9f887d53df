//! Rows, and what components are looked for in.

use posterior::datasets::tables::IRIS;
use posterior::latent::Observations;

use crate::args::{PcaFit, PcaMethod};
use crate::failure::Failure;
use crate::rows_input::Rows;
use crate::table::listed;

/// Rows as they are read, and as a fit takes them.
#[derive(Debug)]
pub(super) struct Data {
    pub(super) rows: Rows,
    pub(super) observations: Observations,
}

impl Data {
    pub(super) fn read(args: &PcaFit) -> Result<Self, Failure> {
        let rows = match &args.data {
            Some(path) => Rows::read(path, &args.table, &args.x, args.label.as_ref())?,
            None if args.x.is_empty() && args.label.is_none() => Rows::embedded(&IRIS),
            None => {
                let message = "--x and --label speak of a table: name it after `pca fit`";
                return Err(Failure::Usage(message.to_owned()));
            }
        };
        let constant = rows.constant();
        if args.method == PcaMethod::Factor && !constant.is_empty() {
            let message =
                format!("{}: expected columns that change, found {}", rows.source, listed(&constant));
            return Err(Failure::data(message).with_hint("--x names the columns to take"));
        }
        let rows = if args.scale { rows.scaled() } else { rows };
        let observations = Observations::with_missing(&rows.values)
            .map_err(|error| Failure::data(format!("{}: {error}", rows.source)))?;
        Ok(Self { rows, observations })
    }
}
