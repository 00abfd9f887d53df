//! The answer as people read it on a terminal.

use std::fmt::Write as _;

use posterior::graph::VarId;
use posterior::inference::LnZ;

use super::joint_rows;
use crate::args::NetQuery;
use crate::net::answer::{Answer, finding};
use crate::net::engine::code;
use crate::net::network_input::Input;
use crate::output::{bar, grouped, percent, significant};

/// Variables shown when none was named.
const VARIABLES: usize = 8;
/// States shown of each variable.
const STATES: usize = 12;
/// Cells shown of a joint posterior.
const CELLS: usize = 20;
/// Variables named as worth a look, or as having moved the answer.
const NAMED: usize = 3;
/// Information in nats that is worth a look: below, nothing would change.
const WORTH_A_LOOK: f64 = 1e-3;

/// The whole answer.
pub(super) fn of(input: &Input, answer: &Answer, args: &NetQuery) -> String {
    let mut text = seen(input, answer);
    let order = if args.all || !args.target.is_empty() { answer.targets.clone() } else { answer.by_change() };
    let shown = if args.all || !args.target.is_empty() { order.len() } else { order.len().min(VARIABLES) };
    let width = state_width(input, &order[..shown]);
    for &v in &order[..shown] {
        text.push('\n');
        variable(&mut text, input, answer, v, width);
    }
    if shown < order.len() {
        let left = grouped((order.len() - shown) as u64);
        let what = if answer.before.is_some() { "variables that changed less" } else { "more variables" };
        let _ = writeln!(text, "\n... and {left} {what} (--all, --target or --format json show them)");
    }
    joint(&mut text, input, answer);
    advice(&mut text, input, answer);
    text.push('\n');
    text.push_str(&engine(answer));
    text
}

/// What was seen, and how rare that is.
fn seen(input: &Input, answer: &Answer) -> String {
    if answer.evidence.is_empty() {
        return "nothing was seen: these are the priors\n".to_owned();
    }
    let findings: Vec<String> =
        answer.evidence.iter().map(|(v, _)| finding(input, &answer.evidence, v)).collect();
    let mut text = format!("seen: {}\n", findings.join("\n      "));
    if let Some(ln_p) = answer.ln_evidence(input) {
        let qualified = match answer.now.ln_z() {
            LnZ::Exact(_) => "",
            LnZ::Lower(_) => " at least",
            LnZ::Upper(_) => " at most",
            _ => " about",
        };
        let is_soft = answer.evidence.states().count() < answer.evidence.len();
        let what = if is_soft { "expected likelihood" } else { "probability of this" };
        let error = answer.ln_evidence_error(input);
        let error = error.map_or_else(String::new, |e| format!(", ± {} of it", error_in_percent(e)));
        let bounds = answer.ln_evidence_bounds(input).map_or_else(String::new, |[lower, upper]| {
            let upper = rarity(if is_soft { upper } else { upper.min(0.0) }, is_soft);
            if lower == f64::NEG_INFINITY {
                format!(", at most {upper}")
            } else {
                format!(", between {} and {upper}", rarity(lower, is_soft))
            }
        });
        let _ = writeln!(text, "{what}:{qualified} {}{error}{bounds}", rarity(ln_p, is_soft));
    }
    text
}

/// `1 in 340 (0.2941 %)`; powers of ten below the range of numbers.
fn rarity(ln_p: f64, is_soft: bool) -> String {
    let p = ln_p.exp();
    if is_soft {
        return significant(p);
    }
    if p < 1e-12 {
        let log10 = ln_p / std::f64::consts::LN_10;
        return format!("10^{log10:.1}");
    }
    let one_in = 1.0 / p;
    let one_in = if one_in < 9.95 { format!("{one_in:.1}") } else { grouped(one_in.round() as u64) };
    format!("1 in {one_in} ({})", percent(p))
}

fn state_width(input: &Input, variables: &[VarId]) -> usize {
    let lengths = variables.iter().flat_map(|&v| input.variables().states(v)).map(|s| s.chars().count());
    lengths.max().unwrap_or(0).clamp(4, 32)
}

/// A variable's states, the most probable first: before, after, and a bar.
fn variable(text: &mut String, input: &Input, answer: &Answer, v: VarId, width: usize) {
    let variables = input.variables();
    if let Some(state) = answer.evidence.state(v) {
        let _ = writeln!(text, "{} was seen: {}", variables.name(v), variables.states(v)[state]);
        return;
    }
    let Some(now) = answer.now.marginal(v) else { return };
    let before = answer.before.as_ref().and_then(|before| before.marginal(v));
    let errors = answer.now.standard_errors(v);
    let _ = writeln!(text, "{}", variables.name(v));
    let mut order: Vec<usize> = (0..now.len()).collect();
    order.sort_by(|&a, &b| now[b].total_cmp(&now[a]));
    for &state in order.iter().take(STATES) {
        let name = &variables.states(v)[state];
        let was = before.map_or_else(String::new, |before| format!("{:>12} -> ", percent(before[state])));
        let error = errors.map_or_else(String::new, |own| format!(" ± {:<9}", error_in_percent(own[state])));
        let line = format!("  {name:<width$} {was}{:>12}{error}  {}", percent(now[state]), bar(now[state]));
        let _ = writeln!(text, "{}", line.trim_end());
    }
    if order.len() > STATES {
        let rest: f64 = order[STATES..].iter().map(|&state| now[state]).sum();
        let _ = writeln!(text, "  ... and {} more states, {} together", order.len() - STATES, percent(rest));
    }
}

