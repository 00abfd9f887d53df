//! How coherent the topics of a page are.

use serde::Serialize;

use crate::json;

/// The coherence of topics.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Coherence {
    /// The measure, such as `NPMI`.
    pub(crate) measure: &'static str,
    /// The width of the windows; `None` for whole documents.
    pub(crate) window: Option<usize>,
    /// Words of a topic.
    pub(crate) words: usize,
    /// Over the topics that have one.
    #[serde(serialize_with = "json::number")]
    pub(crate) mean: f64,
    /// Of each topic; NaN where fewer than two of its words occur.
    pub(crate) topics: Vec<json::Number>,
}

impl Coherence {
    /// What the measure is, for the page.
    pub(crate) fn explained(&self) -> String {
        let scale = match self.measure {
            "UMass" => {
                "the mean logarithm of the proportion of a word's places that have a word ranked above it; at most 0"
            }
            "UCI" => "mutual information; 0 for words that have nothing to do with each other",
            "NPMI" => {
                "normalised mutual information from −1 to 1, 0 for words that have nothing to do with each other"
            }
            _ => "whether they keep the same company, by the cosine of their normalised mutual information",
        };
        format!(
            "Coherence: whether the {} most probable words come in {}, as {scale}.",
            self.words,
            self.places()
        )
    }

    /// Where words are looked for together.
    pub(crate) fn places(&self) -> String {
        self.window
            .map_or_else(|| "the same documents".to_owned(), |width| format!("windows of {width} words"))
    }
}
