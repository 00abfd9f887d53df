//! The blocks of a program as they grow.

use std::fmt::Write as _;

use crate::Error;
use crate::hyperparameter::Hyperparameter;
use crate::prior::HyperparameterPrior;

/// A value of the data.
#[derive(Debug)]
pub(super) enum DataValue {
    Count(usize),
    Places(Vec<usize>),
    Numbers(Vec<f64>),
    /// A matrix.
    Columns(Vec<Vec<f64>>),
}

/// What the blocks hold so far.
#[derive(Debug, Default)]
pub(super) struct Sections {
    about: Vec<String>,
    data: Vec<String>,
    parameters: Vec<String>,
    transformed: Vec<String>,
    predictor: Vec<String>,
    model: Vec<String>,
    likelihood: String,
    generated: String,
    values: Vec<(String, DataValue)>,
}

/// A line with what it is.
fn commented(line: String, what: &str) -> String {
    if what.is_empty() { line } else { format!("{line} // {}", what.replace(['\n', '\r'], " ")) }
}

impl Sections {
    pub(super) fn new(about: &[&str]) -> Self {
        let about = about.iter().flat_map(|own| own.lines()).map(|line| format!("// {line}")).collect();
        Self { about, ..Self::default() }
    }

    /// The number of rows.
    pub(super) fn rows(&mut self, rows: usize) {
        self.data("int<lower=0> N;".to_owned(), "rows", "N", DataValue::Count(rows));
    }

    pub(super) fn data(&mut self, declaration: String, what: &str, name: &str, value: DataValue) {
        self.data.push(commented(declaration, what));
        self.values.push((name.to_owned(), value));
    }

    pub(super) fn parameter(&mut self, declaration: String, what: &str) {
        self.parameters.push(commented(declaration, what));
    }

    pub(super) fn transformed(&mut self, declaration: String, what: &str) {
        self.transformed.push(commented(declaration, what));
    }

    /// A summand of the linear predictor.
    pub(super) fn predictor(&mut self, summand: &str) {
        self.predictor.push(summand.to_owned());
    }

    pub(super) fn statement(&mut self, statement: String, what: &str) {
        self.model.push(commented(statement, what));
    }

    /// The prior of a hyperparameter that has this name in the program.
    pub(super) fn prior(&mut self, name: &str, own: &Hyperparameter) -> Result<(), Error> {
        self.statements(name, &own.name, &own.prior)
    }

    /// A prior of what has this name in the program, and is called so in the model.
    pub(super) fn statements(
        &mut self,
        name: &str,
        called: &str,
        prior: &HyperparameterPrior,
    ) -> Result<(), Error> {
        if prior.is_flat() {
            self.flat(name, called);
            return Ok(());
        }
        let written =
            prior.stan(name).ok_or_else(|| Error::unwritten(&format!("the prior {prior} of"), called))?;
        self.statement(written, called);
        Ok(())
    }

    /// That something has no prior.
    pub(super) fn flat(&mut self, name: &str, called: &str) {
        self.model.push(format!("// {name} is flat: {called}"));
    }

    pub(super) fn likelihood(&mut self, statement: String) {
        self.likelihood = statement;
    }

    pub(super) fn generated(&mut self, statements: String) {
        self.generated = statements;
    }

    /// The program.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        for line in &self.about {
            let _ = writeln!(text, "{line}");
        }
        let mut block = |name: &str, lines: &[String]| {
            let _ = writeln!(text, "{name} {{");
            for line in lines {
                let _ = writeln!(text, "  {line}");
            }
            text += "}\n";
        };
        block("data", &self.data);
        block("parameters", &self.parameters);
        let eta = format!("vector[N] eta = {}; // the linear predictor", self.predictor.join(" + "));
        block("transformed parameters", &[&self.transformed[..], &[eta]].concat());
        block("model", &[&self.model[..], std::slice::from_ref(&self.likelihood)].concat());
        block("generated quantities", std::slice::from_ref(&self.generated));
        text
    }

    /// The data.
    pub(super) fn json(&self) -> String {
        fn list(members: impl IntoIterator<Item = String>) -> String {
            format!("[{}]", members.into_iter().collect::<Vec<_>>().join(", "))
        }
        let value = |own: &DataValue| match own {
            DataValue::Count(n) => n.to_string(),
            DataValue::Places(all) => list(all.iter().map(ToString::to_string)),
            DataValue::Numbers(all) => list(all.iter().map(ToString::to_string)),
            DataValue::Columns(columns) => {
                let rows = columns.first().map_or(0, Vec::len);
                let row = |i: usize| list(columns.iter().map(|column| column[i].to_string()));
                list((0..rows).map(row))
            }
        };
        let members = self.values.iter().map(|(name, own)| format!("  \"{name}\": {}", value(own)));
        format!("{{\n{}\n}}\n", members.collect::<Vec<_>>().join(",\n"))
    }
}
