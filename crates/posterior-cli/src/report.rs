//! The report of a topic model: what the page says, put together from the fit.

mod coherence;
mod course;
mod map;
pub(crate) mod network;
mod page;
mod quality;
mod ridges;
mod shown;
mod vocabulary;

use std::fmt::Write as _;

use posterior::math::linalg::DMatrix;
use posterior::topics::kernel_topics::KernelTopics;
use posterior::topics::similarity::{largest_jumps, most_typical, nearest};
use posterior::topics::topic_map::TopicMap;
use posterior::topics::{Corpus, Error, Topics, TrendBands, top_words};
use posterior_report::{
    Page, PageTable, Section, Stacked, StackedLayer, Stretch, TableColumn, colour, escape,
};

use crate::output::{self, grouped, significant};
pub(crate) use coherence::Coherence;
use course::{Course, SmallCourse};
use page::{Panel, TopicsPage, WordBar};
use quality::Quality;
use ridges::{Ridge, Ridges};
pub(crate) use shown::{RELEVANCE, Shown, relevant_words};

const WORDS_IN_LABEL: usize = 4;
/// Letters that fit beside a row of the chart.
const LETTERS_IN_LABEL: usize = 27;
const WORDS_IN_PANEL: usize = 12;
const TYPICAL: usize = 3;
const JUMPS: usize = 8;
const NEAREST: usize = 6;
/// The colour of what is shown together.
const OTHERS: &str = "#b9b9b9";

/// The course of a fit: what climbed, and how far.
#[derive(Debug, Clone)]
pub(crate) struct Trace {
    /// What the values are, such as `Joint log-likelihood of words and topics per word, by sweep`.
    pub(crate) name: String,
    /// What a reader should see in it, in a sentence.
    pub(crate) text: &'static str,
    /// What the last value is called among the facts, such as `ln p per word`.
    pub(crate) fact: &'static str,
    /// Step and value.
    pub(crate) points: Vec<(f64, f64)>,
}

/// What the report is about: any model that has topics and proportions of documents.
pub(crate) struct TopicReport<'a> {
    /// The model at the start of a sentence: `Latent Dirichlet allocation`.
    pub(crate) model: &'static str,
    pub(crate) headline: String,
    /// The documents in the plural: `State of the Union addresses`.
    pub(crate) title: &'a str,
    pub(crate) corpus: &'a Corpus,
    pub(crate) topics: &'a Topics,
    /// What the first topics were called; may be empty.
    pub(crate) names: &'a [String],
    /// What of them the page shows.
    pub(crate) shown: Shown<'a>,
    /// Of each topic, by [`relevant_words`].
    pub(crate) relevant: &'a [Vec<top_words::RankedWord>],
    /// The curves of a kernel topic model, where there is one.
    pub(crate) kernel: Option<&'a KernelTopics>,
    /// Topic proportions of every document of the corpus.
    pub(crate) doc_topic: &'a DMatrix<f64>,
    pub(crate) times: Option<&'a [f64]>,
    pub(crate) bands: Option<&'a [String]>,
    /// What those names are.
    pub(crate) band: Band<'a>,
    /// What pictures over time mark.
    pub(crate) events: &'a [Stretch],
    /// For each topic its passages; empty where texts are not known.
    pub(crate) passages: &'a [Vec<Passage>],
    /// Documents whose neighbours are listed.
    pub(crate) named: Vec<usize>,
    pub(crate) held_out_perplexity: Option<f64>,
    pub(crate) coherence: &'a Coherence,
    /// What several fits say, and what else is known of the model.
    pub(crate) studies: Vec<Section>,
    pub(crate) trace: Trace,
    /// What the fit was given and what it fitted, a row each; the program's version is added.
    pub(crate) settings: Vec<(&'static str, String)>,
    pub(crate) source: &'a str,
}

/// What the names of stretches of time are.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Band<'a> {
    /// Presidents, of the embedded addresses.
    President,
    /// The values of a column.
    Column(&'a str),
}

impl<'a> Band<'a> {
    fn caption(self) -> String {
        match self {
            Self::President => " Grey bands mark who held the office.".to_owned(),
            Self::Column(name) => format!(" Grey bands mark stretches of one value of the column {name}."),
        }
    }

    /// What fits into a band.
    fn label(self, name: &'a str) -> &'a str {
        match self {
            Self::President => family_name(name),
            Self::Column(_) => name,
        }
    }
}

/// A stretch of a document's text that is about a topic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Passage {
    /// The document's name.
    pub(crate) document: String,
    pub(crate) text: String,
}

