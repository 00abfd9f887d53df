//! The page of each verb: what it says, put together from what was found.

use posterior::graph::VarId;
use posterior::inference::{Auto, Beliefs, Engine as _, LnZ, Targets};
use posterior::pgm::{Evidence, GraphicalModel as _};
use posterior_report::{Page, PageTable, TableColumn};

use super::{Best, Reported};
use crate::net::answer::{Answer, finding};
use crate::net::engine::code;
use crate::net::network_input::Input;
use crate::net::portrait::Subject;
use crate::output::{called, grouped, percent, significant};
use crate::report::network::{Node, Picture, begin};
use crate::run::read_by_posterior;

/// Answers shown above the picture.
const ANSWERS: usize = 6;
/// States shown of each.
const STATES: usize = 10;
/// Rows of the table of all posteriors.
const ROWS: usize = 2000;
/// Findings and variables listed as advice.
const LISTED: usize = 8;

const KEY: &str = "Filled cards were seen, framed ones were asked about. Bars are probabilities now";

/// The page about what was found, and its picture.
pub(super) fn page(input: &Input, reported: &Reported<'_>) -> (Picture, Page) {
    let (picture, mut page) = match reported {
        Reported::Structure { said } => {
            let now = priors(input);
            let picture = before_evidence(input, now.as_ref());
            with_picture(Page::new("Network", name(input)), said, input, picture, "")
        }
        Reported::Query { answer, named } => query(input, answer, *named),
        Reported::Map { best } => map(input, best),
        Reported::Learned { learned, said } => {
            let now = Auto::default().query(&learned.network, &Targets::All, &Evidence::none()).ok();
            let picture = before_evidence(input, now.as_ref());
            let page = Page::new("Network", format!("{}, learned from data", name(input)));
            let (picture, mut page) = with_picture(page, said, input, picture, " in the fitted network,");
            page.fact("ln likelihood", significant(learned.ln_likelihood));
            if learned.report.iterations() > 0 {
                page.fact("Steps", grouped(learned.report.iterations() as u64));
            }
            (picture, page)
        }
    };
    page.command = called();
    let reason = match reported {
        Reported::Query { answer, .. } => answer.now.report().reason.clone(),
        _ => None,
    };
    let source = read_by_posterior(&format!("{}, {}", input.source, input.file.format));
    page.source = reason.map_or_else(|| source.clone(), |reason| format!("{source} {reason}"));
    (picture, page)
}

fn name(input: &Input) -> String {
    let own = input.file.name.trim();
    if !own.is_empty() && own != "unknown" {
        return own.to_owned();
    }
    let path = std::path::Path::new(&input.source);
    path.file_name().map_or_else(|| input.source.clone(), |name| name.to_string_lossy().into_owned())
}

fn add_sizes(page: &mut Page, input: &Input) {
    let arrows = input.model().dag().map_or(0, posterior::graph::Dag::arrow_count);
    page.fact("Variables", grouped(input.variables().len() as u64));
    if arrows > 0 {
        page.fact("Arrows", grouped(arrows as u64));
    }
}

/// The picture before anything is seen, and what it leaves out.
fn before_evidence(input: &Input, now: Option<&Beliefs>) -> (Picture, String) {
    Subject { input, evidence: &Evidence::none(), targets: &[], now, before: None }.picture()
}

fn with_picture(
    mut page: Page,
    said: &str,
    input: &Input,
    (picture, left_out): (Picture, String),
    of: &str,
) -> (Picture, Page) {
    page.standfirst = said.lines().map(str::to_owned).collect();
    add_sizes(&mut page, input);
    let caption = format!("Bars are probabilities{of} before anything is seen.{left_out}");
    begin(&mut page, &[], &picture, &caption);
    (picture, page)
}

/// What is believed before anything is seen; `None` where that is too large to work out.
fn priors(input: &Input) -> Option<Beliefs> {
    let beliefs = Auto::default().query(input.model(), &Targets::All, &Evidence::none()).ok()?;
    matches!(beliefs.ln_z(), LnZ::Exact(_)).then_some(beliefs)
}

/// What was seen, with commas between.
fn findings(input: &Input, evidence: &Evidence) -> String {
    evidence.iter().map(|(v, _)| finding(input, evidence, v)).collect::<Vec<_>>().join(", ")
}

fn query(input: &Input, answer: &Answer, named: bool) -> (Picture, Page) {
    let targets: &[VarId] = if named { &answer.targets } else { &[] };
    let (now, before) = (Some(&answer.now), answer.before.as_ref());
    let subject = Subject { input, evidence: &answer.evidence, targets, now, before };
    let (picture, left_out) = subject.picture();
    let order = if named { answer.targets.clone() } else { answer.by_change() };
    let answers: Vec<Node> = order.iter().take(ANSWERS).map(|&v| sorted(subject.node(v, STATES))).collect();
    let report = answer.now.report();
    let mut page = Page::new("Network", headline(input, answer, &order));
    page.standfirst.push(if answer.evidence.is_empty() {
        format!("{}, before anything was seen.", name(input))
    } else {
        format!("{}, given {}.", name(input), findings(input, &answer.evidence))
    });
    let marks = if before.is_some() { ", upright marks what they were before anything was seen" } else { "" };
    begin(&mut page, &answers, &picture, &format!("{KEY}{marks}.{left_out}"));
    add_sizes(&mut page, input);
    page.fact("Seen", grouped(answer.evidence.len() as u64));
    if let Some(ln_p) = answer.ln_evidence(input).filter(|_| !answer.evidence.is_empty()) {
        page.fact("ln p(seen)", significant(ln_p));
    }
    page.fact("Engine", code(report.engine));
    page.fact("Tables", report.cost.to_string().replace(" of tables", ""));
    advise(&mut page, input, answer);
    let (title, table) = posteriors(input, answer);
    page.section(title, "", table);
    (picture, page)
}

