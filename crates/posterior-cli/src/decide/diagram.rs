//! `posterior decide diagram`.

use std::fmt::Write as _;

use posterior::decision::influence_diagram::{DecisionRule, InfluenceDiagram, Strategy};
use posterior::inference::Budget;
use posterior_report::{Figure, Interval, Page, PageTable, intervals};
use serde::Serialize;

use super::diagram_input;
use crate::args::DecideDiagram;
use crate::failure::{Failure, refused};
use crate::output::significant;
use crate::pictures::Pictures;
use crate::run::{Run, read_by_posterior};
use crate::text_table;

#[derive(Serialize)]
struct Output {
    expected_utility: f64,
    /// Of what was seen.
    probability: f64,
    policies: Vec<PolicyOutput>,
    information: Vec<Worth>,
}

/// What to choose, by what is known.
#[derive(Serialize)]
struct PolicyOutput {
    decision: String,
    options: Vec<String>,
    knowing: Vec<String>,
    rows: Vec<Situation>,
}

#[derive(Serialize)]
struct Situation {
    /// The states of what is known.
    states: Vec<String>,
    /// None where these states cannot come together.
    choice: Option<String>,
    /// What is lost by each option beside the best.
    losses: Vec<f64>,
}

/// What it is worth to know a variable before a decision.
#[derive(Serialize)]
struct Worth {
    variable: String,
    decision: String,
    value: f64,
}

/// Situations of a decision beyond so many are not listed.
const MOST: usize = 10_000;

/// Runs the verb.
pub(crate) fn run(args: &DecideDiagram) -> Result<(), Failure> {
    let mut run = Run::start(&args.common)?;
    let (source, diagram) = diagram_input::read(args)?;
    run.claim(args.out.as_deref(), &["information.svg", "policy.csv", "report.html"])?;
    let best = diagram.solve(Budget::available()).map_err(refused)?;
    let output = Output {
        expected_utility: best.expected_utility(),
        probability: best.probability(),
        policies: policies(&diagram, &best)?,
        information: information(&diagram, best.expected_utility())?,
    };
    run.write("report.html", |folder| {
        let rows = output.policies.iter().flat_map(|policy| {
            policy.rows.iter().map(move |own| {
                let known: Vec<String> =
                    policy.knowing.iter().zip(&own.states).map(|(name, state)| format!("{name}={state}")).collect();
                [policy.decision.clone(), known.join(" "), own.choice.clone().unwrap_or_default()]
            })
        });
        folder.put_table("policy.csv", ["decision", "known", "choice"], rows)?;
        let row = |own: &Worth| Interval {
            name: format!("{} before {}", own.variable, own.decision),
            low: 0.0,
            middle: own.value,
            high: own.value,
        };
        let rows: Vec<Interval> = output.information.iter().map(row).collect();
        let picture = (!rows.is_empty()).then(|| intervals("value of information", &rows));
        let title = format!("The best strategy is worth {}", significant(output.expected_utility));
        let mut page = Page::new("Influence diagram", title);
        page.lead = picture.clone().map(|own| {
            Figure::new(own, "By how much the expected utility grows if a variable is known before a decision: the most that it may cost to learn it.")
        });
        page.fact("Decisions", output.policies.len().to_string());
        page.fact("Expected utility", significant(output.expected_utility));
        for policy in &output.policies {
            let text = "What to choose, by what is known. Losses: what each option loses in expectation beside the best.";
            page.section(policy.decision.clone(), text, PageTable::new(header(policy), rows_of(policy)));
        }
        run.sign(&mut page, read_by_posterior(&source), &[]);
        folder.put_report(&Pictures::of([("information", picture)]), &page)
    })?;
    run.print(|| &output, || text(&source, &output))
}

fn policies(diagram: &InfluenceDiagram, best: &Strategy) -> Result<Vec<PolicyOutput>, Failure> {
    let variables = diagram.variables();
    let policy = |rule: &DecisionRule| {
        let known = rule.information();
        let cards: Vec<usize> = known.iter().map(|&own| variables.card(own)).collect();
        let situations = cards.iter().try_fold(1_usize, |product, &card| product.checked_mul(card));
        let Some(situations) = situations.filter(|own| *own <= MOST) else {
            let message =
                format!("{} is decided in more than {MOST} situations", variables.name(rule.decision()));
            return Err(Failure::data(message).with_hint("the diagram is too large to be listed"));
        };
        let options = variables.states(rule.decision()).to_vec();
        let row = |mut place: usize| {
            let mut states = vec![0; cards.len()];
            for (state, &card) in states.iter_mut().zip(&cards).rev() {
                (*state, place) = (place % card, place / card);
            }
            let names = known.iter().zip(&states).map(|(&own, &state)| variables.states(own)[state].clone());
            Situation {
                states: names.collect(),
                choice: rule.choice(&states).map(|own| options[own].clone()),
                losses: rule.losses(&states).to_vec(),
            }
        };
        Ok(PolicyOutput {
            decision: variables.name(rule.decision()).to_owned(),
            knowing: known.iter().map(|&own| variables.name(own).to_owned()).collect(),
            rows: (0..situations).map(row).collect(),
            options,
        })
    };
    best.policies().iter().map(policy).collect()
}

/// Of every variable of chance before every decision that it does not depend on.
fn information(diagram: &InfluenceDiagram, expected_utility: f64) -> Result<Vec<Worth>, Failure> {
    let variables = diagram.variables();
    let decided: Vec<_> =
        diagram.decisions().iter().map(posterior::decision::influence_diagram::Decision::variable).collect();
    let mut all = Vec::new();
    for variable in variables.ids().filter(|own| !decided.contains(own)) {
        for &decision in &decided {
            // What depends on the decision cannot be known before it.
            let Ok(informed) = diagram.observing(variable, decision) else { continue };
            let informed = informed.solve(Budget::available()).map_err(refused)?;
            let value = informed.expected_utility() - expected_utility;
            let name = |own| variables.name(own).to_owned();
            all.push(Worth { variable: name(variable), decision: name(decision), value });
        }
    }
    all.sort_by(|a, b| b.value.total_cmp(&a.value));
    Ok(all)
}

fn header(policy: &PolicyOutput) -> Vec<String> {
    let losses = policy.options.iter().map(|own| format!("loss of {own}"));
    policy.knowing.iter().cloned().chain([policy.decision.clone()]).chain(losses).collect()
}

fn rows_of(policy: &PolicyOutput) -> Vec<Vec<String>> {
    let row = |own: &Situation| {
        let choice = own.choice.clone().unwrap_or_else(|| "(impossible)".to_owned());
        own.states
            .iter()
            .cloned()
            .chain([choice])
            .chain(own.losses.iter().map(|loss| significant(*loss)))
            .collect()
    };
    policy.rows.iter().map(row).collect()
}

fn text(source: &str, output: &Output) -> String {
    let mut text = format!("{source}: expected utility {}\n", significant(output.expected_utility));
    for policy in &output.policies {
        // Writing to a string cannot fail.
        let _ = write!(text, "\n{}", text_table::aligned(&header(policy), rows_of(policy)));
    }
    let worth = output
        .information
        .iter()
        .map(|own| vec![own.variable.clone(), own.decision.clone(), significant(own.value)]);
    if !output.information.is_empty() {
        let table = text_table::aligned(&["known", "before", "is worth"], worth.collect());
        let _ = write!(text, "\n{table}");
    }
    text
}
