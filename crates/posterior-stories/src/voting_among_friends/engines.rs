//! All sixteen votes, and what every engine says.

use std::io::Write;

use posterior::inference::{
    BeliefPropagation, DependentBlocks, Enumeration, JunctionTree, LnZ, MeanField, TreeReweighted,
    VariableElimination,
};
use posterior::pgm::{Evidence, GraphicalModel as _, MarkovRandomField};
use posterior::report::{Figure, Page, PageTable, grouped, heat_map};
use posterior::sampling::network::{ForwardSampling, NetworkGibbs};

use super::{FRIENDS, ann, ask, error_of_ann, plus_minus};
use crate::Outcome;
use crate::story::tell_table;

pub(super) fn scores(out: &mut dyn Write, model: &MarkovRandomField, page: &mut Page) -> Outcome<()> {
    let z = ask(&Enumeration::default(), model, &Evidence::none())?.ln_z().value().exp();
    writeln!(out, "All sixteen votes of {}: scores, which add up to Z = {z:.0}\n", FRIENDS.join(", "))?;
    page.fact("Z, the sum of all scores", grouped(z.round() as u64));
    let mut proportions = Vec::new();
    for row in 0..4 {
        for column in 0..4 {
            let states = [row / 2, row % 2, column / 2, column % 2];
            let score = model.ln_score(&states).exp();
            proportions.push(score / z);
            write!(
                out,
                "  {}{}{}{} {score:6.0} ({:7.4} %)",
                states[0],
                states[1],
                states[2],
                states[3],
                100.0 * score / z
            )?;
        }
        writeln!(out)?;
    }
    let names = ["00", "01", "10", "11"].map(str::to_owned);
    let rows: Vec<String> = names.iter().map(|votes| format!("A, B: {votes}")).collect();
    let columns: Vec<String> = names.iter().map(|votes| format!("C, D: {votes}")).collect();
    let picture =
        heat_map("Probabilities of all votes", ("Ann and Bob", "Cem and Dee"), &rows, &columns, &proportions);
    page.section(
        "All sixteen votes",
        format!(
            "Scores of the joint votes add up to {z:.0}; all four vote 1 with probability {:.4}.",
            proportions[15]
        ),
        Figure::new(picture, "The darker, the more probable; rounded to hundredths."),
    );
    Ok(())
}

pub(super) fn engines(out: &mut dyn Write, model: &MarkovRandomField, page: &mut Page) -> Outcome<()> {
    let none = Evidence::none();
    let rows = [
        ("enumeration", ask(&Enumeration::default(), model, &none)?),
        ("variable elimination", ask(&VariableElimination::default(), model, &none)?),
        ("junction tree", ask(&JunctionTree::default(), model, &none)?),
        ("belief propagation", ask(&BeliefPropagation::default(), model, &none)?),
        ("tree-reweighted", ask(&TreeReweighted::default(), model, &none)?),
        ("mean field", ask(&MeanField::default(), model, &none)?),
        (
            "mean field of trees",
            ask(&MeanField { blocks: DependentBlocks::Trees, ..MeanField::default() }, model, &none)?,
        ),
        ("likelihood weighting", ask(&ForwardSampling::default(), model, &none)?),
        ("Gibbs sampling", ask(&NetworkGibbs::default(), model, &none)?),
    ];
    let mut table = PageTable::with_columns(&["engine", "p(Ann votes 1)", "ln Z", "which is", "sweeps"]);
    page.fact("p(Ann votes 1), exact", format!("{:.6}", ann(&rows[0].1)));
    page.fact("by belief propagation", format!("{:.6}", ann(&rows[3].1)));
    page.fact("by mean field", format!("{:.6}", ann(&rows[5].1)));
    for (name, beliefs) in &rows {
        let (kind, error) = match beliefs.ln_z() {
            LnZ::Exact(_) => ("exact", None),
            LnZ::Lower(_) => ("too small", None),
            LnZ::Upper(_) => ("too large", None),
            LnZ::Estimate { standard_error, .. } => ("drawn", Some(standard_error)),
            LnZ::Unknown => ("not known", None),
            _ => ("approximate", None),
        };
        let ln_z = match beliefs.ln_z() {
            LnZ::Unknown => "-".to_owned(),
            known => format!("{:.12}", known.value()),
        };
        table.rows.push(vec![
            (*name).to_owned(),
            format!("{:.12}{}", ann(beliefs), plus_minus(error_of_ann(beliefs)).trim_end()),
            format!("{ln_z}{}", plus_minus(error).trim_end()),
            kind.to_owned(),
            beliefs.report().iterations.to_string(),
        ]);
    }
    let text = "The probability that Ann votes 1, and the logarithm of the sum of all scores.";
    tell_table(out, page, "Every engine", text, table)?;
    if let Some(own) = &rows[8].1.report().sampling {
        writeln!(
            out,
            "\n{} draws of Gibbs sampling in {} chains are worth {:.0} independent ones: votes change together, or not at all.",
            own.draws, own.chains, own.effective_size
        )?;
    }
    Ok(())
}