fn headline(input: &Input, answer: &Answer, order: &[VarId]) -> String {
    let top = |v: VarId| {
        let now = answer.now.marginal(v)?;
        let best = (0..now.len()).rev().max_by(|&a, &b| now[a].total_cmp(&now[b]))?;
        let (name, state) = (input.variables().name(v), &input.variables().states(v)[best]);
        Some(format!("{name}: {state}, {}", percent(now[best])))
    };
    if answer.evidence.is_empty() && order.len() > 1 {
        return name(input);
    }
    order.first().and_then(|&v| top(v)).unwrap_or_else(|| name(input))
}

/// The most probable state first.
fn sorted(mut node: Node) -> Node {
    node.rows.sort_by(|a, b| b.proportion.total_cmp(&a.proportion));
    node
}

/// What moved a single target, and what to look at next.
fn advise(page: &mut Page, input: &Input, answer: &Answer) {
    let &[target] = &answer.targets[..] else { return };
    let target = input.variables().name(target);
    let moved = answer.influences.iter().take(LISTED).map(|own| {
        let what = finding(input, &answer.evidence, own.variable);
        format!("{what}: without it, the probabilities would differ by {}", percent(own.change))
    });
    let next = answer.next.iter().take(LISTED).filter(|own| own.information > 1e-6).map(|own| {
        let name = input.variables().name(own.variable);
        format!("{name}: tells {} nats on average", significant(own.information))
    });
    for (title, all) in [
        (format!("What moved {target}"), moved.collect::<Vec<_>>()),
        (format!("What to look at next for {target}"), next.collect()),
    ] {
        if !all.is_empty() {
            page.section(title, "", all);
        }
    }
}

fn posteriors(input: &Input, answer: &Answer) -> (String, PageTable) {
    let before = answer.before.is_some().then(|| TableColumn::number("before"));
    let columns = [TableColumn::text("variable"), TableColumn::text("state")].into_iter().chain(before);
    let mut rows = Vec::new();
    for v in answer.by_change() {
        let Some(now) = answer.now.marginal(v) else { continue };
        let before = answer.before.as_ref().and_then(|before| before.marginal(v));
        for (state, p) in now.iter().enumerate() {
            let name = if state == 0 { input.variables().name(v) } else { "" };
            let mut row = vec![name.to_owned(), input.variables().states(v)[state].clone()];
            row.extend(before.map(|before| percent(before[state])));
            row.push(percent(*p));
            rows.push(row);
        }
    }
    let title = if rows.len() > ROWS {
        format!("The first {} posteriors; marginals.csv has all", grouped(ROWS as u64))
    } else {
        "The posteriors".to_owned()
    };
    rows.truncate(ROWS);
    (title, PageTable { columns: columns.chain([TableColumn::number("now")]).collect(), rows })
}

fn map(input: &Input, best: &Best) -> (Picture, Page) {
    let targets: &[VarId] =
        if best.variables.len() == input.variables().len() { &[] } else { &best.variables };
    let now = best.beliefs.as_ref();
    let subject = Subject { input, evidence: &best.evidence, targets, now, before: None };
    let (picture, left_out) = subject.picture();
    let mut page = Page::new("Network", format!("The most probable states of {}", name(input)));
    page.standfirst.push(if best.evidence.is_empty() {
        "Of all variables together, before anything was seen.".to_owned()
    } else {
        format!("Of the variables together, given {}.", findings(input, &best.evidence))
    });
    begin(&mut page, &[], &picture, &format!("{KEY}, of each variable alone.{left_out}"));
    add_sizes(&mut page, input);
    page.fact("ln p", significant(best.explanations[0].ln_value));
    if let Some(ln_posterior) = best.ln_posterior(0) {
        page.fact("Given what was seen", percent(ln_posterior.exp()));
    }
    let rows = best.assignment(input, 0).into_iter().zip(&best.variables).map(|((name, state), &v)| {
        let own = now.and_then(|now| now.marginal(v));
        let place = input.variables().require_state(v, &state).unwrap_or(0);
        vec![name, state, own.map_or_else(String::new, |own| percent(own[place]))]
    });
    let texts = ["variable", "state"].map(TableColumn::text).into_iter();
    let columns = texts.chain([TableColumn::number("of the variable alone")]).collect();
    page.section("The most probable joint state", "", PageTable { columns, rows: rows.collect() });
    (picture, page)
}
