//! What comes next, a full stop or something else? Tables of contexts, of which a text shows few, and what is done about the others.
//!
//! `POSTERIOR_SHARED=DIR cargo run --release -p posterior --example punctuation [-- --out DIR]`
//!
//! Needs `data/sotu/raw` in that folder: State of the Union addresses, of which the last is predicted from those before it. Prints for contexts of more
//! and more characters how many numbers the table has and how many contexts were seen; log loss, accuracy and macro-F1 of five rules; which mark is
//! taken for which; what more text does; and a text with its marks restored. With `--out` it writes a page with the pictures.

use std::error::Error;
use std::path::{Path, PathBuf};

use posterior::report::{Body, Column, Figure, Page, Ribbon, Section, Table, heat_map, ribbons};
use posterior::sequence::punctuation::{
    PitmanYorOptions, PunctuationModel, PunctuationScores, Smoothing, Symbol, score,
};

type Outcome<T> = Result<T, Box<dyn Error>>;

const FOLDER: &str = "data/sotu/raw";
/// Addresses that are counted for the table, and at most for the learning curve.
const COUNTED: usize = 8;
const MOST: usize = 32;
/// The context of the confusion, of the learning curve and of what is restored.
const N: usize = 5;

fn main() -> Outcome<()> {
    let out = out_folder()?;
    #[expect(clippy::disallowed_methods, reason = "where data lie is for the person who runs it to say")]
    let Some(folder) = std::env::var_os("POSTERIOR_SHARED").map(PathBuf::from) else {
        println!("POSTERIOR_SHARED does not say where {FOLDER} lies");
        return Ok(());
    };
    let texts = addresses(&folder.join(FOLDER))?;
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let (test, before) = texts.split_last().ok_or("no address")?;
    let known = &before[before.len().saturating_sub(COUNTED)..];
    let mut page = Page::new("Punctuation", "A table with more numbers than any text can fill");
    rules(known, test, &mut page)?;
    confusion(known, test, &mut page)?;
    learning_curve(before, test, &mut page)?;
    restored(before, test, &mut page)?;
    if let Some(folder) = out {
        "cargo run --release -p posterior --example punctuation -- --out DIR".clone_into(&mut page.command);
        "State of the Union addresses, public domain".clone_into(&mut page.source);
        std::fs::create_dir_all(&folder)?;
        std::fs::write(folder.join("report.html"), page.html())?;
        println!("\nwrote {}", folder.join("report.html").display());
    }
    Ok(())
}

fn out_folder() -> Outcome<Option<PathBuf>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => Ok(None),
        ["--out", folder] => Ok(Some(PathBuf::from(folder))),
        _ => Err("expected nothing, or --out DIR".into()),
    }
}

/// The last addresses by year, with one space for each run of white space.
fn addresses(folder: &Path) -> Outcome<Vec<String>> {
    let told = |error| format!("{}: {error}", folder.display());
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(told)? {
        files.push(entry?.path());
    }
    files.sort();
    let from = files.len().saturating_sub(MOST + 1);
    let read = |file: &PathBuf| -> Outcome<String> {
        let text = std::fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
        Ok(text.split_whitespace().collect::<Vec<_>>().join(" "))
    };
    files[from..].iter().map(read).collect()
}

