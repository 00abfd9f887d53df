//! The index: a card for each story.

use std::fmt::Write as _;

use posterior_report::{CHART_STYLE, PAGE_STYLE, Page, escape};

use super::one::{How, Outcome};

const STYLE: &str = include_str!("gallery.css");

/// The page.
pub(super) fn html(outcomes: &[Outcome], command: &str) -> String {
    let output = outcomes.iter().filter(|own| matches!(own.ending, How::Completed(_))).count();
    let seconds: f64 = outcomes.iter().map(|own| own.seconds).sum();
    let count = if output == 1 { "One story".to_owned() } else { format!("{output} stories") };
    let mut html = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>Gallery of posterior</title>\n\
         <style>\n{PAGE_STYLE}{CHART_STYLE}{STYLE}</style>\n</head>\n<body>\n<main>\n<header>\n\
         <p class=\"kicker\">Gallery</p>\n<h1>{count} of inference</h1>\n\
         <p class=\"standfirst\">What the engines of posterior find in data and in games, computed here in {seconds:.0} seconds. Each picture has a page \
         with the numbers, and with the command that makes it again.</p>\n</header>\n<ul class=\"stories\">\n"
    );
    // Writing to a string cannot fail, hence the results that are dropped.
    for outcome in outcomes {
        write_story(&mut html, outcome);
    }
    let _ = write!(
        html,
        "</ul>\n<h2>To reproduce</h2>\n<pre>{}</pre>\n<footer>posterior {}. All draws have fixed seeds.</footer>\n</main>\n</body>\n</html>\n",
        escape(command),
        env!("CARGO_PKG_VERSION")
    );
    html
}

fn write_story(html: &mut String, outcome: &Outcome) {
    let story = outcome.story;
    let (title, sentence) = (escape(story.title), escape(story.sentence));
    let _ = writeln!(html, "<li class=\"story\" id=\"{}\">", story.name);
    let _ = match &outcome.ending {
        How::Completed(_) => writeln!(html, "<h2><a href=\"{}/report.html\">{title}</a></h2>", story.name),
        _ => writeln!(html, "<h2>{title}</h2>"),
    };
    let _ = writeln!(html, "<p class=\"sentence\">{sentence}</p>");
    match &outcome.ending {
        How::Completed(page) => write_findings(html, page),
        How::Skipped(why) => {
            let _ = writeln!(html, "<p class=\"why\">Skipped: {}.</p>", escape(why));
        }
        How::Failed(why) => {
            let _ = writeln!(html, "<p class=\"why\">Failed: {}</p>", escape(why));
        }
    }
    let _ = write!(html, "<p class=\"foot\"><span>{}</span><span>{:.1} s</span>", story.id, outcome.seconds);
    if matches!(outcome.ending, How::Completed(_)) {
        let _ = write!(html, "<a href=\"{}/findings.txt\">all findings as text</a>", story.name);
    }
    html.push_str("</p>\n</li>\n");
}

fn write_findings(html: &mut String, page: &Page) {
    if let Some(lead) = &page.lead {
        let _ = writeln!(html, "<div class=\"stage\">{}</div>", lead.picture.svg());
    }
    html.push_str("<dl class=\"found\">\n");
    for (name, value) in &page.facts {
        let _ = writeln!(html, "<dt>{}</dt><dd>{}</dd>", escape(name), escape(value));
    }
    html.push_str("</dl>\n");
}
