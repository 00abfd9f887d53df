//! The page of each verb: what it says, put together from what was found.

use posterior::graph::VarId;
use posterior::inference::{Auto, Beliefs, Engine as _, LnZ, Targets};
use posterior::pgm::{Evidence, GraphicalModel as _};

use super::{Best, Learned, Reported};
use crate::net::answer::{Answer, finding};
use crate::net::network_input::Input;
use crate::net::portrait::Subject;
use crate::output::{called, grouped, percent, significant};
use crate::report::network::{Fact, NetworkPage, Node, NumberTable};

/// Answers shown above the picture.
const ANSWERS: usize = 6;
/// States shown of each.
const STATES: usize = 10;
/// Rows of the table of all posteriors.
const ROWS: usize = 2000;
/// Findings and variables listed as advice.
const LISTED: usize = 8;

const KEY: &str = "Filled cards were seen, framed ones were asked about. Bars are probabilities now";

/// The page about what was found.
pub(super) fn page(input: &Input, reported: &Reported<'_>) -> NetworkPage {
    match reported {
        Reported::Structure { said } => structure(input, said),
        Reported::Query { answer, named } => query(input, answer, *named),
        Reported::Map { best } => map(input, best),
        Reported::Learned { learned, said } => learned_page(input, learned, said),
    }
}

fn name(input: &Input) -> String {
    let own = input.file.name.trim();
    if !own.is_empty() && own != "unknown" {
        return own.to_owned();
    }
    let path = std::path::Path::new(&input.source);
    path.file_name().map_or_else(|| input.source.clone(), |name| name.to_string_lossy().into_owned())
}

fn source(input: &Input) -> String {
    format!("{}, {}, read by posterior {}", input.source, input.file.format, env!("CARGO_PKG_VERSION"))
}

fn sizes(input: &Input) -> Vec<Fact> {
    let arrows = input.model().dag().map_or(0, posterior::graph::Dag::arrow_count);
    let mut facts = vec![("Variables", grouped(input.variables().len() as u64))];
    if arrows > 0 {
        facts.push(("Arrows", grouped(arrows as u64)));
    }
    facts
}

fn structure(input: &Input, said: &str) -> NetworkPage {
    let (nothing, now) = (Evidence::none(), priors(input));
    let subject = Subject { input, evidence: &nothing, targets: &[], now: now.as_ref(), before: None };
    let (picture, left_out) = subject.picture();
    NetworkPage {
        title: name(input),
        standfirst: said.lines().map(str::to_owned).collect(),
        answers: Vec::new(),
        facts: sizes(input),
        picture,
        caption: format!("Bars are probabilities before anything is seen.{left_out}"),
        lists: Vec::new(),
        tables: Vec::new(),
        command: called(),
        source: source(input),
    }
}

/// What is believed before anything is seen; `None` where that is too large to work out.
fn priors(input: &Input) -> Option<Beliefs> {
    let beliefs = Auto::default().query(input.model(), &Targets::All, &Evidence::none()).ok()?;
    matches!(beliefs.ln_z(), LnZ::Exact(_)).then_some(beliefs)
}

fn query(input: &Input, answer: &Answer, named: bool) -> NetworkPage {
    let targets: &[VarId] = if named { &answer.targets } else { &[] };
    let (now, before) = (Some(&answer.now), answer.before.as_ref());
    let subject = Subject { input, evidence: &answer.evidence, targets, now, before };
    let (picture, left_out) = subject.picture();
    let order = if named { answer.targets.clone() } else { answer.by_change() };
    let answers: Vec<Node> = order.iter().take(ANSWERS).map(|&v| sorted(subject.node(v, STATES))).collect();
    let findings: Vec<String> =
        answer.evidence.iter().map(|(v, _)| finding(input, &answer.evidence, v)).collect();
    let report = answer.now.report();
    let mut facts = sizes(input);
    facts.push(("Seen", grouped(answer.evidence.len() as u64)));
    if let Some(ln_p) = answer.ln_evidence(input).filter(|_| !answer.evidence.is_empty()) {
        facts.push(("ln p(seen)", significant(ln_p)));
    }
    facts.push(("Engine", report.engine.to_owned()));
    facts.push(("Tables", report.cost.to_string().replace(" of tables", "")));
    let marks = if before.is_some() { ", upright marks what they were before anything was seen" } else { "" };
    NetworkPage {
        title: headline(input, answer, &order),
        standfirst: vec![if findings.is_empty() {
            format!("{}, before anything was seen.", name(input))
        } else {
            format!("{}, given {}.", name(input), findings.join(", "))
        }],
        answers,
        facts,
        picture,
        caption: format!("{KEY}{marks}.{left_out}"),
        lists: advice(input, answer),
        tables: vec![posteriors(input, answer)],
        command: called(),
        source: format!("{}. {}", source(input), report.reason.clone().unwrap_or_default()),
    }
}

