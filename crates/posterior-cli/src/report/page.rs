//! The report as one self-contained page: the answer, the picture, the numbers, the settings.

use std::fmt::Write as _;

use posterior_report::{CHART_STYLE, PAGE_STYLE, escape, line_chart, sparkline};

use super::ridges::Ridges;

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
    pub(super) colour: String,
    pub(super) words: Vec<WordBar>,
    /// Documents with their share of this topic.
    pub(super) typical: Vec<(String, f64)>,
    /// Share over the times of the chart, if documents have times.
    pub(super) course: Option<(Vec<f64>, Vec<f64>)>,
}

/// A table with a caption: column names, and which columns hold numbers.
pub(super) struct Table {
    pub(super) title: String,
    pub(super) text: String,
    pub(super) columns: Vec<(&'static str, bool)>,
    pub(super) rows: Vec<Vec<String>>,
}

/// Everything that the page says.
pub(super) struct Page {
    pub(super) title: String,
    /// Trusted markup.
    pub(super) standfirst: String,
    pub(super) facts: Vec<(&'static str, String)>,
    pub(super) ridges: Option<Ridges>,
    pub(super) ridges_caption: String,
    pub(super) panels: Vec<Panel>,
    pub(super) tables: Vec<Table>,
    /// Sweep and joint log-likelihood per token.
    pub(super) trace: Vec<(f64, f64)>,
    pub(super) command: String,
    pub(super) settings: Vec<(&'static str, String)>,
    pub(super) source: String,
}

impl Page {
    pub(super) fn html(&self) -> String {
        let mut html = format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n\
             <style>\n{PAGE_STYLE}{CHART_STYLE}</style>\n</head>\n<body>\n<main>\n<header>\n\
             <p class=\"kicker\">Topic model</p>\n<h1>{title}</h1>\n<p class=\"standfirst\">{}</p>\n</header>\n",
            self.standfirst,
            title = escape(&self.title),
        );
        // Writing to a string cannot fail.
        if let Some(ridges) = &self.ridges {
            let _ = write!(
                html,
                "<figure>\n<div class=\"wide\">{}</div>\n<div class=\"narrow\">{}</div>\n\
                 <figcaption>{}</figcaption>\n</figure>\n",
                ridges.wide(),
                ridges.narrow(),
                escape(&self.ridges_caption)
            );
        }
        html.push_str("<dl class=\"facts\">\n");
        for (name, value) in &self.facts {
            let _ = writeln!(html, "<div><dt>{name}</dt><dd>{}</dd></div>", escape(value));
        }
        html.push_str("</dl>\n");
        self.write_panels(&mut html);
        for table in &self.tables {
            write_table(&mut html, table);
        }
        self.write_course(&mut html);
        self.write_settings(&mut html);
        html.push_str("</main>\n</body>\n</html>\n");
        html
    }

    fn write_panels(&self, html: &mut String) {
        html.push_str(
            "<h2>The topics</h2>\n<p>Bars are the probability of the word in the topic. Words are ranked by relevance, \
             which favours words that the topic uses more than the rest of the corpus does.</p>\n<div class=\"cards\">\n",
        );
        for panel in &self.panels {
            let _ = write!(
                html,
                "<section class=\"card\" style=\"--hue:{}\">\n<h3>{}</h3>\n\
                 <p class=\"meta\">Topic {} · {:.1} % of all words</p>\n",
                panel.colour,
                escape(&panel.title),
                panel.id,
                100.0 * panel.weight
            );
            if let Some((times, shares)) = &panel.course {
                html.push_str(&sparkline(times, shares, &panel.colour));
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
            for (name, share) in &panel.typical {
                let percent = 100.0 * share;
                let _ = writeln!(html, "<li><span>{}</span><span>{percent:.0} %</span></li>", escape(name));
            }
            html.push_str("</ol>\n</section>\n");
        }
        html.push_str("</div>\n");
    }

    fn write_course(&self, html: &mut String) {
        if self.trace.len() > 1 {
            let _ = write!(
                html,
                "<h2>The course of the fit</h2>\n<p>Joint log-likelihood of words and topics per word, by sweep. It climbs \
                 while the chain finds its topics, then wanders.</p>\n<div class=\"trace\">{}</div>\n",
                line_chart(&self.trace, "Joint log-likelihood per word by sweep")
            );
        }
    }

    fn write_settings(&self, html: &mut String) {
        let _ = write!(
            html,
            "<h2>To reproduce</h2>\n<p>The same command on the same data gives the same numbers, on any number of threads.</p>\n\
             <pre>{}</pre>\n<div class=\"scroll\"><table class=\"settings\">\n",
            escape(&self.command)
        );
        for (name, value) in &self.settings {
            let _ = writeln!(html, "<tr><th>{name}</th><td>{}</td></tr>", escape(value));
        }
        let _ = write!(html, "</table></div>\n<footer>{}</footer>\n", escape(&self.source));
    }
}

fn write_table(html: &mut String, table: &Table) {
    let _ = write!(
        html,
        "<h2>{}</h2>\n<p>{}</p>\n<div class=\"scroll\"><table>\n<tr>",
        escape(&table.title),
        escape(&table.text)
    );
    for (name, numeric) in &table.columns {
        let class = if *numeric { " class=\"n\"" } else { "" };
        let _ = write!(html, "<th{class}>{name}</th>");
    }
    html.push_str("</tr>\n");
    for row in &table.rows {
        html.push_str("<tr>");
        for (cell, (_, numeric)) in row.iter().zip(&table.columns) {
            let class = if *numeric { " class=\"n\"" } else { "" };
            let _ = write!(html, "<td{class}>{}</td>", escape(cell));
        }
        html.push_str("</tr>\n");
    }
    html.push_str("</table></div>\n");
}
