//! Reading models.

use posterior_graph::{Error as GraphError, VarId};

use super::words::Words;
use crate::format::model::{Model, ModelFile};
use crate::{BayesianNetwork, Error, Format, MarkovRandomField, ParseError, Table, Variables};

/// The variables of a table, and where they stand.
type Scope = (Vec<VarId>, usize);

/// States that a small file may always have, in all its variables together; a larger one may have as many as
/// it has bytes.
const STATES: usize = 1 << 20;

/// The model in a file. O(bytes).
///
/// # Errors
/// What is wrong first, with its line and column.
pub fn read(bytes: &[u8]) -> Result<ModelFile, ParseError> {
    let mut words = Words::new(bytes);
    let bayesian = match words.peek() {
        b"BAYES" => true,
        b"MARKOV" => false,
        _ => return Err(words.expected("`MARKOV` or `BAYES`")),
    };
    words.next();
    let cards = cards(&mut words)?;
    let variables = Variables::numbered(&cards).map_err(|error| words.source.error(0, error.to_string()))?;
    let scopes = scopes(&mut words, cards.len())?;
    if bayesian {
        check_children(&words, &scopes, &variables)?;
    }
    let mut tables = Vec::with_capacity(scopes.len());
    let mut places = Vec::with_capacity(scopes.len());
    for (scope, place) in scopes {
        tables.push(table(&mut words, scope, &cards, bayesian)?);
        places.push(place);
    }
    words.end()?;
    if !bayesian {
        let field = MarkovRandomField::new(variables, tables);
        let field = field.map_err(|error| words.source.error(0, error.to_string()))?;
        let model = Model::Markov(field);
        return Ok(ModelFile { format: Format::Uai, name: String::new(), model, renormalized: Vec::new() });
    }
    let children: Vec<Option<VarId>> = tables.iter().map(|table| table.scope().last().copied()).collect();
    let names = variables.names().clone();
    let (network, renormalized) = BayesianNetwork::normalized(variables, tables).map_err(|error| {
        let child = match &error {
            Error::Graph(GraphError::Cycle { cycle }) => cycle.get(1).and_then(|name| names.find(name)),
            _ => None,
        };
        let table = children.iter().position(|own| child.is_some() && *own == child);
        words.source.error(table.map_or(0, |table| places[table]), error.to_string())
    })?;
    Ok(ModelFile { format: Format::Uai, name: String::new(), model: Model::Bayesian(network), renormalized })
}

/// How many states each variable has.
fn cards(words: &mut Words<'_>) -> Result<Vec<usize>, ParseError> {
    let count = words.count("the number of variables")?;
    let mut left = words.source.bytes.len().max(STATES);
    let mut cards = Vec::with_capacity(count);
    for _ in 0..count {
        let at = words.at;
        let card = words.integer("the number of states of each variable")?;
        if card == 0 {
            return Err(words.source.error(at, "a variable without states"));
        }
        left = left.checked_sub(card).ok_or_else(|| {
            words.source.error(at, format!("{card} states are more than a file of this size can describe"))
        })?;
        cards.push(card);
    }
    Ok(cards)
}

/// The variables of each table, and where they stand.
fn scopes(words: &mut Words<'_>, variables: usize) -> Result<Vec<Scope>, ParseError> {
    let count = words.count("the number of tables")?;
    let mut scopes = Vec::with_capacity(count);
    let mut seen = vec![usize::MAX; variables];
    for table in 0..count {
        let place = words.at;
        let arity = words.count("the number of variables of a table")?;
        let mut scope = Vec::with_capacity(arity);
        for _ in 0..arity {
            let at = words.at;
            let v = words.variable(variables)?;
            if std::mem::replace(&mut seen[v.index()], table) == table {
                return Err(words
                    .source
                    .error(at, format!("variable {} comes twice in one table", v.index())));
            }
            scope.push(v);
        }
        scopes.push((scope, place));
    }
    Ok(scopes)
}

/// That each variable is the last one of one table.
fn check_children(words: &Words<'_>, scopes: &[Scope], variables: &Variables) -> Result<(), ParseError> {
    let mut seen = vec![false; variables.len()];
    for (scope, place) in scopes {
        let Some(child) = scope.last() else {
            return Err(words.source.error(*place, "a conditional table without variables"));
        };
        if std::mem::replace(&mut seen[child.index()], true) {
            let message = format!("a second table whose last variable, the child, is {}", child.index());
            return Err(words.source.error(*place, message));
        }
    }
    match seen.iter().position(|seen| !seen) {
        None => Ok(()),
        Some(v) => Err(words.expected(&format!("a table whose last variable, the child, is {v}"))),
    }
}

fn table(
    words: &mut Words<'_>,
    scope: Vec<VarId>,
    cards: &[usize],
    bayesian: bool,
) -> Result<Table, ParseError> {
    let at = words.at;
    let cards: Vec<usize> = scope.iter().map(|v| cards[v.index()]).collect();
    let cells = cards.iter().try_fold(1usize, |cells, &card| cells.checked_mul(card));
    let count = words.count("the number of entries of the table")?;
    if cells != Some(count) {
        let cells =
            cells.map_or_else(|| "more than a computer can count".to_owned(), |cells| cells.to_string());
        let message = format!("the table has {count} entries, and its variables have {cells} joint states");
        return Err(words.source.error(at, message));
    }
    let row = if bayesian { cards.last().copied().unwrap_or(1) } else { 0 };
    let mut values = Vec::with_capacity(count);
    let mut start = words.at;
    for i in 0..count {
        if bayesian && i % row == 0 {
            start = words.at;
        }
        values.push(words.weight("an entry of the table, not negative")?);
        if bayesian && i % row == row - 1 {
            let sum: f64 = values[i + 1 - row..].iter().sum();
            if !(sum > 0.0 && sum.is_finite()) {
                return Err(words.source.error(start, format!("the row adds up to {sum}")));
            }
        }
    }
    Table::new(scope, cards, values).map_err(|error| words.source.error(at, error.to_string()))
}
