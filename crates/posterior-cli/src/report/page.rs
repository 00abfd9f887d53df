//! The report as one self-contained page: the answer, the picture, the numbers, the settings.

use std::fmt::Write as _;

use posterior_report::{Body, Page, Ribbon, Section, Stacked, escape, ribbons};

use super::course::SmallCourse;
use super::ridges::Ridges;
use super::{Passage, Trace};

const STYLE: &str = include_str!("topics.css");

/// A word of a topic, with its probability and the length of its bar (the largest is 1).
pub(super) struct WordBar {
    pub(super) word: String,
    pub(super) probability: f64,
    pub(super) length: f64,
}

/// The panel of one topic.
pub(super) struct Panel {
    pub(super) id: usize,
    pub(super) title: String,
    pub(super) weight: f64,
    /// NaN where it is not known.
    pub(super) coherence: f64,
    pub(super) colour: String,
    pub(super) words: Vec<WordBar>,
    /// Documents with their proportion of this topic.
    pub(super) typical: Vec<(String, f64)>,
    pub(super) passages: Vec<Passage>,
    /// Proportion over time, if documents have times.
    pub(super) course: Option<SmallCourse>,
}

/// Everything that only this page says.
pub(super) struct TopicsPage<'a> {
    /// Trusted markup.
    pub(super) standfirst: String,
    pub(super) ridges: Option<Ridges>,
    pub(super) ridges_caption: String,
    pub(super) stacked: Option<Stacked>,
    /// What the bands of the panels' curves are; empty without any.
    pub(super) bands_text: String,
    /// The map and its caption, trusted markup and text.
    pub(super) map: Option<(String, String)>,
    pub(super) panels: Vec<Panel>,
    /// The vocabulary explorer, trusted markup.
    pub(super) vocabulary: String,
    pub(super) trace: &'a Trace,
}

impl TopicsPage<'_> {
    /// What a page begins with, and its sections around `tables`.
    pub(super) fn fill(&self, page: &mut Page, tables: Vec<Section>) {
        STYLE.clone_into(&mut page.style);
        page.head = format!(
            "<a class=\"skip\" href=\"#topics\">To the topics</a>\n<p class=\"standfirst\">{}</p>\n",
            self.standfirst
        );
        self.write_contents(&mut page.head);
        self.write_courses(&mut page.head);
        let mut panels = String::new();
        self.write_panels(&mut panels);
        if let Some((map, caption)) = &self.map {
            // Writing to a string cannot fail.
            let _ = write!(
                panels,
                "<section aria-labelledby=\"map\"><h2 id=\"map\">A map of the topics</h2>\n<figure>\n{map}<figcaption>{}</figcaption>\n\
                 </figure>\n</section>\n",
                escape(caption)
            );
        }
        page.section("", "", Body::Markup(panels));
        page.sections.extend(tables);
        page.section("", "", Body::Markup(self.vocabulary.clone()));
        let Trace { name, text, points, .. } = self.trace;
        if points.len() > 1 {
            let line = Ribbon::line("", points.iter().copied());
            let picture = ribbons(("step", name), &[line], &[], None);
            page.figure("Convergence", format!("{name}. {text}"), &picture, "");
        }
    }

    fn write_contents(&self, html: &mut String) {
        let over_time = self.ridges.is_some().then_some(("over-time", "Over time"));
        let map = self.map.is_some().then_some(("map", "Map"));
        let links = [over_time, Some(("topics", "The topics")), map].into_iter().flatten().chain([
            ("how-good-the-topics-are", "Quality"),
            ("words", "Words"),
            ("to-reproduce", "To reproduce"),
        ]);
        html.push_str("<nav class=\"contents\" aria-label=\"Contents\">\n");
        for (id, name) in links {
            let _ = writeln!(html, "<a href=\"#{id}\">{name}</a>");
        }
        html.push_str("</nav>\n");
    }

    fn write_courses(&self, html: &mut String) {
        let Some(ridges) = &self.ridges else { return };
        let _ = write!(
            html,
            "<section id=\"over-time\" aria-label=\"Topics over time\">\n<figure>\n<div class=\"wide\">{}</div>\n\
             <div class=\"narrow\">{}</div>\n<figcaption>{}</figcaption>\n</figure>\n",
            ridges.wide(),
            ridges.narrow(),
            escape(&self.ridges_caption)
        );
        if let Some(stacked) = &self.stacked {
            let _ = write!(
                html,
                "<figure class=\"stack\">\n<div class=\"wide\">{}</div>\n<div class=\"narrow\">{}</div>\n\
                 <figcaption>The same proportions on top of each other: at each time they fill the whole. A topic is named where it is widest, \
                 if there is room.</figcaption>\n</figure>\n",
                stacked.wide().svg(),
                stacked.narrow().svg()
            );
        }
        html.push_str("</section>\n");
    }

    fn write_panels(&self, html: &mut String) {
        let _ = write!(
            html,
            "<h2 id=\"topics\">The topics</h2>\n<p>Bars are the probability of the word in the topic. Words are ranked by relevance, which \
             favours words that the topic uses more than the rest of the corpus does.{}</p>\n<div class=\"cards\">\n",
            escape(&self.bands_text)
        );
        for panel in &self.panels {
            let _ = write!(
                html,
                "<section class=\"card\" id=\"topic-{id}\" aria-labelledby=\"title-{id}\" style=\"--hue:{}\">\n<h3 id=\"title-{id}\">{}</h3>\n\
                 <p class=\"meta\">Topic {id} · {:.1} % of all words{}</p>\n",
                panel.colour,
                escape(&panel.title),
                100.0 * panel.weight,
                if panel.coherence.is_finite() {
                    format!(" · coherence {:.2}", panel.coherence)
                } else {
                    String::new()
                },
                id = panel.id,
            );
            if let Some(course) = &panel.course {
                html.push_str(&course.svg(&panel.colour));
            }
            html.push_str("<ol class=\"words\">\n");
            for bar in &panel.words {
                let _ = writeln!(
                    html,
                    "<li><span class=\"word\">{}</span><span class=\"bar\" style=\"width:{:.1}%\"></span>\
                     <span class=\"p\">{:.2} %</span></li>",
                    escape(&bar.word),
                    100.0 * bar.length,
                    100.0 * bar.probability
                );
            }
            html.push_str("</ol>\n<h4>Most typical</h4>\n<ol class=\"typical\">\n");
            for (name, proportion) in &panel.typical {
                let percent = 100.0 * proportion;
                let _ = writeln!(html, "<li><span>{}</span><span>{percent:.0} %</span></li>", escape(name));
            }
            html.push_str("</ol>\n");
            if !panel.passages.is_empty() {
                html.push_str("<h4>In their words</h4>\n");
            }
            for Passage { document, text } in &panel.passages {
                let _ = writeln!(
                    html,
                    "<blockquote>{}<cite>{}</cite></blockquote>",
                    escape(text),
                    escape(document)
                );
            }
            html.push_str("</section>\n");
        }
        html.push_str("</div>\n");
    }
}
