//! Draws from a table with a column `chain`, or from the file of a chain that CmdStan wrote.

use std::io::{BufRead, BufReader, Read};
use std::str::FromStr;

use super::fields::split;
use super::{Draws, FileError, names};
use crate::Error;

/// The names of the column that says the chain of a draw.
const CHAIN: [&str; 2] = ["chain", ".chain"];
/// Columns that number draws, and are none: of these names the first beside `chain`, and both of the others
/// beside `.chain`. Any other column may be a parameter that somebody called `step`.
const COUNTERS: [&str; 3] = ["draw", "iteration", "step"];
const DOTTED_COUNTERS: [&str; 2] = [".draw", ".iteration"];
const LARGEST_LINE: u64 = 1 << 28;

impl Draws {
    /// Reads draws: a header and a row for each draw, separated by commas.
    ///
    /// - With a column `chain` (or `.chain`): the chains may stand one after another or take turns; `draw`,
    ///   `iteration` or `step` (or `.draw` and `.iteration`) number the draws of a chain, and must then rise.
    /// - Without: one chain as CmdStan writes it, recognised by its `lp__`; `theta.1.2` becomes `theta[1,2]`,
    ///   draws of a saved warm-up are left out, and where the comments tell the `max_depth`, there is the
    ///   statistic `reached_max_treedepth`. [`join`](Self::join) puts chains together.
    ///
    /// Columns whose names end in `__` are statistics, under the names of ArviZ. Numbers may be `nan` and
    /// `inf`.
    ///
    /// The file is read line by line; the draws are kept.
    ///
    /// # Errors
    /// What is not such a table, with line and column, the numbers of CmdStan's comments included; chains of
    /// different lengths.
    pub fn read_csv(input: impl Read) -> Result<Self, FileError> {
        let mut lines = Lines { input: BufReader::new(input), line: 0, text: String::new() };
        let mut comments = Comments::default();
        let header = loop {
            if !lines.advance()? {
                return Err(FileError::Empty { line: lines.line, expected: "a header" });
            }
            if let Some(comment) = lines.text.strip_prefix('#') {
                comments.note(comment, &lines)?;
            } else if !lines.text.trim().is_empty() {
                break Header::new(&lines)?;
            }
        };
        let mut table = Table { header, chains: Vec::new(), last: 0 };
        while lines.advance()? {
            if let Some(comment) = lines.text.strip_prefix('#') {
                if comments.note(comment, &lines)? {
                    table.chains.clear();
                }
            } else if !lines.text.trim().is_empty() {
                table.push(&lines)?;
            }
        }
        table.finish(&comments, lines.line)
    }
}

/// A file, line by line.
struct Lines<R> {
    input: BufReader<R>,
    line: u64,
    text: String,
}

impl<R: Read> Lines<R> {
    /// Whether there is another line.
    fn advance(&mut self) -> Result<bool, FileError> {
        let mut bytes = std::mem::take(&mut self.text).into_bytes();
        bytes.clear();
        let read = self.input.by_ref().take(LARGEST_LINE).read_until(b'\n', &mut bytes)?;
        if read == 0 {
            return Ok(false);
        }
        self.line += 1;
        if read as u64 == LARGEST_LINE {
            return Err(self.wrong(None, "lines of a table", "a line without end"));
        }
        let end = bytes.iter().rposition(|b| !matches!(b, b'\n' | b'\r')).map_or(0, |last| last + 1);
        bytes.truncate(end);
        if self.line == 1 && bytes.starts_with("\u{feff}".as_bytes()) {
            bytes.drain(..3);
        }
        self.text = String::from_utf8(bytes).map_err(|_| self.wrong(None, "text in UTF-8", "other bytes"))?;
        Ok(true)
    }
}

impl<R> Lines<R> {
    fn wrong(&self, column: Option<&str>, expected: &str, found: &str) -> FileError {
        FileError::Expected {
            line: self.line,
            column: column.map(str::to_owned),
            expected: expected.to_owned(),
            found: found.to_owned(),
        }
    }

    /// What a comment says of a key.
    fn whole_number<T: FromStr>(&self, key: &str, value: &str) -> Result<T, FileError> {
        value
            .parse()
            .map_err(|_| self.wrong(None, &format!("a whole number after \"{key} =\""), &quoted(value)))
    }
}

