//! The page about a classifier: its confusion matrix, the calibration of its probabilities, what tells the
//! classes apart.

use posterior_report::{Figure, Interval, Page, PageTable, Picture, heat_map, intervals, reliability};

use super::answer::Answer;
use super::logistic::Spread;
use super::reliability as reliability_table;
use super::scores::{CLASS_COLUMNS, class_rows};
use super::telling::{TopWord, TopWords};
use crate::failure::Failure;
use crate::level::Level;
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
         Points below the diagonal are too sure{}.",
        match &answer.calibration {
            None => "; --calibrate learns a map that mends it".to_owned(),
            Some(own) => format!(". Each fold is mapped by the {} map of the others", own.method),
        }
    );
    page.figure("Calibration", "", &calibration, caption);
    let text = format!("Of each group the proportion that is right, with its interval of {level}.");
    page.section(
        "Groups of like probability",
        text,
        reliability_table::page_table(&answer.reliability, level),
    );
    let mut pictures =
        vec![("confusion".to_owned(), Some(confusion)), ("calibration".to_owned(), Some(calibration))];
    if let Some(own) = &answer.calibration {
        let points = reliability_points(&own.before.reliability, level);
        let before = reliability("Before the calibration", &points);
        let caption = "The same of the probabilities that the model says without the map.";
        page.figure("Before the calibration", "", &before, caption);
        pictures.push(("uncalibrated".to_owned(), Some(before)));
    }
    pictures.extend(top_words(&mut page, &answer.top_words, answer.is_logistic(), level));
    page.cautions(&answer.warnings);
    page.command = called();
    (Pictures::of(pictures), page)
}

/// Adds a picture of the telling words of each class, and returns them with their names.
pub(super) fn top_words(
    page: &mut Page,
    all: &[TopWords],
    is_logistic: bool,
    level: Level,
) -> Vec<(String, Option<Picture>)> {
    let mut pictures = Vec::new();
    for (place, class) in all.iter().enumerate().filter(|(_, class)| !class.words.is_empty()) {
        let row = |word: &TopWord| {
            let [low, high] = word.spread.map_or([word.ln_odds; 2], |own| own.interval);
            Interval { name: word.word.clone(), low, middle: word.ln_odds, high }
        };
        let rows: Vec<Interval> = class.words.iter().map(row).collect();
        let picture = intervals(&format!("Words of {}", class.class), &rows);
        let caption = match (is_logistic, class.has_intervals()) {
            (false, _) => format!(
                "How much more frequent the word is in the class than in all others, in logarithms, with intervals of {level}."
            ),
            (true, true) => format!(
                "What the word adds to the log-odds of the class: the mean and the interval of {level} of its posterior. \
                 The model predicts by the most probable coefficients, which are nearer to 0."
            ),
            (true, false) => "The coefficient: what it adds to the log-odds of the class.".to_owned(),
        };
        page.figure(format!("Words that tell {}", class.class), "", &picture, caption);
        pictures.push((format!("words_{place}"), Some(picture)));
    }
    pictures
}

/// What a run writes, as far as the names are always the same.
pub(super) const NAMES: &[&str] = &[
    "confusion.csv",
    "top_words.csv",
    reliability_table::NAME,
    "confusion.svg",
    "calibration.svg",
    "report.html",
];

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
    reliability_table::put(folder, &answer.reliability, answer.level)?;
    put_top_words(folder, &answer.top_words, answer.level)?;
    let (pictures, page) = report(answer);
    folder.put_report(&pictures, &page)
}

/// Writes the telling words, where there are any; what has no interval has empty cells.
pub(super) fn put_top_words(folder: &OutputFolder, all: &[TopWords], level: Level) -> Result<(), Failure> {
    if all.is_empty() {
        return Ok(());
    }
    let words = all.iter().flat_map(|own| own.words.iter().map(|word| (&own.class, word)));
    let rows = words.map(|(class, word)| {
        let spread = word.spread.iter().flat_map(|&Spread { sd, interval: [low, high] }| [sd, low, high]);
        let mut numbers: Vec<String> =
            std::iter::once(word.ln_odds).chain(spread).map(|number| number.to_string()).collect();
        numbers.resize(4, String::new());
        [class.clone(), word.word.clone()].into_iter().chain(numbers)
    });
    let [low, high] = &level.names();
    folder.put_table("top_words.csv", ["class", "word", "ln_odds", "sd", low, high], rows)
}