/// A standard error in percent, to two significant digits: more would say nothing.
fn error_in_percent(error: f64) -> String {
    let value = 100.0 * error;
    let magnitude = if value > 0.0 { value.log10().floor() } else { 0.0 };
    format!("{value:.*} %", (1.0 - magnitude).clamp(0.0, 12.0) as usize)
}

fn joint(text: &mut String, input: &Input, answer: &Answer) {
    let mut rows = joint_rows(input, answer);
    if rows.is_empty() {
        return;
    }
    let names: Vec<&str> = answer.targets.iter().map(|&v| input.variables().name(v)).collect();
    let _ = writeln!(text, "\n{} together", names.join(", "));
    rows.sort_by(|a, b| b.1.total_cmp(&a.1));
    let label = |states: &[String]| states.join(", ");
    let width = rows.iter().take(CELLS).map(|(states, _)| label(states).chars().count()).max().unwrap_or(0);
    for (states, p) in rows.iter().take(CELLS) {
        let line = format!("  {:<width$} {:>12}  {}", label(states), percent(*p), bar(*p));
        let _ = writeln!(text, "{}", line.trim_end());
    }
    if rows.len() > CELLS {
        let rest: f64 = rows[CELLS..].iter().map(|row| row.1).sum();
        let _ = writeln!(text, "  ... and {} more, {} together", rows.len() - CELLS, percent(rest));
    }
}

/// Which findings moved the target, and what to look at next.
fn advice(text: &mut String, input: &Input, answer: &Answer) {
    let &[target] = &answer.targets[..] else { return };
    let name = |v: VarId| input.variables().name(v);
    let top = answer
        .now
        .marginal(target)
        .map_or(0, |now| (0..now.len()).rev().max_by(|&a, &b| now[a].total_cmp(&now[b])).unwrap_or(0));
    let state = &input.variables().states(target)[top];
    if !answer.influences.is_empty() {
        let p = percent(answer.now.marginal(target).map_or(0.0, |now| now[top]));
        let _ = writeln!(text, "\nwhat moved {} most ({state} now has {p}):", name(target));
        for own in answer.influences.iter().take(NAMED) {
            let (what, p) = (finding(input, &answer.evidence, own.variable), percent(own.without[top]));
            let _ = writeln!(text, "  without {what} it would have {p}");
        }
    }
    let worth = answer.next.iter().filter(|own| own.information > WORTH_A_LOOK);
    let worth: Vec<String> = worth.take(NAMED).map(|own| look(input, own, top, state)).collect();
    if !worth.is_empty() {
        let _ = writeln!(text, "\nwhat to look at next:\n{}", worth.join("\n"));
    }
}

/// `  LVEDVOLUME: tells 0.12 nats; TRUE would have 10 % to 98 %`
fn look(input: &Input, own: &posterior::inference::Impact, top: usize, state: &str) -> String {
    let possible = own.outcomes.iter().filter(|outcome| outcome.probability > 0.0);
    let after = possible.map(|outcome| outcome.posterior[top]);
    let low = after.clone().fold(f64::INFINITY, f64::min);
    let high = after.fold(f64::NEG_INFINITY, f64::max);
    format!(
        "  {}: {state} would then have {} to {} (tells {} nats)",
        input.variables().name(own.variable),
        percent(low),
        percent(high),
        significant(own.information)
    )
}

fn engine(answer: &Answer) -> String {
    let report = answer.now.report();
    if let Some(own) = &report.sampling {
        let chains = if own.chains > 1 { format!(" in {} chains", own.chains) } else { String::new() };
        let kept =
            if own.kept < own.draws { format!(", {} kept", grouped(own.kept as u64)) } else { String::new() };
        return format!(
            "engine {}, an estimate ± its standard error; {} draws{chains}{kept}, worth {} independent ones\n",
            code(report.engine),
            grouped(own.draws as u64),
            grouped(own.effective_size as u64)
        );
    }
    let how = report.reason.clone().unwrap_or_else(|| {
        let rounds =
            if report.iterations == 1 { String::new() } else { format!("{} rounds, ", report.iterations) };
        format!("{rounds}{}", report.cost)
    });
    let exact = match answer.now.ln_z() {
        LnZ::Exact(_) => "exact",
        _ if report.converged => "an approximation",
        _ => "an approximation that did not settle",
    };
    format!("engine {}, {exact}; {how}\n", code(report.engine))
}
