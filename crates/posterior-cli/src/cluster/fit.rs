//! `posterior cluster fit`.

use posterior::datasets::tables::OLD_FAITHFUL;
use posterior::table::listed;

use super::answer::Answer;
use super::model::{AREA, Groups, Model};
use super::{gaussian, k_means, report, sampled};
use crate::args::{ClusterFit, ClusterMethod, Counts};
use crate::failure::Failure;
use crate::model_file;
use crate::rows_input::Rows;
use crate::run::Run;

/// Runs the verb.
pub(crate) fn run(args: &ClusterFit) -> Result<(), Failure> {
    let mut run = Run::start(&args.common)?;
    let data = rows(args)?;
    run.claim(args.out.as_deref(), report::NAMES)?;
    let (mut answer, groups) = answer(args, &data)?;
    answer.row_numbers.clone_from(&data.keys.numbers);
    run.write("report.html", |folder| {
        let model = Model { method: answer.method.clone(), columns: data.columns(), groups };
        model_file::put(folder, AREA, &model)?;
        report::write(folder, &run, &data, &answer)
    })?;
    run.notes(&answer.warnings);
    run.print(|| &answer, || super::text::of(&data, &answer))
}

/// What the options ask for, or the embedded table.
fn rows(args: &ClusterFit) -> Result<Rows, Failure> {
    let has_place = matches!(args.method, ClusterMethod::Gmm | ClusterMethod::MapGmm | ClusterMethod::VbGmm);
    let missing = args.missing.of_method(has_place);
    let rows = match &args.data {
        Some(path) => Rows::read(path, &args.table, &args.x, args.label.as_ref(), missing)?,
        None => Rows::embedded(&OLD_FAITHFUL),
    };
    Ok(if args.scale { rows.scaled() } else { rows })
}

fn answer(args: &ClusterFit, data: &Rows) -> Result<(Answer, Groups), Failure> {
    let default = if args.method == ClusterMethod::VbGmm { 10 } else { 3 };
    let counts = args.k.unwrap_or(Counts { least: default, most: default });
    check(args, data, counts)?;
    match args.method {
        ClusterMethod::Kmeans => k_means::answer(args, data, counts),
        ClusterMethod::Gmm | ClusterMethod::MapGmm => gaussian::by_em(args, data, counts),
        ClusterMethod::VbGmm => gaussian::by_variational_bayes(args, data, counts),
        ClusterMethod::GibbsGmm if counts.least < counts.most => {
            Err(Failure::Usage("--method gibbs-gmm: one number of components, or --method dp".to_owned()))
        }
        ClusterMethod::GibbsGmm => sampled::finite(args, data, counts),
        ClusterMethod::Dp => sampled::process(args, data),
    }
}

/// Refuses columns that a mixture cannot have: so many that their covariances take too much memory, and such
/// as never change.
fn check(args: &ClusterFit, data: &Rows, counts: Counts) -> Result<(), Failure> {
    if args.method == ClusterMethod::Kmeans {
        return Ok(());
    }
    // As they are fitted, as their factors, and in the answer.
    let squares = counts.most.saturating_mul(3);
    let way_out =
        "take --method kmeans, fewer columns with --x, or their principal components (`posterior pca fit`)";
    data.check_squares(&format!("a mixture of {}", counts.most), squares, way_out)?;
    let constant = data.constant();
    if constant.is_empty() {
        return Ok(());
    }
    let message = if data.values.nrows() == 1 {
        format!("{}: one row: expected two or more", data.source)
    } else {
        format!("{}: expected columns that change, found {}", data.source, listed(&constant))
    };
    Err(Failure::data(message).with_hint("--x names the columns to take"))
}