/// `LVFAILURE: TRUE, 98.20 %`
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
    node.rows.sort_by(|a, b| b.share.total_cmp(&a.share));
    node
}

fn advice(input: &Input, answer: &Answer) -> Vec<(String, Vec<String>)> {
    let mut lists = Vec::new();
    let &[target] = &answer.targets[..] else { return lists };
    let target = input.variables().name(target);
    let moved = answer.influences.iter().take(LISTED).map(|own| {
        let what = finding(input, &answer.evidence, own.variable);
        format!("{what}: without it, the probabilities would differ by {}", percent(own.change))
    });
    let moved: Vec<String> = moved.collect();
    if !moved.is_empty() {
        lists.push((format!("What moved {target}"), moved));
    }
    let next = answer.next.iter().take(LISTED).filter(|own| own.information > 1e-6).map(|own| {
        let name = input.variables().name(own.variable);
        format!("{name}: tells {} nats on average", significant(own.information))
    });
    let next: Vec<String> = next.collect();
    if !next.is_empty() {
        lists.push((format!("What to look at next for {target}"), next));
    }
    lists
}

fn posteriors(input: &Input, answer: &Answer) -> NumberTable {
    let mut columns = vec![("variable".to_owned(), false), ("state".to_owned(), false)];
    if answer.before.is_some() {
        columns.push(("before".to_owned(), true));
    }
    columns.push(("now".to_owned(), true));
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
    NumberTable { title, columns, rows }
}

fn map(input: &Input, best: &Best) -> NetworkPage {
    let targets: &[VarId] =
        if best.variables.len() == input.variables().len() { &[] } else { &best.variables };
    let now = best.beliefs.as_ref();
    let subject = Subject { input, evidence: &best.evidence, targets, now, before: None };
    let (picture, left_out) = subject.picture();
    let findings: Vec<String> =
        best.evidence.iter().map(|(v, _)| finding(input, &best.evidence, v)).collect();
    let mut facts = sizes(input);
    facts.push(("ln p", significant(best.explanations[0].ln_value)));
    if let Some(ln_posterior) = best.ln_posterior(0) {
        facts.push(("Given what was seen", percent(ln_posterior.exp())));
    }
    let rows = best.assignment(input, 0).into_iter().zip(&best.variables).map(|((name, state), &v)| {
        let own = now.and_then(|now| now.marginal(v));
        let place = input.variables().require_state(v, &state).unwrap_or(0);
        vec![name, state, own.map_or_else(String::new, |own| percent(own[place]))]
    });
    NetworkPage {
        title: format!("The most probable states of {}", name(input)),
        standfirst: vec![if findings.is_empty() {
            "Of all variables together, before anything was seen.".to_owned()
        } else {
            format!("Of the variables together, given {}.", findings.join(", "))
        }],
        answers: Vec::new(),
        facts,
        picture,
        caption: format!("{KEY}, of each variable alone.{left_out}"),
        lists: Vec::new(),
        tables: vec![NumberTable {
            title: "The most probable joint state".to_owned(),
            columns: vec![
                ("variable".to_owned(), false),
                ("state".to_owned(), false),
                ("of the variable alone".to_owned(), true),
            ],
            rows: rows.collect(),
        }],
        command: called(),
        source: source(input),
    }
}

fn learned_page(input: &Input, learned: &Learned, said: &str) -> NetworkPage {
    let nothing = Evidence::none();
    let priors = Auto::default().query(&learned.network, &Targets::All, &nothing).ok();
    let subject = Subject { input, evidence: &nothing, targets: &[], now: priors.as_ref(), before: None };
    let (picture, left_out) = subject.picture();
    let mut facts = sizes(input);
    facts.push(("ln likelihood", significant(learned.ln_likelihood)));
    if learned.report.iterations() > 0 {
        facts.push(("Steps", grouped(learned.report.iterations() as u64)));
    }
    NetworkPage {
        title: format!("{}, learned from data", name(input)),
        standfirst: said.lines().map(str::to_owned).collect(),
        answers: Vec::new(),
        facts,
        picture,
        caption: format!("Bars are probabilities in the fitted network, before anything is seen.{left_out}"),
        lists: Vec::new(),
        tables: Vec::new(),
        command: called(),
        source: source(input),
    }
}