/// What stands in a place where there may be nothing.
fn quoted(text: &str) -> String {
    if text.is_empty() { "nothing".to_owned() } else { format!("{text:?}") }
}

/// What the comments of CmdStan tell.
#[derive(Default)]
struct Comments {
    max_depth: Option<u32>,
    saves_warm_up: bool,
    warm_up: usize,
    thin: usize,
    is_adapted: bool,
}

impl Comments {
    /// Whether the warm-up ends here.
    fn note<R>(&mut self, comment: &str, lines: &Lines<R>) -> Result<bool, FileError> {
        if comment.trim_start().starts_with("Adaptation terminated") {
            self.is_adapted = true;
            return Ok(true);
        }
        if let Some((key, value)) = comment.split_once('=') {
            let value = value.split_whitespace().next().unwrap_or_default();
            let key = key.trim();
            match key {
                "max_depth" => self.max_depth = Some(lines.whole_number(key, value)?),
                "save_warmup" => self.saves_warm_up = matches!(value, "1" | "true"),
                "num_warmup" => self.warm_up = lines.whole_number(key, value)?,
                "thin" => self.thin = lines.whole_number(key, value)?,
                _ => {}
            }
        }
        Ok(false)
    }

    /// Draws of a warm-up that no line of the file ends.
    const fn to_drop(&self) -> usize {
        let thin = if self.thin == 0 { 1 } else { self.thin };
        if self.saves_warm_up && !self.is_adapted { self.warm_up.div_ceil(thin) } else { 0 }
    }
}

/// What a column holds.
#[derive(Clone, Copy, PartialEq)]
enum Role {
    Chain,
    Counter,
    Parameter,
    Statistic,
}

struct Header {
    columns: Vec<(String, Role)>,
}

impl Header {
    fn new<R>(lines: &Lines<R>) -> Result<Self, FileError> {
        let fields = split(&lines.text).map_err(|found| lines.wrong(None, "names of columns", found))?;
        let names: Vec<&str> = fields.iter().map(|name| name.trim()).collect();
        let chain = names.iter().position(|name| is_one_of(name, &CHAIN));
        let has_chain = chain.is_some();
        if !has_chain && !names.contains(&"lp__") {
            let found = names.iter().take(6).map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", ");
            let expected = "a column \"chain\" (or \"lp__\", as CmdStan has it)";
            return Err(lines.wrong(None, expected, &found));
        }
        let counters = chain.map_or_else(Vec::new, |chain| counters(&names, names[chain].starts_with('.')));
        let role = |(place, name): (usize, &&str)| {
            if Some(place) == chain {
                Role::Chain
            } else if counters.contains(&place) {
                Role::Counter
            } else if names::statistic(name).is_some() {
                Role::Statistic
            } else {
                Role::Parameter
            }
        };
        let roles: Vec<Role> = names.iter().enumerate().map(role).collect();
        if let Some(place) = names.iter().position(|name| name.is_empty()) {
            let found = format!("column {} without one", place + 1);
            return Err(lines.wrong(None, "a name for each column", &found));
        }
        if names.iter().filter(|name| is_one_of(name, &CHAIN)).count() > 1 {
            return Err(lines.wrong(None, "one column \"chain\"", "several"));
        }
        if !roles.contains(&Role::Parameter) {
            return Err(lines.wrong(None, "a column for each parameter", "none"));
        }
        let own = |name: &str| match names::statistic(name) {
            Some(statistic) => statistic,
            None if has_chain => name.to_owned(),
            None => names::from_dots(name),
        };
        Ok(Self { columns: names.iter().map(|name| own(name)).zip(roles).collect() })
    }

    fn names(&self, role: Role) -> Vec<String> {
        self.columns.iter().filter(|(_, own)| *own == role).map(|(name, _)| name.clone()).collect()
    }
}

/// Whether a name is one of these, in capitals or not.
fn is_one_of(name: &str, list: &[&str]) -> bool {
    list.iter().any(|own| name.eq_ignore_ascii_case(own))
}

/// The places of columns that number the draws of a table whose chain is called `.chain`, or `chain`.
fn counters(names: &[&str], dotted: bool) -> Vec<usize> {
    let first = |list: &[&str]| names.iter().position(|name| is_one_of(name, list));
    if dotted {
        DOTTED_COUNTERS.iter().filter_map(|own| first(&[own])).collect()
    } else {
        first(&COUNTERS).into_iter().collect()
    }
}

