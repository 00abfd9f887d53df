//! Two treatments whose outcomes are known: expected losses.

use std::io::Write;

use posterior::decision::loss::Prospects;
use posterior::report::{Figure, Page, PageTable, Ribbon, TableColumn, ribbons};

use crate::Outcome;

/// The table of the two treatments.
pub(super) fn known(out: &mut dyn Write, page: &mut Page) -> Outcome<()> {
    let treatments = Prospects::new(
        &["death", "recovery", "side effects"],
        &[("A", [0.1, 0.2, 0.7].as_slice()), ("B", &[0.2, 0.01, 0.79])],
    )?;
    writeln!(out, "losses of death, recovery, side effects: expected of A and of B")?;
    let mut rows = Vec::new();
    for losses in [
        [1.0, 0.0, 0.5],
        [1.0, 0.0, 1.0],
        [1.0, 0.0, 0.0],
        [100.0, 0.0, 10.0],
        [10.0, 6.0, 2.0],
        [0.0, 1.0, 0.0],
    ] {
        let decision = treatments.decide(&losses)?;
        let best: Vec<&str> =
            decision.best.iter().map(|&action| treatments.actions()[action].as_str()).collect();
        writeln!(
            out,
            "  {losses:?}: {:.3} {:.3}, take {}",
            decision.expected[0],
            decision.expected[1],
            best.join(" or ")
        )?;
        let cells = [decision.expected[0], decision.expected[1]].map(|loss| format!("{loss:.3}"));
        rows.push([format!("{losses:?}")].into_iter().chain(cells).chain([best.join(" or ")]).collect());
    }
    let line = treatments.indifference(0, 1)?;
    let always = treatments.never_worse_if_best(0, 1, 1)?;
    writeln!(out, "A is never worse where recovery is best: {always}")?;
    let tie = line.break_even(2, &[0.0, 1.0, 0.0])?.unwrap_or(f64::NAN);
    writeln!(
        out,
        "with losses 0 of death and 1 of recovery, B is better up to a loss of {tie:.4} of side effects"
    )?;
    page.standfirst.push(format!(
        "The loss of B exceeds that of A by {:.2} times what death is worse than recovery, and {:.2} times what side effects are worse.",
        line.coefficients[0], line.coefficients[2]
    ));
    let columns = ["losses of death, recovery, side effects", "A", "B"];
    let columns = columns.map(|name| TableColumn::Number(name.to_owned())).into_iter();
    let text = "Where recovery is the best outcome, A is right for every loss; the last row has it the other way round.";
    page.section(
        "Expected losses",
        text,
        PageTable { columns: columns.chain([TableColumn::Text("take".to_owned())]).collect(), rows },
    );
    // The line on which both are equally good, for a loss of 1 of recovery.
    let end = line.break_even(2, &[0.0, 1.0, 0.0])?.unwrap_or(0.0);
    let other = line.break_even(0, &[0.0, 1.0, 0.0])?.unwrap_or(0.0);
    let indifferent = Ribbon::line("indifferent", vec![(0.0, end), (other, 0.0)]);
    let text = "Below the line B loses less; recovery has the loss 1, so that there death or side effects are thought better than recovery.";
    page.section(
        "Where B would be right",
        text,
        Figure::new(
            ribbons(("loss of death", "loss of side effects"), &[indifferent], &[(1.0, 1.0)], None),
            "The dot is where all three outcomes are equally bad: it lies on the line.",
        ),
    );
    Ok(())
}