fn five() -> [(&'static str, Smoothing); 5] {
    let process = PitmanYorOptions::default().with_sweeps(2, 4);
    [
        ("likely", Smoothing::MaximumLikelihood),
        ("back-off", Smoothing::BackOff),
        ("Witten-Bell", Smoothing::WittenBell),
        ("Kneser-Ney", Smoothing::KneserNey),
        ("Pitman-Yor", Smoothing::PitmanYor(process)),
    ]
}

fn macro_f1(scores: &PunctuationScores) -> f64 {
    scores.confusion.macro_f1().unwrap_or(f64::NAN)
}

fn rules(known: &[&str], test: &str, page: &mut Page) -> Outcome<()> {
    let mut table = Table::default();
    for name in ["n", "numbers", "contexts", "unseen %"] {
        table.columns.push(Column::Number(name.to_owned()));
    }
    table.columns.extend(five().map(|(name, _)| Column::Number(name.to_owned())));
    let mut losses = five().map(|(name, _)| Ribbon { name: name.to_owned(), ..Ribbon::default() });
    println!(
        "{} addresses are counted; log loss in nats, percent of characters right, macro-F1\n",
        known.len()
    );
    print!("{:>2}{:>10}{:>10}{:>9}", "n", "numbers", "contexts", "unseen");
    for (name, _) in five() {
        print!("{name:>22}");
    }
    println!();
    for n in 0..=6 {
        let mut cells = Vec::new();
        for (place, (_, smoothing)) in five().into_iter().enumerate() {
            let model = PunctuationModel::fit(known, n, &smoothing)?;
            let scores = score(&model, &[test])?;
            if place == 0 {
                let unseen = 100.0 * scores.unseen as f64 / scores.positions as f64;
                let (free, contexts) = (model.free_parameters(), model.contexts());
                print!("{n:>2}{free:>10.1e}{contexts:>10}{unseen:>8.2}%");
                cells.extend([
                    n.to_string(),
                    format!("{free:.1e}"),
                    contexts.to_string(),
                    format!("{unseen:.2}"),
                ]);
            }
            if scores.ln_loss.is_finite() {
                losses[place].line.push((n as f64, scores.ln_loss));
            }
            let right = 100.0 * scores.confusion.accuracy().unwrap_or(f64::NAN);
            let loss =
                if scores.ln_loss.is_finite() { format!("{:.4}", scores.ln_loss) } else { "∞".to_owned() };
            let cell = format!("{loss} {right:.2} {:.3}", macro_f1(&scores));
            print!("{cell:>22}");
            cells.push(cell);
        }
        println!();
        table.rows.push(cells);
    }
    let finite: Vec<Ribbon> = losses.into_iter().filter(|ribbon| ribbon.line.len() > 1).collect();
    let picture = ribbons(("n", "log loss of a character, in nats"), &finite, &[], None);
    page.lead = Some(Figure::new(
        picture,
        "Rules that hold something of the text for impossible have an infinite loss, and no point.",
    ));
    page.sections.push(Section {
        title: "Longer contexts".to_owned(),
        text: "A context has n + 1 characters. The table has six free numbers for each possible one; the text shows few of them, and of the new text's \
               contexts a share is unseen. For each rule: log loss of a character in nats, percent of characters right, macro-F1. Relative frequencies \
               (likely) are judged where they are defined."
            .to_owned(),
        body: Body::Table(table),
    });
    Ok(())
}

fn confusion(known: &[&str], test: &str, page: &mut Page) -> Outcome<()> {
    let names: Vec<String> = Symbol::ALL.iter().map(ToString::to_string).collect();
    let mut figures = Vec::new();
    for (rule, smoothing) in &five()[3..] {
        let model = PunctuationModel::fit(known, N, smoothing)?;
        let confusion = score(&model, &[test])?.confusion;
        print!("\n{rule}, n = {N}: rows are the truth, columns what is predicted\n\n{:>6}", "");
        for name in &names {
            print!("{name:>7}");
        }
        println!();
        let mut shares = Vec::new();
        for (truth, name) in names.iter().enumerate() {
            print!("{name:>6}");
            for predicted in 0..names.len() {
                let count = confusion.count(truth, predicted);
                print!("{count:>7}");
                shares.push(count as f64 / confusion.support(truth).max(1) as f64);
            }
            println!();
        }
        let picture = heat_map("Confusion", ("truth", "predicted"), &names, &names, &shares);
        figures.push(Figure::new(picture, format!("{rule}, n = {N}.")));
    }
    page.sections.push(Section {
        title: "Which mark is taken for which".to_owned(),
        text: "Of each true class the shares of what is predicted. Most marks are missed: before most of them, something else was more probable."
            .to_owned(),
        body: Body::Figures(figures),
    });
    Ok(())
}

fn learning_curve(before: &[&str], test: &str, page: &mut Page) -> Outcome<()> {
    println!("\n{:>9}{:>12}{:>10}{:>10}{:>10}", "addresses", "characters", "unseen %", "loss", "macro-F1");
    let (mut loss, mut unseen) = (Vec::new(), Vec::new());
    let mut count = 1;
    while count <= before.len() {
        let known = &before[before.len() - count..];
        let scores = score(&PunctuationModel::fit(known, N, &Smoothing::KneserNey)?, &[test])?;
        let characters: usize = known.iter().map(|text| text.chars().count()).sum();
        let share = scores.unseen as f64 / scores.positions as f64;
        println!(
            "{count:>9}{characters:>12}{:>10.2}{:>10.4}{:>10.3}",
            100.0 * share,
            scores.ln_loss,
            macro_f1(&scores)
        );
        let x = (characters as f64).log2();
        loss.push((x, scores.ln_loss));
        unseen.push((x, share));
        count *= 2;
    }
    let picture = |name: &str, line| {
        let ribbon = Ribbon { line, ..Ribbon::default() };
        Figure::new(ribbons(("log2 of the characters counted", name), &[ribbon], &[], None), "")
    };
    page.sections.push(Section {
        title: "More text".to_owned(),
        text: format!("Kneser-Ney with n = {N}, from one address to many."),
        body: Body::Figures(vec![picture("log loss", loss), picture("share of unseen contexts", unseen)]),
    });
    Ok(())
}

fn restored(before: &[&str], test: &str, page: &mut Page) -> Outcome<()> {
    let model = PunctuationModel::fit(before, N, &Smoothing::KneserNey)?;
    let middle: String = test.chars().skip(6000).collect();
    // From the end of a sentence, so that the first word has what is before it.
    let from = middle.find(". ").map_or(0, |place| place + 2);
    let truth: String = middle[from..].chars().take(420).collect();
    let bare: String = truth.chars().filter(|&c| Symbol::of(c) == Symbol::Other).collect();
    let told = model.restore(&bare, 200);
    println!("\nwithout marks  {bare}\n\nrestored       {told}\n\nas it was      {truth}");
    page.sections.push(Section {
        title: "Marks put back".to_owned(),
        text: "A piece without its marks, with the most probable ones, and as it was. The model looks back only, and not at the capital letter that \
               follows: it seldom holds a mark for more probable than none."
            .to_owned(),
        body: Body::List(vec![
            format!("Without: {bare}"),
            format!("Restored: {told}"),
            format!("As it was: {truth}"),
        ]),
    });
    Ok(())
}
