//! What tells the classes apart: words, or columns of a logistic regression.

use posterior::text::naive_bayes::NaiveBayes;
use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};

use super::features::{Features, RowFeatures};
use super::logistic::{Spread, Telling, TellingTerm};
use super::model::{Lesson, Model};
use super::recipe::Recipe;
use crate::failure::Failure;
use crate::level::Level;
use crate::output::significant;

/// Telling words of each class.
const TELLING: usize = 10;

/// What tells a class from the others.
#[derive(Debug, Serialize)]
pub(super) struct TopWords {
    pub(super) class: String,
    pub(super) words: Vec<TopWord>,
}

#[derive(Debug)]
pub(super) struct TopWord {
    pub(super) word: String,
    pub(super) ln_odds: f64,
    /// None under a penalty of absolute values, which leaves no posterior to speak of.
    pub(super) spread: Option<Spread>,
    level: Level,
}

impl TopWords {
    /// A row of cells for each word, and the names of the cells; without an interval where there is none.
    pub(super) fn table(&self, level: Level) -> (Vec<String>, Vec<Vec<String>>) {
        let mut header = vec!["word".to_owned(), "ln odds".to_owned()];
        if self.has_intervals() {
            header.extend(level.percents());
        }
        let row = |own: &TopWord| {
            let ends = own.spread.iter().flat_map(|Spread { interval, .. }| interval.map(significant));
            [own.word.clone(), significant(own.ln_odds)].into_iter().chain(ends).collect()
        };
        (header, self.words.iter().map(row).collect())
    }

    pub(super) fn has_intervals(&self) -> bool {
        self.words.iter().any(|own| own.spread.is_some())
    }
}

impl Serialize for TopWord {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("word", &self.word)?;
        map.serialize_entry("ln_odds", &self.ln_odds)?;
        if let Some(Spread { sd, interval }) = &self.spread {
            map.serialize_entry("sd", sd)?;
            for (name, end) in self.level.names().iter().zip(interval) {
                map.serialize_entry(name, end)?;
            }
        }
        map.end()
    }
}

/// The telling words of each class, and what to say of their intervals; none of naive Bayes of rows, of one
/// class, and without smoothing.
pub(super) fn of_classes(
    names: &[String],
    model: &Model,
    lesson: &Lesson<'_>,
    recipe: &Recipe,
    level: Level,
) -> Result<(Vec<TopWords>, Option<String>), Failure> {
    match model {
        Model::Logistic(own) => {
            let (places, rows) = ((lesson.source, lesson.features, lesson.inputs), lesson.labels);
            let Telling { of_class, caution } =
                own.telling(places, (rows, lesson.classes), recipe, (TELLING, level))?;
            let words = |(class, terms): (&String, Vec<TellingTerm>)| TopWords {
                class: class.clone(),
                words: terms.into_iter().map(|own| of_term(lesson.features, &own, level)).collect(),
            };
            Ok((names.iter().zip(of_class).map(words).collect(), caution))
        }
        _ => Ok((of_model(names, model, lesson.features, level)?, None)),
    }
}

/// Those that a model tells without its data: none of a logistic regression.
pub(super) fn of_model(
    names: &[String],
    model: &Model,
    features: &Features,
    level: Level,
) -> Result<Vec<TopWords>, Failure> {
    let (Model::TextBayes(own), Features::Texts(texts)) = (model, features) else { return Ok(Vec::new()) };
    if names.len() < 2 || own.model.options().smoothing == 0.0 {
        return Ok(Vec::new());
    }
    let of_class = |(class, name): (usize, &String)| {
        let words = words(&own.model, &texts.vocabulary, class, level)?;
        Ok(TopWords { class: name.clone(), words })
    };
    names.iter().enumerate().map(of_class).collect()
}

fn words(
    model: &NaiveBayes,
    vocabulary: &[String],
    class: usize,
    level: Level,
) -> Result<Vec<TopWord>, Failure> {
    let output = model.telling_words(class, level.probability(), TELLING)?.into_iter().map(|word| TopWord {
        word: vocabulary[word.word as usize].clone(),
        ln_odds: word.mean,
        spread: Some(Spread { sd: word.sd, interval: [word.lower, word.upper] }),
        level,
    });
    Ok(output.collect())
}

fn of_term(features: &Features, term: &TellingTerm, level: Level) -> TopWord {
    let word = match features {
        Features::Texts(own) => own.vocabulary[term.place].clone(),
        Features::Rows(own) => column_name(own, term.place),
    };
    TopWord { word, ln_odds: term.ln_odds, spread: term.spread, level }
}

/// A column of a design by its name, a category with its level.
fn column_name(features: &RowFeatures, mut place: usize) -> String {
    for column in &features.columns {
        let width = column.levels.as_ref().map_or(1, Vec::len);
        if place < width {
            return match &column.levels {
                Some(levels) => format!("{}={}", column.name, levels[place]),
                None => column.name.clone(),
            };
        }
        place -= width;
    }
    String::new()
}
