//! The page about a classifier: its confusion matrix, the calibration of its probabilities, what tells the
//! classes apart.

use posterior_report::{Figure, Interval, Page, PageTable, heat_map, intervals, reliability};

use super::answer::Answer;
use super::scores::{CLASS_COLUMNS, TopWord, class_rows};
use crate::failure::Failure;
use crate::output::{called, grouped, percent};
use crate::output_folder::OutputFolder;
use crate::pictures::{Pictures, reliability_points};

/// The page of an answer, and its pictures.
pub(super) fn report(answer: &Answer) -> (Pictures, Page) {
    let (scores, level) = (&answer.scores, answer.level);
    let names: Vec<String> = scores.classes.iter().map(|own| own.class.clone()).collect();
    let counts: Vec<f64> = scores.confusion.iter().flatten().map(|&count| count as f64).collect();
    let confusion = heat_map("Confusion matrix", ("true class", "predicted class"), &names, &names, &counts);
    let points = reliability_points(&scores.reliability, level);
    let calibration = reliability("Calibration", &points);
    let headline = format!(
        "{} of {} rows are classified correctly",
        percent(scores.accuracy),
        grouped(scores.rows as u64)
    );
    let mut page = Page::new("Classes", headline);
    let caption = "For each true class (rows), how often each class was predicted (columns).";
    page.lead = Some(Figure::new(confusion.clone(), caption));
    page.facts = answer.facts();
    page.section("Classes", "", PageTable::new(CLASS_COLUMNS, class_rows(scores)));
    let caption = format!(
        "Of the predictions with a probability, the proportion that is right, and where it would be with probability {level}. \
         Naive Bayes counts dependent words as if each were new evidence: points below the diagonal are too sure."
    );
    page.figure("Calibration", "", &calibration, caption);
    let mut pictures =
        vec![("confusion".to_owned(), Some(confusion)), ("calibration".to_owned(), Some(calibration))];
    for (place, class) in answer.top_words.iter().enumerate().filter(|(_, class)| !class.words.is_empty()) {
        let row = |word: &TopWord| {
            let [low, high] = word.interval;
            Interval { name: word.word.clone(), low, middle: word.ln_odds, high }
        };
        let rows: Vec<Interval> = class.words.iter().map(row).collect();
        let picture = intervals(&format!("Words of {}", class.class), &rows);
        let caption = format!(
            "How much more frequent the word is in the class than in all others, in logarithms, with intervals of {level}."
        );
        page.figure(format!("Words that tell {}", class.class), "", &picture, caption);
        pictures.push((format!("words_{place}"), Some(picture)));
    }
    page.cautions(&answer.warnings);
    page.command = called();
    (Pictures::of(pictures), page)
}

/// What a run writes, as far as the names are always the same.
pub(super) const NAMES: &[&str] =
    &["confusion.csv", "top_words.csv", "confusion.svg", "calibration.svg", "report.html"];

/// Writes the tables, the report and its pictures.
pub(super) fn write(folder: &OutputFolder, answer: &Answer) -> Result<(), Failure> {
    let scores = &answer.scores;
    let names = scores.classes.iter().map(|own| own.class.as_str());
    let rows = scores
        .classes
        .iter()
        .zip(&scores.confusion)
        .map(|(own, row)| std::iter::once(own.class.clone()).chain(row.iter().map(u64::to_string)));
    folder.put_table("confusion.csv", std::iter::once("truth").chain(names), rows)?;
    if !answer.top_words.is_empty() {
        let words = answer.top_words.iter().flat_map(|own| own.words.iter().map(|word| (&own.class, word)));
        let rows = words.map(|(class, word)| {
            let [low, high] = word.interval;
            let numbers = [word.ln_odds, word.sd, low, high].map(|number| number.to_string());
            [class.clone(), word.word.clone()].into_iter().chain(numbers)
        });
        let [low, high] = &answer.level.names();
        let header = ["class", "word", "ln_odds", "sd", low, high];
        folder.put_table("top_words.csv", header, rows)?;
    }
    let (pictures, page) = report(answer);
    folder.put_report(&pictures, &page)
}
