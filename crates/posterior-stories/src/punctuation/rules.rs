//! Longer contexts, five rules, more text.

use std::io::Write;

use posterior::report::{Body, Figure, Page, PageTable, Ribbon, TableColumn, grouped, ribbons};
use posterior::text::punctuation::{ContextSmoothing, PunctuationModel, score};

use super::{N, five, macro_f1};
use crate::Outcome;

pub(super) fn rules(out: &mut dyn Write, known: &[&str], test: &str, page: &mut Page) -> Outcome<()> {
    let named = |names: &[&str]| names.iter().map(|&name| TableColumn::Number(name.to_owned())).collect();
    let mut contexts =
        PageTable { columns: named(&["n", "numbers", "contexts", "unseen %"]), ..PageTable::default() };
    let mut scored = [(); 3].map(|()| PageTable { columns: named(&["n"]), ..PageTable::default() });
    for table in &mut scored {
        table.columns.extend(five().map(|(name, _)| TableColumn::Number(name.to_owned())));
    }
    let mut losses = five().map(|(name, _)| Ribbon { name: name.to_owned(), ..Ribbon::default() });
    writeln!(
        out,
        "{} messages of Lincoln are counted; log loss in nats, percent of characters right, macro-F1\n",
        known.len()
    )?;
    write!(out, "{:>2}{:>10}{:>10}{:>9}", "n", "numbers", "contexts", "unseen")?;
    for (name, _) in five() {
        write!(out, "{name:>22}")?;
    }
    writeln!(out)?;
    for n in 0..=6 {
        let mut rows = [(); 3].map(|()| vec![n.to_string()]);
        for (place, (_, smoothing)) in five().into_iter().enumerate() {
            let model = PunctuationModel::fit(known, n, &smoothing)?;
            let scores = score(&model, &[test])?;
            if place == 0 {
                let unseen = 100.0 * scores.unseen as f64 / scores.positions as f64;
                let (free, seen) = (model.free_parameters(), model.contexts());
                write!(out, "{n:>2}{free:>10.1e}{seen:>10}{unseen:>8.2}%")?;
                contexts.rows.push(vec![
                    n.to_string(),
                    format!("{free:.1e}"),
                    grouped(seen as u64),
                    format!("{unseen:.2}"),
                ]);
            }
            if scores.ln_loss.is_finite() {
                losses[place].line.push((n as f64, scores.ln_loss));
            }
            let loss =
                if scores.ln_loss.is_finite() { format!("{:.4}", scores.ln_loss) } else { "∞".to_owned() };
            if n == N {
                page.fact(format!("{}, n = {N}: log loss", five()[place].0), loss.clone());
            }
            let right = 100.0 * scores.confusion.accuracy().unwrap_or(f64::NAN);
            let cells = [loss, format!("{right:.2}"), format!("{:.3}", macro_f1(&scores))];
            write!(out, "{:>22}", cells.join(" "))?;
            for (row, cell) in rows.iter_mut().zip(cells) {
                row.push(cell);
            }
        }
        writeln!(out)?;
        for (table, row) in scored.iter_mut().zip(rows) {
            table.rows.push(row);
        }
    }
    let finite: Vec<Ribbon> = losses.into_iter().filter(|ribbon| ribbon.line.len() > 1).collect();
    let picture = ribbons(("n", "log loss of a character, in nats"), &finite, &[], None);
    page.lead = Some(Figure::new(
        picture,
        "Rules that hold something of the text for impossible have an infinite loss, and no point.",
    ));
    let text = "A context has n + 1 characters. The table has six free numbers for each possible one; the text shows few of them, and of the new text's \
         contexts a proportion is unseen.";
    page.section("Longer contexts", text, contexts);
    let [loss, right, f1] = scored.map(Body::Table);
    page.section(
        "Log loss of a character, in nats",
        "Relative frequencies (likely) are judged where they are defined.",
        loss,
    );
    page.section("Percent of characters right", "", right);
    page.section("Macro-F1", "The mean over the marks, of which most are rare.", f1);
    Ok(())
}

pub(super) fn learning_curve(
    out: &mut dyn Write,
    before: &[&str],
    test: &str,
    page: &mut Page,
) -> Outcome<()> {
    writeln!(
        out,
        "\n{:>9}{:>12}{:>10}{:>10}{:>10}",
        "messages", "characters", "unseen %", "loss", "macro-F1"
    )?;
    let (mut loss, mut unseen) = (Vec::new(), Vec::new());
    let mut count = 1;
    while count <= before.len() {
        let known = &before[before.len() - count..];
        let scores = score(&PunctuationModel::fit(known, N, &ContextSmoothing::KneserNey)?, &[test])?;
        let characters: usize = known.iter().map(|text| text.chars().count()).sum();
        let proportion = scores.unseen as f64 / scores.positions as f64;
        writeln!(
            out,
            "{count:>9}{characters:>12}{:>10.2}{:>10.4}{:>10.3}",
            100.0 * proportion,
            scores.ln_loss,
            macro_f1(&scores)
        )?;
        let x = (characters as f64).log2();
        loss.push((x, scores.ln_loss));
        unseen.push((x, proportion));
        count += 1;
    }
    let picture = |name: &str, line| {
        let ribbon = Ribbon { line, ..Ribbon::default() };
        Figure::new(ribbons(("log2 of the characters counted", name), &[ribbon], &[], None), "")
    };
    page.section(
        "More text",
        format!("Kneser-Ney with n = {N}, from one message to three."),
        vec![picture("log loss", loss), picture("proportion of unseen contexts", unseen)],
    );
    Ok(())
}
