//! Measures of how good topics are, for the page.

use posterior::topics::coherence::{diversity, effective_words, exclusivity};
use posterior::topics::topic_map::TopicMap;
use posterior_report::{PageTable, Section, TableColumn};

use super::TopicReport;

/// Words of a topic whose exclusivity and diversity are measured.
const WORDS_MEASURED: usize = 10;

/// What is measured of each topic.
pub(super) struct Quality {
    pub(super) coherence: Vec<f64>,
    exclusivity: Vec<f64>,
    effective_words: Vec<f64>,
    pub(super) diversity: f64,
}

impl TopicReport<'_> {
    pub(super) fn quality(&self) -> Quality {
        let topics = &self.shown.topics;
        Quality {
            coherence: self.coherence.topics.iter().take(topics.len()).map(|own| own.0).collect(),
            exclusivity: exclusivity(topics, WORDS_MEASURED),
            effective_words: effective_words(topics),
            diversity: diversity(topics, WORDS_MEASURED),
        }
    }

    /// A row a topic: what is measured of it, and which topic is nearest.
    pub(super) fn measures(&self, quality: &Quality, map: Option<&TopicMap>) -> Section {
        let nearest = |k: usize| map.and_then(|map| map.nearest[k]);
        let number = |value: f64| if value.is_finite() { format!("{value:.2}") } else { "–".to_owned() };
        let row = |k: usize| {
            let (near, distance) = nearest(k).map_or(("–".to_owned(), f64::NAN), |(other, distance)| {
                (self.label(other, 2).join(" · "), distance)
            });
            vec![
                self.title(k),
                format!("{:.1} %", 100.0 * self.topics.weights()[k]),
                number(quality.coherence[k]),
                number(quality.exclusivity[k]),
                format!("{:.0}", quality.effective_words[k]),
                near,
                number(distance),
            ]
        };
        let text = format!(
            "{} Exclusivity: how much of the {WORDS_MEASURED} most probable words is the topic's own. \
             Effective words: how many equally probable words would be as hard to guess. Distance (Hellinger) to the nearest topic: 0 for the same, 1 \
             for no word in common.",
            self.coherence.explained()
        );
        let rows = (0..self.shown.len()).map(row);
        let names =
            ["Topic", "Proportion", "Coherence", "Exclusivity", "Effective words", "Nearest", "Distance"];
        let mut table = PageTable::new(names, rows);
        table.columns[5] = TableColumn::text("Nearest");
        Section::new("How good the topics are", text, table)
    }
}
