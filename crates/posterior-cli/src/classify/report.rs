//! The page about a classifier: what is taken for what, whether probabilities came true, what tells the
//! classes apart.

use posterior_report::{
    Body, Column, Figure, Interval, Page, Picture, Section, Table, heat_map, intervals, reliability,
};

use super::answer::Answer;
use super::text::class_rows;
use crate::calibration;
use crate::output::{called, grouped, percent, significant};

/// The pictures of an answer, with the names of their files.
pub(super) fn pictures(answer: &Answer) -> Vec<(String, Picture)> {
    let scores = &answer.scores;
    let names: Vec<String> = scores.classes.iter().map(|own| own.class.clone()).collect();
    let counts: Vec<f64> = scores.confusion.iter().flatten().map(|&count| count as f64).collect();
    let confusion = heat_map("What is taken for what", ("truth", "said"), &names, &names, &counts);
    let points = calibration::points(&scores.reliability);
    let mut pictures = vec![
        ("confusion".to_owned(), confusion),
        ("calibration".to_owned(), reliability("Whether probabilities came true", &points)),
    ];
    for (place, class) in answer.top_words.iter().enumerate() {
        let row = |word: &super::scores::TopWord| Interval {
            name: word.word.clone(),
            low: word.q05,
            middle: word.ln_odds,
            high: word.q95,
        };
        let rows: Vec<Interval> = class.words.iter().map(row).collect();
        if !rows.is_empty() {
            let picture = intervals(&format!("Words of {}", class.class), &rows);
            pictures.push((format!("words_{place}"), picture));
        }
    }
    pictures
}

/// The page.
pub(super) fn page(answer: &Answer, pictures: &[(String, Picture)]) -> Page {
    let scores = &answer.scores;
    let headline = format!(
        "{} of {} rows are classified correctly",
        percent(scores.accuracy),
        grouped(scores.rows as u64)
    );
    let mut page = Page::new("Classes", headline);
    let figure = |name: &str, caption: &str| {
        let picture = pictures.iter().find(|(own, _)| own == name)?.1.clone();
        Some(Figure::new(picture, caption))
    };
    page.lead = figure("confusion", "For each true class (rows) how often each was said (columns).");
    page.facts = facts(answer);
    let numbers = ["precision", "recall", "F1", "AUC", "rows"].map(|name| Column::Number(name.to_owned()));
    let columns = [vec![Column::Text("class".to_owned())], numbers.to_vec()].concat();
    page.sections.push(Section {
        title: "Classes".to_owned(),
        text: String::new(),
        body: Body::Table(Table { columns, rows: class_rows(scores) }),
    });
    let caption = "Of the classes said with a probability, the share that is right, and where it would be nine times in ten. \
                   Naive Bayes counts dependent words as if each were new evidence: points below the diagonal are too sure.";
    page.sections.extend(figure("calibration", caption).map(|figure| Section {
        title: "Are probabilities what they say".to_owned(),
        text: String::new(),
        body: Body::Figure(figure),
    }));
    for (place, class) in answer.top_words.iter().enumerate() {
        let caption = "How much more frequent the word is in the class than in all others, in logarithms, with intervals of 90 %.";
        page.sections.extend(figure(&format!("words_{place}"), caption).map(|figure| Section {
            title: format!("Words that tell {}", class.class),
            text: String::new(),
            body: Body::Figure(figure),
        }));
    }
    page.command = called();
    page
}

/// What is worth knowing at a glance.
pub(super) fn facts(answer: &Answer) -> Vec<(String, String)> {
    let scores = &answer.scores;
    let mut facts = vec![
        ("Accuracy", percent(scores.accuracy)),
        ("ln loss of a row", significant(scores.ln_loss.0)),
        ("Brier score", significant(scores.brier)),
        ("Calibration error", percent(scores.calibration_error)),
        ("Evaluated on", answer.evaluated_on.clone()),
        ("Method", answer.method.clone()),
        ("Words or columns", grouped(answer.vocabulary as u64)),
    ];
    facts.extend(answer.smoothing.map(|smoothing| ("Smoothing", significant(smoothing))));
    if scores.unexplained > 0 {
        facts.push(("Rows that no class explains", grouped(scores.unexplained as u64)));
    }
    facts.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}
