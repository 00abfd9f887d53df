//! An influence diagram from a JSON file.

use posterior::decision::influence_diagram::{Decision, InfluenceDiagram, Utility};
use posterior::pgm::{Evidence, Table, VarId, Variables};
use posterior::table::read_text;
use serde::Deserialize;

use crate::args::DecideDiagram;
use crate::failure::Failure;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DiagramFile {
    variables: Vec<VariableEntry>,
    chances: Vec<ChanceEntry>,
    decisions: Vec<DecisionEntry>,
    utilities: Vec<UtilityEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct VariableEntry {
    name: String,
    states: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ChanceEntry {
    of: String,
    #[serde(default)]
    given: Vec<String>,
    table: Numbers,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DecisionEntry {
    of: String,
    #[serde(default)]
    knowing: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct UtilityEntry {
    name: String,
    of: Vec<String>,
    table: Numbers,
}

/// Numbers in one list, or in lists within each other, one for each variable.
#[derive(Deserialize)]
#[serde(untagged)]
enum Numbers {
    One(f64),
    Many(Vec<Self>),
}

impl Numbers {
    /// The numbers for variables with so many states, the last changing fastest; none of other sizes.
    fn of(&self, cards: &[usize]) -> Option<Vec<f64>> {
        match self {
            Self::Many(all) if all.iter().all(|own| matches!(own, Self::One(_))) => {
                let needed = cards.iter().try_fold(1_usize, |product, &card| product.checked_mul(card))?;
                let numbers =
                    all.iter().filter_map(|own| if let Self::One(own) = own { Some(*own) } else { None });
                (all.len() == needed).then(|| numbers.collect())
            }
            _ => self.nested(cards),
        }
    }

    fn nested(&self, cards: &[usize]) -> Option<Vec<f64>> {
        match (self, cards) {
            (Self::One(own), []) => Some(vec![*own]),
            (Self::Many(all), [card, rest @ ..]) if all.len() == *card => {
                all.iter().map(|own| own.nested(rest)).collect::<Option<Vec<_>>>().map(|all| all.concat())
            }
            _ => None,
        }
    }
}

/// The diagram of a file, after what was seen.
pub(super) fn read(args: &DecideDiagram) -> Result<(String, InfluenceDiagram), Failure> {
    let (source, text) = read_text(&args.file)?;
    let hint = "`posterior decide diagram --help` has an example of such a file";
    let file: DiagramFile = serde_json::from_str(&text)
        .map_err(|error| Failure::data(format!("{source}: {error}")).with_hint(hint))?;
    let mut diagram =
        diagram(&file).map_err(|why| Failure::data(format!("{source}: {why}")).with_hint(hint))?;
    if !args.evidence.is_empty() {
        let mut states = Vec::new();
        for text in &args.evidence {
            let wrong = || Failure::Usage(format!("--evidence {text}: expected NAME=STATE"));
            states.push(text.split_once('=').ok_or_else(wrong)?);
        }
        let evidence = Evidence::named(diagram.variables(), states)
            .map_err(|error| Failure::Usage(format!("--evidence: {error}")))?;
        diagram = diagram.given(&evidence).map_err(|error| Failure::Usage(format!("--evidence: {error}")))?;
    }
    Ok((source, diagram))
}

fn diagram(file: &DiagramFile) -> Result<InfluenceDiagram, String> {
    let entries = file.variables.iter().map(|own| (own.name.clone(), own.states.clone()));
    let variables = Variables::new(entries).map_err(|error| error.to_string())?;
    let ids = |names: &[String]| -> Result<Vec<VarId>, String> {
        names.iter().map(|name| variables.require(name).map_err(|error| error.to_string())).collect()
    };
    let table = |what: &str, scope: Vec<VarId>, numbers: &Numbers| {
        let cards: Vec<usize> = scope.iter().map(|&own| variables.card(own)).collect();
        let Some(values) = numbers.of(&cards) else {
            let sizes: Vec<String> = cards.iter().map(usize::to_string).collect();
            let sizes = sizes.join(" x ");
            return Err(format!(
                "{what}: expected {sizes} numbers, in one list or in lists of these lengths"
            ));
        };
        Table::new(scope, cards, values).map_err(|error| format!("{what}: {error}"))
    };
    let mut chances = Vec::new();
    for own in &file.chances {
        let scope = ids(&[own.given.as_slice(), std::slice::from_ref(&own.of)].concat())?;
        chances.push(table(&format!("table of {}", own.of), scope, &own.table)?);
    }
    let mut decisions = Vec::new();
    for own in &file.decisions {
        let of = ids(std::slice::from_ref(&own.of))?;
        decisions.push(Decision::new(of[0], &ids(&own.knowing)?));
    }
    let mut utilities = Vec::new();
    for own in &file.utilities {
        utilities.push(Utility::new(
            &own.name,
            table(&format!("utility {}", own.name), ids(&own.of)?, &own.table)?,
        ));
    }
    InfluenceDiagram::new(variables, chances, decisions, utilities).map_err(|error| error.to_string())
}
