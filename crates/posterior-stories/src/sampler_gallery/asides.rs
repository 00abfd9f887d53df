//! One path, a funnel, and what rejection costs.

use std::io::Write;

use posterior::dist::stream::stream;
use posterior::dist::target::FromGradFn;
use posterior::report::{Figure, Page};
use posterior::report::{PageTable, Ribbon, ribbons};
use posterior::sampling::diagnostics::{ess_bulk, rhat};
use posterior::sampling::hamiltonian::{Leapfrog, Metric, Nuts, Phase};
use posterior::sampling::rejection::{RejectionOptions, rejection};

use super::SEED;
use super::samplers::{divergent, sampled};
use super::targets::{Ridge, Round};
use crate::Outcome;
use crate::story::tell_table;

/// One path along the ridge: the energy is off by a little and does not drift away. Returns its places.
pub(super) fn leapfrog(out: &mut dyn Write) -> Outcome<Vec<(f64, f64)>> {
    let metric = Metric::unit();
    let steps = Leapfrog { metric: &metric, step_size: 0.2 };
    let mut phase = Phase::new(&Ridge, &metric, &[-1.5, -1.4], &[1.1, 0.9])?;
    let start = phase.energy();
    writeln!(out, "\nA path of the leapfrog integrator, steps of {}:\n", steps.step_size)?;
    writeln!(out, "{:>5} {:>8} {:>8} {:>13}", "step", "x₀", "x₁", "energy error")?;
    let mut walk = Vec::new();
    for step in 0..=20 {
        let x = phase.position();
        walk.push((x[0], x[1]));
        if step % 2 == 0 {
            writeln!(out, "{step:5} {:8.3} {:8.3} {:13.4}", x[0], x[1], phase.energy() - start)?;
        }
        phase = steps.flow(&Ridge, &phase, 1)?;
    }
    Ok(walk)
}

/// Neal's funnel: ln of the width of nine coordinates is the tenth, so that no step size fits its neck and
/// its mouth.
pub(super) fn funnel(out: &mut dyn Write, page: &mut Page) -> Outcome<()> {
    let funnel = FromGradFn::new(10, |x, gradient| {
        let precision = (-x[0]).exp();
        let squares: f64 = x[1..].iter().map(|x| x * x).sum();
        gradient[0] = -x[0] / 9.0 - 4.5 + 0.5 * squares * precision;
        for (slope, x) in gradient[1..].iter_mut().zip(&x[1..]) {
            *slope = -x * precision;
        }
        -x[0] * x[0] / 18.0 - 4.5 * x[0] - 0.5 * squares * precision
    });
    let mut table = PageTable::with_columns(&["sampler", "least v", "effective draws", "R-hat", "divergent"]);
    for target_accept in [0.8, 0.99] {
        let (sampled, _) = sampled(&funnel, &Nuts { target_accept, ..Nuts::default() })?;
        let v = sampled.draws.parameter(0);
        let least = v.iter().flatten().copied().fold(f64::INFINITY, f64::min);
        let divergent = divergent(&sampled);
        let name = format!("No-U-Turn, acceptance {target_accept}");
        let (ess, rhat) = (ess_bulk(&v)?, rhat(&v)?);
        table.rows.push(vec![
            name,
            format!("{least:.2}"),
            format!("{ess:.0}"),
            format!("{rhat:.3}"),
            divergent.to_string(),
        ]);
    }
    let text = "The width of nine coordinates is unknown, so that no step size fits the neck and the mouth. With the usual steps divergences tell that what is \
         said of v is wrong.";
    tell_table(out, page, "A funnel", text, table)?;
    writeln!(
        out,
        "\nThe neck needs small steps: what the first row says of v is wrong, and its divergences tell."
    )?;
    Ok(())
}

/// A standard normal distribution under one that is a tenth wider in each coordinate: 1.1ᴰ proposals for a
/// draw.
pub(super) fn rejection_in_many_dimensions(out: &mut dyn Write, page: &mut Page) -> Outcome<()> {
    writeln!(out, "\nRejection from a normal distribution that is 10 % too wide\n")?;
    writeln!(out, "{:>10} {:>20} {:>14}", "dimensions", "proposals for a draw", "here")?;
    let (mut distribution, mut here) = (Vec::new(), Vec::new());
    for dim in [1, 2, 5, 10, 20, 50, 100] {
        let wide = Round { dim, sd: 1.1 };
        let narrow = Round { dim, sd: 1.0 };
        let ln_ratio = |x: &Vec<f64>| narrow.ln_pdf(x) - wide.ln_pdf(x);
        let bound = dim as f64 * 1.1_f64.ln();
        let exact = bound.exp();
        distribution.push((dim as f64, exact.log10()));
        if exact > 1000.0 {
            writeln!(out, "{dim:10} {exact:20.2} {:>14}", "not tried")?;
            continue;
        }
        let options = RejectionOptions { ln_bound: bound, ..RejectionOptions::default() };
        let accepted = rejection(&wide, ln_ratio, 1000, &options, &mut stream(SEED, &[2, dim as u64]))?;
        let proposals = accepted.attempts as f64 / 1000.0;
        writeln!(out, "{dim:10} {exact:20.2} {proposals:14.2}")?;
        here.push((dim as f64, proposals.log10()));
    }
    let ribbon = Ribbon { line: distribution, ..Ribbon::default() };
    let text = "A normal distribution drawn from one that is a tenth wider in each coordinate takes 1.1 to the power of the dimension proposals for a draw.";
    page.section(
        "What rejection costs",
        text,
        Figure::new(
            ribbons(("dimensions", "log10 of proposals for a draw"), &[ribbon], &here, None),
            "Line: the distribution. Dots: counted here, where it could be.",
        ),
    );
    Ok(())
}
