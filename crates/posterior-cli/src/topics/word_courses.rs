//! The words of topics at each time, where they drift.

use posterior::topics::dynamic_topics::DynamicTopics;
use posterior::topics::{TopicModel as _, top_words};

use super::fitted_model::FittedModel;
use crate::failure::Failure;
use crate::output::shortest;
use crate::output_folder::OutputFolder;

/// Words of each topic.
const WORDS: usize = 15;

/// The probability of the intervals.
const LEVEL: f64 = 0.9;

/// Writes `words_over_time.csv` of dynamic topics: the most probable words of each topic at each time.
pub(super) fn write(folder: &OutputFolder, model: &FittedModel) -> Result<(), Failure> {
    let FittedModel::Dynamic(model) = model else { return Ok(()) };
    let mut rows = Vec::new();
    for k in 0..model.topics().len() {
        for ranked in top_words::by_probability(model.topics(), k, WORDS) {
            rows.extend(course(model, k, ranked.word)?);
        }
    }
    folder.put_table("words_over_time.csv", ["topic", "word", "time", "p", "low", "high"], rows)
}

/// A row for each time.
fn course(model: &DynamicTopics, topic: usize, word: usize) -> Result<Vec<[String; 6]>, Failure> {
    let ends = model.word_course(topic, word, LEVEL)?;
    let row = |(t, [low, high]): (usize, [f64; 2])| {
        let numbers = [model.times()[t], model.topic_word(t)[(topic, word)], low, high].map(shortest);
        let [time, p, low, high] = numbers;
        [topic.to_string(), model.topics().vocabulary()[word].clone(), time, p, low, high]
    };
    Ok(ends.into_iter().enumerate().map(row).collect())
}