impl TopicReport<'_> {
    /// The page, and its ridge chart by itself, if documents have times.
    pub(crate) fn page(&self) -> Result<(String, Option<String>), Error> {
        let course = self.course()?;
        let bands = course.as_ref().zip(self.times);
        let bands =
            bands.map(|(course, times)| course.bands(self.corpus, &self.shown.doc_topic, times, self.kernel));
        let colours = self.colours(course.as_ref());
        let quality = self.quality();
        let map = TopicMap::new(&self.shown.topics).ok();
        let mut page = Page::new("Topic model", &self.headline);
        self.add_facts(&mut page, &quality);
        let measures = self.measures(&quality, map.as_ref());
        let own = TopicsPage {
            standfirst: self.standfirst(course.as_ref()),
            ridges_caption: course.as_ref().map_or_else(String::new, |course| self.caption(course)),
            stacked: course.as_ref().map(|course| self.stacked(course, &colours)),
            bands_text: match &bands {
                None => String::new(),
                Some(Err(error)) => format!(" Curves have no bands: {error}."),
                Some(Ok((bands, of))) => format!(
                    " The curve is the median of the trend, a Gaussian process over time, and the shade its {:.0} % band: how well the \
                     trend is known from these {of}, not how far single ones lie apart. Each has a scale of its own.",
                    100.0 * bands.level
                ),
            },
            map: map.as_ref().and_then(|map| self.map(map, &colours)),
            panels: self.panels(
                course.as_ref(),
                bands.as_ref().and_then(|bands| bands.as_ref().ok()).map(|(bands, _)| bands),
                &colours,
                &quality,
            )?,
            vocabulary: vocabulary::explorer(self.corpus, self.topics, &self.leads()),
            trace: &self.trace,
            ridges: course.map(|course| self.ridges(&course, &colours)),
        };
        own.fill(&mut page, [self.studies.clone(), vec![measures], self.tables()?].concat());
        page.command = output::called();
        let settings = self.settings.iter().map(|(name, value)| ((*name).to_owned(), value.clone()));
        let program = format!("posterior {}", env!("CARGO_PKG_VERSION"));
        page.settings = settings.chain([("program".to_owned(), program)]).collect();
        self.source.clone_into(&mut page.source);
        Ok((page.html(), own.ridges.as_ref().map(Ridges::standalone)))
    }

    fn course(&self) -> Result<Option<Course>, Error> {
        let Some(times) = self.times else { return Ok(None) };
        Course::new(self.corpus, &self.shown, times)
    }

    /// A colour for each topic, along the spectrum in the order of time.
    fn colours(&self, course: Option<&Course>) -> Vec<String> {
        let mut colours = vec![String::new(); self.shown.len()];
        let order = course.map_or_else(|| (0..self.shown.len()).collect(), |course| course.order.clone());
        for (row, &k) in order.iter().enumerate() {
            colours[k] = colour(row, order.len());
        }
        colours
    }

    fn title(&self, k: usize) -> String {
        let words = self.label(k, 3).join(" · ");
        self.names.get(k).map_or(words.clone(), |name| format!("{name}: {words}"))
    }

    /// The name of each topic, or its first word.
    fn leads(&self) -> Vec<String> {
        let lead = |k: usize| self.names.get(k).cloned().unwrap_or_else(|| self.label(k, 1).concat());
        (0..self.shown.len()).map(lead).collect()
    }

    fn stacked(&self, course: &Course, colours: &[String]) -> Stacked {
        let leads = self.leads();
        let layer = |&k: &usize| StackedLayer {
            label: leads[k].clone(),
            colour: colours[k].clone(),
            proportions: course.proportions_of(k),
        };
        let others = self.shown.is_part().then(|| StackedLayer {
            label: "all others".to_owned(),
            colour: OTHERS.to_owned(),
            proportions: course.proportions_of(self.shown.len()),
        });
        Stacked {
            title: "Proportions of all topics over time, on top of each other".to_owned(),
            times: course.times.clone(),
            layers: course.order.iter().map(layer).chain(others).collect(),
            bands: self.bands(),
            events: self.events.to_vec(),
        }
    }

    /// The map, if there are topics to be near or far.
    fn map(&self, map: &TopicMap, colours: &[String]) -> Option<(String, String)> {
        if self.shown.len() < 2 {
            return None;
        }
        let leads = self.leads();
        let circles: Vec<map::Circle> = (0..self.shown.len())
            .map(|k| map::Circle {
                id: k,
                lead: leads[k].clone(),
                title: self.title(k),
                colour: colours[k].clone(),
                weight: self.topics.weights()[k],
                at: map.points[k],
            })
            .collect();
        let shown = 100.0 * map.explained.iter().sum::<f64>();
        let caption = format!(
            "Topics that share words are near each other; areas are proportions of all words. Classical scaling of Hellinger distances: the \
             plane shows {shown:.0} % of their squares. Each circle leads to its topic."
        );
        Some((map::svg(&circles, &caption), caption))
    }

    fn label(&self, k: usize, words: usize) -> Vec<String> {
        self.relevant[k]
            .iter()
            .take(words)
            .map(|ranked| self.corpus.vocabulary()[ranked.word].clone())
            .collect()
    }

    /// As many of the topic's words as fit beside its row, at least one.
    fn row_label(&self, k: usize) -> Vec<String> {
        let mut words = self.label(k, WORDS_IN_LABEL);
        while words.len() > 1
            && words.iter().map(|word| word.chars().count()).sum::<usize>() > LETTERS_IN_LABEL
        {
            words.pop();
        }
        words
    }

    fn ridges(&self, course: &Course, colours: &[String]) -> Ridges {
        let weights = self.topics.weights();
        let row = |&k: &usize| Ridge {
            label: self.row_label(k),
            weight: weights[k],
            colour: colours[k].clone(),
            proportions: course.proportions_of(k),
        };
        let rows = course.order.iter().map(row).collect();
        Ridges { times: course.times.clone(), rows, bands: self.bands(), events: self.events.to_vec() }
    }

    /// Stretches of documents in a row, in time, that carry the same name.
    fn bands(&self) -> Vec<Stretch> {
        let (Some(times), Some(names)) = (self.times, self.bands) else { return Vec::new() };
        let mut documents: Vec<usize> = (0..times.len()).filter(|&d| times[d].is_finite()).collect();
        documents.sort_by(|&a, &b| times[a].total_cmp(&times[b]));
        let stretches: Vec<&[usize]> = documents.chunk_by(|&a, &b| names[a] == names[b]).collect();
        let start = |stretch: &[usize]| times[stretch[0]];
        let band = |(i, stretch): (usize, &&[usize])| Stretch {
            label: self.band.label(&names[stretch[0]]).to_owned(),
            from: start(stretch),
            to: stretches.get(i + 1).map_or(times[stretch[stretch.len() - 1]], |next| start(next)),
        };
        stretches.iter().enumerate().map(band).collect()
    }

    fn standfirst(&self, course: Option<&Course>) -> String {
        let weights = self.topics.weights();
        let strong = |k: usize| format!("<strong>{}</strong>", escape(&self.label(k, 3).join(", ")));
        let largest =
            (0..self.shown.len()).fold(0, |best, k| if weights[k] > weights[best] { k } else { best });
        let mut text = format!(
            "{} sorts the {} words of {} {} into {} topics. The largest, {}, holds {:.0} % of them.",
            self.model,
            grouped(self.corpus.tokens()),
            grouped(self.corpus.documents() as u64),
            escape(self.title),
            self.topics.len(),
            strong(largest),
            100.0 * weights[largest],
        );
        if self.shown.is_part() {
            // Writing to a string cannot fail.
            let which = if weights.is_sorted_by(|a, b| a >= b) { "largest" } else { "first" };
            let _ = write!(text, " This page shows the {} {which} of them.", self.shown.len());
        }
        if let Some(course) = course {
            let end = course.times.len() - 1;
            let (first, last) = (course.times[0], course.times[end]);
            // Writing to a string cannot fail.
            let _ = write!(
                text,
                " Around {first:.0} the leading topic is {}; around {last:.0} it is {}.",
                strong(course.leading(0)),
                strong(course.leading(end)),
            );
        }
        text
    }

    fn caption(&self, course: &Course) -> String {
        let bands = match self.bands {
            Some(_) => self.band.caption(),
            None => String::new(),
        };
        let events = if self.events.is_empty() { "" } else { " Red bands mark events named below." };
        format!(
            "Proportion of each topic in the words of its time, named by its most relevant words, in the order of mean times. All rows \
             have one scale. A dot marks the peak; the figure at the end of a row is the proportion of the whole corpus. Smoothed by a \
             Gaussian kernel with a standard deviation of {}.{bands}{events}",
            significant(course.bandwidth)
        )
    }

    fn add_facts(&self, page: &mut Page, quality: &Quality) {
        page.fact("Documents", grouped(self.corpus.documents() as u64));
        page.fact("Words", grouped(self.corpus.tokens()));
        page.fact("Vocabulary", grouped(self.corpus.vocabulary().len() as u64));
        page.fact("Topics", self.topics.len().to_string());
        if let Some(&(_, last)) = self.trace.points.last() {
            page.fact(self.trace.fact, significant(last));
        }
        if let Some(perplexity) = self.held_out_perplexity {
            page.fact("Held-out perplexity", significant(perplexity));
        }
        if self.coherence.mean.is_finite() {
            let name = format!("Coherence ({})", self.coherence.measure);
            page.fact(name, format!("{:.3}", self.coherence.mean));
        }
        page.fact("Diversity of words", format!("{:.0} %", 100.0 * quality.diversity));
    }

    fn panels(
        &self,
        course: Option<&Course>,
        bands: Option<&TrendBands>,
        colours: &[String],
        quality: &Quality,
    ) -> Result<Vec<Panel>, Error> {
        let small = |course: &Course, k: usize| {
            let column = |matrix: &DMatrix<f64>| matrix.column(k).iter().copied().collect::<Vec<f64>>();
            SmallCourse {
                times: course.times.clone(),
                line: bands.map_or_else(|| course.proportions_of(k), |bands| column(&bands.median)),
                band: bands.map(|bands| (column(&bands.lower), column(&bands.upper))),
                events: self.events.to_vec(),
            }
        };
        let panel = |k: usize| -> Result<Panel, Error> {
            let typical = most_typical(self.doc_topic, k, TYPICAL)?;
            let named = |(d, proportion): (usize, f64)| (self.corpus.names()[d].clone(), proportion);
            Ok(Panel {
                id: k,
                title: self.title(k),
                weight: self.topics.weights()[k],
                coherence: quality.coherence[k],
                colour: colours[k].clone(),
                words: self.word_bars(k),
                typical: typical.into_iter().map(named).collect(),
                passages: self.passages.get(k).cloned().unwrap_or_default(),
                course: course.map(|course| small(course, k)),
            })
        };
        (0..self.shown.len()).map(panel).collect()
    }

    fn word_bars(&self, k: usize) -> Vec<WordBar> {
        let words = &self.relevant[k][..self.relevant[k].len().min(WORDS_IN_PANEL)];
        let most = words.iter().map(|word| word.probability).fold(0.0, f64::max);
        let bar = |ranked: &top_words::RankedWord| WordBar {
            word: self.corpus.vocabulary()[ranked.word].clone(),
            probability: ranked.probability,
            length: ranked.probability / most,
        };
        words.iter().map(bar).collect()
    }

    fn tables(&self) -> Result<Vec<Section>, Error> {
        let name = |d: usize| self.corpus.names()[d].clone();
        let mut tables = Vec::new();
        if let Some(times) = self.times {
            let jumps = largest_jumps(self.doc_topic, times, JUMPS)?;
            let rows = jumps
                .iter()
                .map(|jump| vec![name(jump.from), name(jump.to), format!("{:.2}", jump.distance)]);
            let columns =
                vec![TableColumn::text("From"), TableColumn::text("To"), TableColumn::number("Distance")];
            let text = "Documents that follow each other in time and differ most in their topics, by Hellinger distance: \
                        0 is the same mixture, 1 has no topic in common.";
            let table = PageTable { columns, rows: rows.collect() };
            tables.push(Section::new("The sharpest turns", text, table));
        }
        for &d in &self.named {
            let near = nearest(self.doc_topic, d, NEAREST)?;
            let rows = near.iter().map(|&(other, distance)| vec![name(other), format!("{distance:.2}")]);
            let text = "The documents with the most similar mixture of topics, by Hellinger distance.";
            let table = PageTable::new(["Document", "Distance"], rows);
            tables.push(Section::new(format!("Nearest to {}", name(d)), text, table));
        }
        Ok(tables)
    }
}

/// The last word of a name, which is what fits into a band, with the particle before it.
fn family_name(name: &str) -> &str {
    let Some((before, last)) = name.trim_end().rsplit_once(' ') else { return name };
    let particle = before.rsplit(' ').next().unwrap_or_default();
    if ["van", "von", "de", "di", "la"].contains(&particle.to_lowercase().as_str()) {
        &name.trim_end()[before.len() - particle.len()..]
    } else {
        last
    }
}

#[cfg(test)]
mod tests {
    use super::family_name;

    #[test]
    fn family_names_keep_their_particles() {
        assert_eq!(family_name("Martin Van Buren"), "Van Buren");
        assert_eq!(family_name("Joseph R. Biden"), "Biden");
        assert_eq!(family_name("Cher"), "Cher");
    }
}
