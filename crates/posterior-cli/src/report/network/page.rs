//! The page about a network: answers, the picture, what to know and to do.

use std::fmt::Write as _;

use posterior_report::{Page, escape};

use super::drawing::{Mark, Node, Picture, STYLE};
use crate::output::percent;

const OWN_STYLE: &str = include_str!("page.css");

/// Puts answers and the picture of a network at the beginning of a page.
pub(crate) fn begin(page: &mut Page, answers: &[Node], picture: &Picture, caption: &str) {
    page.style = [STYLE, OWN_STYLE].concat();
    write_answers(&mut page.head, answers);
    let mut svg = picture.svg();
    if picture.is_wide() {
        svg = svg.replacen("class=\"network\"", "class=\"network large\"", 1);
    }
    // Writing to a string cannot fail.
    let _ = write!(
        page.head,
        "<figure>\n<div class=\"picture\">{svg}</div>\n<figcaption>{}</figcaption>\n</figure>\n",
        escape(caption)
    );
}

fn write_answers(html: &mut String, answers: &[Node]) {
    if answers.is_empty() {
        return;
    }
    html.push_str("<div class=\"answers\">\n");
    // Writing to a string cannot fail.
    for node in answers {
        let class = if node.mark == Mark::Target { "answer target" } else { "answer" };
        let _ = writeln!(html, "<section class=\"{class}\"><h3>{}</h3><table>", escape(&node.name));
        for row in &node.rows {
            let was = row.before.map_or_else(String::new, |p| format!("{} →", percent(p)));
            let _ = writeln!(
                html,
                "<tr><td>{}</td><td class=\"n was\">{was}</td><td class=\"n\">{}</td><td class=\"w\">\
                 <span style=\"width:{:.1}%\"></span></td></tr>",
                escape(&row.label),
                percent(row.proportion),
                100.0 * row.proportion
            );
        }
        let _ = writeln!(html, "</table>{}</section>", escape(&node.remark));
    }
    html.push_str("</div>\n");
}
