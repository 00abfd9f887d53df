//! The page about a network: the answer, the picture, the numbers, how to reproduce it.

use std::fmt::Write as _;

use posterior_report::{PAGE_STYLE, escape};

use super::drawing::{Mark, Node, Picture, STYLE};
use crate::output::percent;

const OWN_STYLE: &str = include_str!("page.css");

/// A number with its name.
pub(crate) type Fact = (&'static str, String);

/// A table of the page: column names, and which hold numbers.
#[derive(Debug)]
pub(crate) struct NumberTable {
    pub(crate) title: String,
    pub(crate) columns: Vec<(String, bool)>,
    pub(crate) rows: Vec<Vec<String>>,
}

/// All that the page says.
#[derive(Debug)]
pub(crate) struct NetworkPage {
    pub(crate) title: String,
    /// Below the title, a paragraph each.
    pub(crate) standfirst: Vec<String>,
    /// The variables asked about, with all states.
    pub(crate) answers: Vec<Node>,
    pub(crate) facts: Vec<Fact>,
    pub(crate) picture: Picture,
    pub(crate) caption: String,
    /// Headings with lists below.
    pub(crate) lists: Vec<(String, Vec<String>)>,
    pub(crate) tables: Vec<NumberTable>,
    pub(crate) command: String,
    pub(crate) source: String,
}

impl NetworkPage {
    pub(crate) fn html(&self) -> String {
        let title = escape(&self.title);
        let mut html = format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n\
             <style>\n{PAGE_STYLE}{STYLE}{OWN_STYLE}</style>\n</head>\n<body>\n<main>\n<header>\n\
             <p class=\"kicker\">Network</p>\n<h1>{title}</h1>\n"
        );
        for line in &self.standfirst {
            let _ = writeln!(html, "<p class=\"standfirst\">{}</p>", escape(line));
        }
        html.push_str("</header>\n");
        self.write_answers(&mut html);
        self.write_picture(&mut html);
        html.push_str("<dl class=\"facts\">\n");
        for (name, value) in &self.facts {
            let _ = writeln!(html, "<div><dt>{name}</dt><dd>{}</dd></div>", escape(value));
        }
        html.push_str("</dl>\n");
        for (heading, items) in &self.lists {
            let _ = writeln!(html, "<h2>{}</h2>\n<ul class=\"list\">", escape(heading));
            for item in items {
                let _ = writeln!(html, "<li>{}</li>", escape(item));
            }
            html.push_str("</ul>\n");
        }
        self.tables.iter().for_each(|table| write_table(&mut html, table));
        let _ = write!(
            html,
            "<h2>To reproduce</h2>\n<p>The same command on the same file gives the same numbers, on any number of threads.</p>\n\
             <pre>{}</pre>\n<footer>{}</footer>\n</main>\n</body>\n</html>\n",
            escape(&self.command),
            escape(&self.source)
        );
        html
    }

    fn write_answers(&self, html: &mut String) {
        if self.answers.is_empty() {
            return;
        }
        html.push_str("<div class=\"answers\">\n");
        for node in &self.answers {
            let class = if node.mark == Mark::Target { "answer target" } else { "answer" };
            let _ = writeln!(html, "<section class=\"{class}\"><h3>{}</h3><table>", escape(&node.name));
            for row in &node.rows {
                let was = row.before.map_or_else(String::new, |p| format!("{} →", percent(p)));
                let _ = writeln!(
                    html,
                    "<tr><td>{}</td><td class=\"n was\">{was}</td><td class=\"n\">{}</td><td class=\"w\">\
                     <span style=\"width:{:.1}%\"></span></td></tr>",
                    escape(&row.label),
                    percent(row.share),
                    100.0 * row.share
                );
            }
            let _ = writeln!(html, "</table>{}</section>", escape(&node.remark));
        }
        html.push_str("</div>\n");
    }

    fn write_picture(&self, html: &mut String) {
        let mut svg = self.picture.svg();
        if self.picture.is_wide() {
            svg = svg.replacen("class=\"network\"", "class=\"network large\"", 1);
        }
        let _ = write!(
            html,
            "<figure>\n<div class=\"picture\">{svg}</div>\n<figcaption>{}</figcaption>\n</figure>\n",
            escape(&self.caption)
        );
    }
}

fn write_table(html: &mut String, table: &NumberTable) {
    let class = |numeric: bool| if numeric { " class=\"n\"" } else { "" };
    let _ = write!(html, "<h2>{}</h2>\n<div class=\"scroll\"><table>\n<tr>", escape(&table.title));
    for (name, numeric) in &table.columns {
        let _ = write!(html, "<th{}>{}</th>", class(*numeric), escape(name));
    }
    html.push_str("</tr>\n");
    for row in &table.rows {
        html.push_str("<tr>");
        for (cell, (_, numeric)) in row.iter().zip(&table.columns) {
            let _ = write!(html, "<td{}>{}</td>", class(*numeric), escape(cell));
        }
        html.push_str("</tr>\n");
    }
    html.push_str("</table></div>\n");
}
