//! How attributes are made of what a file says.

use std::path::Path;

use posterior::sequence::Error;
use posterior::sequence::crf::{AttributeSequence, SequenceBuilder};
use posterior::table::read_text;
use posterior::text::columns::{AttributeLists, TokenTable};
use posterior::text::templates::{TaggingFeatures, Templates};
use serde::{Deserialize, Serialize};

use super::sequences_input::{Form, Sequences};
use crate::args::CrfInput;
use crate::failure::Failure;

/// How attributes are made; a model keeps it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub(super) enum Recipe {
    /// They stand in the file.
    Attributes,
    /// The cells of the token.
    None,
    /// The templates of the task of chunks.
    Chunking,
    /// The spelling of the words around.
    Tagging,
    /// CRF++ templates.
    Templates {
        /// The file.
        text: String,
    },
}

/// A recipe that is ready to be used.
pub(super) struct Cook {
    recipe: Recipe,
    templates: Templates,
    /// Columns of the model's data, the label's among them.
    columns: Option<usize>,
}

impl Recipe {
    /// What `--templates` and `--input` ask for.
    pub(super) fn of(templates: Option<&str>, input: CrfInput) -> Result<Self, Failure> {
        match (templates, input) {
            (_, CrfInput::Attributes) => Ok(Self::Attributes),
            (None | Some("none"), _) => Ok(Self::None),
            (Some("chunking"), _) => Ok(Self::Chunking),
            (Some("tagging"), _) => Ok(Self::Tagging),
            (Some(file), _) => {
                let (_, text) = read_text(Path::new(file)).map_err(|failure| {
                    failure.with_hint("--templates takes a file, or chunking, tagging, none")
                })?;
                let templates: Templates =
                    text.parse().map_err(|error| Failure::data(format!("{file}: {error}")))?;
                if templates.has_transitions() {
                    Ok(Self::Templates { text })
                } else {
                    let message =
                        format!("{file}: no line `B`, without which labels know nothing of each other");
                    Err(Failure::data(message).with_hint("add a line with the letter B alone"))
                }
            }
        }
    }
}

impl Cook {
    /// Of a recipe, for data with so many columns.
    pub(super) fn new(recipe: Recipe, columns: Option<usize>) -> Result<Self, Error> {
        let templates = match &recipe {
            Recipe::Chunking => Templates::chunking(),
            Recipe::Templates { text } => text.parse()?,
            _ => Templates::default(),
        };
        Ok(Self { recipe, templates, columns })
    }

    pub(super) const fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    pub(super) const fn columns(&self) -> Option<usize> {
        self.columns
    }

    /// Whether the columns are enough for the templates, the last one being the label.
    pub(super) fn check(&self, sequences: &Sequences) -> Result<(), Failure> {
        let (Some(own), Some(found)) = (self.columns, sequences.columns()) else { return Ok(()) };
        let needed = self.templates.columns().max(1);
        if own < needed + 1 {
            let message =
                format!("{}: {own} columns, expected at least {} and a label", sequences.source, needed);
            return Err(Failure::data(message));
        }
        if found == own || found + 1 == own {
            return Ok(());
        }
        Err(Failure::data(format!("{}: {found} columns, the model has {own}", sequences.source)))
    }

    /// A sequence, put together in `builder`.
    pub(super) fn sequence(
        &self,
        builder: SequenceBuilder<'_>,
        sequences: &Sequences,
        index: usize,
    ) -> Result<AttributeSequence, Error> {
        match &sequences.form {
            Form::Tables(tables) => self.of_table(builder, &tables[index]),
            Form::Lists(lists) => of_list(builder, &lists[index]),
        }
    }

    fn of_table(
        &self,
        mut builder: SequenceBuilder<'_>,
        table: &TokenTable,
    ) -> Result<AttributeSequence, Error> {
        let output = self.columns.map_or_else(|| table.columns(), |columns| columns - 1);
        let words: Vec<&str> = table.column(0).collect();
        for token in 0..table.len() {
            match self.recipe {
                Recipe::Tagging => {
                    builder.present(TaggingFeatures::default().attributes(&words, token))?;
                }
                Recipe::Chunking | Recipe::Templates { .. } => {
                    builder.present(self.templates.attributes(table, token)?)?;
                    let steps = self.templates.step_attributes(table, token)?;
                    builder.step(steps.iter().map(|name| (name, 1.0)))?;
                }
                Recipe::None | Recipe::Attributes => {
                    let cells = (0..output).map(|column| format!("{column}={}", table.cell(token, column)));
                    builder.present(cells)?;
                }
            }
        }
        Ok(builder.finish())
    }
}

fn of_list(mut builder: SequenceBuilder<'_>, list: &AttributeLists) -> Result<AttributeSequence, Error> {
    for attributes in &list.attributes {
        builder.token(attributes.iter().map(|own| (&own.name, own.value)))?;
    }
    Ok(builder.finish())
}