/// The rows of a chain.
#[derive(Default)]
struct ChainRows {
    label: String,
    /// What each counter was last.
    counters: Vec<f64>,
    parameters: Vec<f64>,
    statistics: Vec<f64>,
}

struct Table {
    header: Header,
    chains: Vec<ChainRows>,
    last: usize,
}

impl Table {
    fn push<R>(&mut self, lines: &Lines<R>) -> Result<(), FileError> {
        let fields = split(&lines.text).map_err(|found| lines.wrong(None, "numbers", found))?;
        let columns = &self.header.columns;
        if fields.len() != columns.len() {
            let (expected, found) = (format!("{} fields, as in the header", columns.len()), fields.len());
            return Err(lines.wrong(None, &expected, &found.to_string()));
        }
        let label =
            columns.iter().position(|(_, role)| *role == Role::Chain).map_or("", |at| fields[at].trim());
        if label.is_empty() && columns.iter().any(|(_, role)| *role == Role::Chain) {
            return Err(lines.wrong(Some("chain"), "the number of a chain", "nothing"));
        }
        if self.chains.get(self.last).is_none_or(|chain| chain.label != label) {
            let known = self.chains.iter().position(|chain| chain.label == label);
            self.last = known.unwrap_or(self.chains.len());
            if known.is_none() {
                self.chains.push(ChainRows { label: label.to_owned(), ..ChainRows::default() });
            }
        }
        let chain = &mut self.chains[self.last];
        let mut counters = Vec::new();
        for (field, (name, role)) in fields.iter().zip(columns) {
            if *role == Role::Chain {
                continue;
            }
            let field = field.trim();
            let Ok(number) = field.parse::<f64>() else {
                return Err(lines.wrong(Some(name), "a number", &quoted(field)));
            };
            match role {
                Role::Parameter => chain.parameters.push(number),
                Role::Statistic => chain.statistics.push(number),
                _ => counters.push((name, number)),
            }
        }
        for (&before, (name, now)) in chain.counters.iter().zip(&counters) {
            if !(*now > before) {
                let expected = format!("more than {before}, for draws of a chain stand in their order");
                return Err(lines.wrong(Some(name), &expected, &now.to_string()));
            }
        }
        chain.counters = counters.into_iter().map(|(_, now)| now).collect();
        Ok(())
    }

    fn finish(mut self, comments: &Comments, line: u64) -> Result<Draws, FileError> {
        let (names, mut statistics) =
            (self.header.names(Role::Parameter), self.header.names(Role::Statistic));
        for chain in &mut self.chains {
            let drop = |rows: &mut Vec<f64>, width: usize| {
                rows.drain(..comments.to_drop().saturating_mul(width).min(rows.len()));
            };
            drop(&mut chain.parameters, names.len());
            drop(&mut chain.statistics, statistics.len());
        }
        let Some(first) = self.chains.first().filter(|chain| !chain.parameters.is_empty()) else {
            return Err(FileError::Empty { line, expected: "a row for each draw" });
        };
        let draws = |chain: &ChainRows| chain.parameters.len() / names.len();
        if let Some(other) = self.chains.iter().find(|chain| draws(chain) != draws(first)) {
            return Err(Error::UnequalChains {
                first: first.label.clone(),
                expected: draws(first),
                other: other.label.clone(),
                found: draws(other),
            }
            .into());
        }
        let depth = statistics.iter().position(|name| name == "tree_depth").zip(comments.max_depth);
        if let Some((depth, most)) =
            depth.filter(|_| !statistics.iter().any(|own| own == "reached_max_treedepth"))
        {
            for chain in &mut self.chains {
                let rows = chain.statistics.chunks_exact(statistics.len());
                let reached = |row: &[f64]| f64::from(u8::from(row[depth] >= f64::from(most)));
                chain.statistics = rows.flat_map(|row| row.iter().copied().chain([reached(row)])).collect();
            }
            statistics.push("reached_max_treedepth".to_owned());
        }
        let (parameters, numbers) =
            self.chains.into_iter().map(|chain| (chain.parameters, chain.statistics)).unzip();
        Ok(Draws::new(names, parameters)?.with_statistics_if_any(statistics, numbers)?)
    }
}
