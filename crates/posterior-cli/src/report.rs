//! The report of a topic model: what the page says, put together from the fit.

pub(crate) mod network;
mod page;
mod ridges;

use std::fmt::Write as _;

use posterior::math::linalg::DMatrix;
use posterior::topics::lda::{Fitted, Hyperparameters, Options};
use posterior::topics::similarity::{largest_jumps, most_typical, nearest};
use posterior::topics::{Corpus, Trend, top_words};
use posterior_report::{colour, escape};

use crate::output::{grouped, significant};
use page::{Page, Panel, Table, WordBar};
use ridges::{Band, Ridge, Ridges};

/// Sievert and Shirley's weight of probability against lift.
const RELEVANCE: f64 = 0.6;
const WORDS_IN_LABEL: usize = 4;
/// Letters that fit beside a row of the chart.
const LETTERS_IN_LABEL: usize = 27;
const WORDS_IN_PANEL: usize = 12;
const TYPICAL: usize = 3;
const JUMPS: usize = 8;
const NEAREST: usize = 6;
/// Points of the curves over time.
const GRID: usize = 240;

/// What the report is about.
pub(crate) struct TopicReport<'a> {
    pub(crate) headline: String,
    /// The documents in the plural: `State of the Union addresses`.
    pub(crate) title: &'a str,
    pub(crate) corpus: &'a Corpus,
    pub(crate) fitted: &'a Fitted,
    /// Topic proportions of every document of the corpus.
    pub(crate) doc_topic: &'a DMatrix<f64>,
    pub(crate) times: Option<&'a [f64]>,
    pub(crate) bands: Option<&'a [String]>,
    /// Documents whose neighbours are listed.
    pub(crate) named: Vec<usize>,
    pub(crate) held_out_perplexity: Option<f64>,
    pub(crate) options: &'a Options,
    pub(crate) command: String,
    pub(crate) source: &'a str,
}

/// The curves over time.
struct Course {
    times: Vec<f64>,
    /// Times x topics.
    shares: DMatrix<f64>,
    bandwidth: f64,
    /// Topics by their mean times.
    order: Vec<usize>,
}

impl TopicReport<'_> {
    /// The page.
    pub(crate) fn html(&self) -> String {
        let course = self.course();
        let order =
            course.as_ref().map_or_else(|| (0..self.topics()).collect(), |course| course.order.clone());
        let mut colours = vec![String::new(); self.topics()];
        for (row, &k) in order.iter().enumerate() {
            colours[k] = colour(row, order.len());
        }
        let page = Page {
            title: self.headline.clone(),
            standfirst: self.standfirst(course.as_ref()),
            facts: self.facts(),
            ridges_caption: course.as_ref().map_or_else(String::new, |course| self.caption(course)),
            panels: self.panels(course.as_ref(), &colours),
            tables: self.tables(),
            trace: self.trace(),
            command: self.command.clone(),
            settings: self.settings(),
            source: self.source.to_owned(),
            ridges: course.map(|course| self.ridges(&course, &colours)),
        };
        page.html()
    }

    /// The ridge chart alone, if documents have times.
    pub(crate) fn svg(&self) -> Option<String> {
        let course = self.course()?;
        let mut colours = vec![String::new(); self.topics()];
        for (row, &k) in course.order.iter().enumerate() {
            colours[k] = colour(row, course.order.len());
        }
        Some(self.ridges(&course, &colours).standalone())
    }

    fn topics(&self) -> usize {
        self.fitted.model.topics()
    }

    fn label(&self, k: usize, words: usize) -> Vec<String> {
        let ranked = top_words::by_relevance(&self.fitted.model, k, words, RELEVANCE);
        ranked.iter().map(|ranked| self.corpus.vocabulary()[ranked.word].clone()).collect()
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

    fn course(&self) -> Option<Course> {
        let lengths: Vec<u64> = self.corpus.iter().map(|document| document.tokens()).collect();
        let trend = Trend::new(self.doc_topic, &lengths, self.times?);
        let (&first, &last) = (trend.times.first()?, trend.times.last()?);
        if first == last {
            return None;
        }
        let step = (last - first) / (GRID - 1) as f64;
        let times: Vec<f64> = (0..GRID).map(|i| first + i as f64 * step).collect();
        let bandwidth = (last - first) / 100.0;
        let mean_times = trend.mean_times();
        let mut order: Vec<usize> = (0..self.topics()).collect();
        order.sort_by(|&a, &b| mean_times[a].total_cmp(&mean_times[b]));
        Some(Course { shares: trend.smoothed(&times, bandwidth), times, bandwidth, order })
    }

    fn ridges(&self, course: &Course, colours: &[String]) -> Ridges {
        let weights = self.fitted.model.topic_weights();
        let row = |&k: &usize| Ridge {
            label: self.row_label(k),
            weight: weights[k],
            colour: colours[k].clone(),
            shares: course.shares.column(k).iter().copied().collect(),
        };
        let rows = course.order.iter().map(row).collect();
        Ridges { times: course.times.clone(), rows, bands: self.bands() }
    }

    /// Stretches of documents in a row, in time, that carry the same name.
    fn bands(&self) -> Vec<Band> {
        let (Some(times), Some(names)) = (self.times, self.bands) else { return Vec::new() };
        let mut documents: Vec<usize> = (0..times.len()).filter(|&d| times[d].is_finite()).collect();
        documents.sort_by(|&a, &b| times[a].total_cmp(&times[b]));
        let stretches: Vec<&[usize]> = documents.chunk_by(|&a, &b| names[a] == names[b]).collect();
        let start = |stretch: &[usize]| times[stretch[0]];
        let band = |(i, stretch): (usize, &&[usize])| Band {
            label: family_name(&names[stretch[0]]).to_owned(),
            from: start(stretch),
            to: stretches.get(i + 1).map_or(times[stretch[stretch.len() - 1]], |next| start(next)),
        };
        stretches.iter().enumerate().map(band).collect()
    }

    fn standfirst(&self, course: Option<&Course>) -> String {
        let weights = self.fitted.model.topic_weights();
        let strong = |k: usize| format!("<strong>{}</strong>", escape(&self.label(k, 3).join(", ")));
        let mut text = format!(
            "Latent Dirichlet allocation sorts the {} words of {} {} into {} topics. The largest, {}, holds {:.0} % of them.",
            grouped(self.corpus.tokens()),
            grouped(self.corpus.documents() as u64),
            escape(self.title),
            self.topics(),
            strong(0),
            100.0 * weights[0],
        );
        if let Some(course) = course {
            let leading = |row: usize| {
                let shares = course.shares.row(row);
                (0..shares.len()).max_by(|&a, &b| shares[a].total_cmp(&shares[b])).unwrap_or(0)
            };
            let (first, last) = (course.times[0], course.times[GRID - 1]);
            // Writing to a string cannot fail.
            let _ = write!(
                text,
                " Around {first:.0} the leading topic is {}; around {last:.0} it is {}.",
                strong(leading(0)),
                strong(leading(GRID - 1)),
            );
        }
        text
    }

    fn caption(&self, course: &Course) -> String {
        let bands = match self.bands {
            Some(_) => " Shaded bands mark who held the office.",
            None => "",
        };
        format!(
            "Share of each topic in the words of its time, named by its most relevant words, in the order of mean times. All rows \
             have one scale. A dot marks the peak; the figure at the end of a row is the share of the whole corpus. Smoothed by a \
             Gaussian kernel with a standard deviation of {}.{bands}",
            significant(course.bandwidth)
        )
    }

    fn facts(&self) -> Vec<(&'static str, String)> {
        let mut facts = vec![
            ("Documents", grouped(self.corpus.documents() as u64)),
            ("Words", grouped(self.corpus.tokens())),
            ("Vocabulary", grouped(self.corpus.vocabulary().len() as u64)),
            ("Topics", self.topics().to_string()),
        ];
        if let Some(point) = self.fitted.report.trace.last() {
            facts.push(("ln p per word", significant(self.per_token(point.ln_joint))));
        }
        if let Some(perplexity) = self.held_out_perplexity {
            facts.push(("Held-out perplexity", significant(perplexity)));
        }
        facts
    }

    fn per_token(&self, ln: f64) -> f64 {
        let fitted: u64 = self.fitted.report.tokens_in_sweep;
        ln / fitted as f64
    }

    fn trace(&self) -> Vec<(f64, f64)> {
        let trace = &self.fitted.report.trace;
        trace.iter().map(|point| (f64::from(point.sweep), self.per_token(point.ln_joint))).collect()
    }

    fn panels(&self, course: Option<&Course>, colours: &[String]) -> Vec<Panel> {
        let weights = self.fitted.model.topic_weights();
        let panel = |k: usize| Panel {
            id: k,
            title: self.label(k, 3).join(" · "),
            weight: weights[k],
            colour: colours[k].clone(),
            words: self.word_bars(k),
            typical: most_typical(self.doc_topic, k, TYPICAL)
                .into_iter()
                .map(|(d, share)| (self.corpus.names()[d].clone(), share))
                .collect(),
            course: course
                .map(|course| (course.times.clone(), course.shares.column(k).iter().copied().collect())),
        };
        (0..self.topics()).map(panel).collect()
    }

    fn word_bars(&self, k: usize) -> Vec<WordBar> {
        let words = top_words::by_relevance(&self.fitted.model, k, WORDS_IN_PANEL, RELEVANCE);
        let most = words.iter().map(|word| word.probability).fold(0.0, f64::max);
        let bar = |ranked: &top_words::RankedWord| WordBar {
            word: self.corpus.vocabulary()[ranked.word].clone(),
            probability: ranked.probability,
            length: ranked.probability / most,
        };
        words.iter().map(bar).collect()
    }

    fn tables(&self) -> Vec<Table> {
        let name = |d: usize| self.corpus.names()[d].clone();
        let mut tables = Vec::new();
        if let Some(times) = self.times {
            let jumps = largest_jumps(self.doc_topic, times, JUMPS);
            let row = |jump: &posterior::topics::similarity::Jump| {
                vec![name(jump.from), name(jump.to), format!("{:.2}", jump.distance)]
            };
            tables.push(Table {
                title: "The sharpest turns".to_owned(),
                text: "Documents that follow each other in time and differ most in their topics, by Hellinger distance: \
                       0 is the same mixture, 1 has no topic in common."
                    .to_owned(),
                columns: vec![("From", false), ("To", false), ("Distance", true)],
                rows: jumps.iter().map(row).collect(),
            });
        }
        for &d in &self.named {
            let row = |&(other, distance): &(usize, f64)| vec![name(other), format!("{distance:.2}")];
            tables.push(Table {
                title: format!("Nearest to {}", name(d)),
                text: "The documents with the most similar mixture of topics, by Hellinger distance."
                    .to_owned(),
                columns: vec![("Document", false), ("Distance", true)],
                rows: nearest(self.doc_topic, d, NEAREST).iter().map(row).collect(),
            });
        }
        tables
    }

    fn settings(&self) -> Vec<(&'static str, String)> {
        let (options, model) = (self.options, &self.fitted.model);
        let alpha = model.alpha();
        let learnt = match options.hyperparameters {
            Hyperparameters::Fixed => "fixed",
            Hyperparameters::Optimized => "learnt",
        };
        let (low, high) = alpha.iter().fold((f64::INFINITY, 0.0_f64), |(l, h), &a| (l.min(a), h.max(a)));
        let range = if low == high {
            significant(low)
        } else {
            format!("{} to {}", significant(low), significant(high))
        };
        vec![
            ("model", "latent Dirichlet allocation".to_owned()),
            ("inference", "collapsed Gibbs sampling".to_owned()),
            ("topics", options.topics.to_string()),
            ("sweeps", grouped(u64::from(self.fitted.report.sweeps))),
            ("pooled states", format!("{}, {} sweeps apart", options.samples, options.thin)),
            ("alpha", format!("{range}, {learnt}")),
            ("beta", format!("{}, {learnt}", significant(model.beta()))),
            ("seed", options.seed.to_string()),
            ("program", format!("posterior {}", env!("CARGO_PKG_VERSION"))),
        ]
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
