//! Substitution ciphers, solved.

use std::io::Write;

use posterior::dist::stream::stream;
use posterior::inference::em::EmOptions;
use posterior::report::{Figure, Interval, Page, Ribbon, intervals, ribbons};
use posterior::sequence::cipher::{
    Ciphertext, EmissionOptions, Language, Letters, Solution, SolveOptions, Spaces, solve,
};
use rand::seq::SliceRandom;

use super::figure;
use crate::{Outcome, Sources};

/// Letters of texts that are enciphered.
const LENGTHS: [usize; 5] = [40, 80, 160, 320, 640];
/// Letters of the six ciphers.
const SIX: [usize; 6] = [250, 400, 700, 1000, 1500, 2000];

/// The proportion of letters, without spaces, that are right.
fn right(found: &[usize], truth: &[usize]) -> f64 {
    let letters = found.iter().zip(truth).filter(|&(_, &truth)| truth != 0);
    let (hits, all) =
        letters.fold((0, 0), |(hits, all), (found, truth)| (hits + usize::from(found == truth), all + 1));
    f64::from(hits as u32) / f64::from(all.max(1))
}

fn options() -> SolveOptions {
    let em = EmOptions { max_iterations: 20, tolerance: 1e-6, ..EmOptions::default() };
    let emissions = EmissionOptions { starts: 1, em, ..EmissionOptions::default() };
    SolveOptions { emissions, starts: 3, ..SolveOptions::default() }
}

/// Six ciphers of more and more letters, stage by stage.
pub(super) fn six_ciphers(
    out: &mut dyn Write,
    text: &str,
    language: &Language,
    sources: &Sources,
    page: &mut Page,
) -> Outcome<()> {
    writeln!(out, "\nsix ciphers: percent of letters that are right after each stage\n")?;
    let (mut header, mut curves) = (true, Vec::new());
    for (place, length) in SIX.into_iter().take(sources.either(SIX.len(), 3)).enumerate() {
        let plain = piece(text, 7_000 + 9_000 * place, length)?;
        let truth = language.letters().read(plain);
        let cipher = Ciphertext::read(&enciphered(plain, place as u64), Spaces::Kept, language)?;
        let solution = solve(&cipher, language, &options(), 0)?;
        if std::mem::take(&mut header) {
            write!(out, "{:>8}", "letters")?;
            for stage in &solution.stages {
                write!(out, "{:>14}", format!("{:?}", stage.name))?;
            }
            writeln!(out)?;
        }
        write!(out, "{:>8}", truth.len())?;
        let mut line = Vec::new();
        for (place, stage) in solution.stages.iter().enumerate() {
            let proportion = 100.0 * right(&stage.letters, &truth);
            line.push((place as f64 + 1.0, proportion));
            write!(out, "{proportion:>14.1}")?;
        }
        writeln!(out, "   {}", solution.plaintext.chars().take(40).collect::<String>())?;
        curves.push(Ribbon::line(format!("{} letters", truth.len()), line));
    }
    let picture = ribbons(("stage", "percent of letters right"), &curves, &[], None);
    let text = "1 frequencies of letters, 2 the hidden Markov model, 3 each letter once, 4 exchanges that gain, 5 annealing.";
    figure(page, "A key, stage by stage", text, Figure::new(picture, "Six ciphers, one line each."));
    Ok(())
}

/// Enciphers the letters of a text, spaces kept, with a random key.
fn enciphered(text: &str, seed: u64) -> String {
    let mut alphabet: Vec<char> = ('a'..='z').collect();
    alphabet.shuffle(&mut stream(seed, &[]));
    let replace = |c: char| if c.is_ascii_lowercase() { alphabet[usize::from(c as u8 - b'a')] } else { c };
    text.chars().map(replace).collect()
}

/// So many letters and spaces from a place on.
fn piece(text: &str, from: usize, length: usize) -> Outcome<&str> {
    Ok(text.get(from..from + length).ok_or("the text is too short")?.trim())
}

/// How many letters come out right, of texts of more and more letters.
pub(super) fn lengths(
    out: &mut dyn Write,
    text: &str,
    language: &Language,
    sources: &Sources,
    page: &mut Page,
) -> Outcome<()> {
    // Texts of each length, and random keys from which theirs is searched for: short ones have many false
    // tops.
    let (pieces, starts) = (sources.either(5, 2), sources.either(40, 4));
    writeln!(
        out,
        "\ntexts, {pieces} of each length; missed: the true text is more probable than the one found\n\n{:>8}{:>10}{:>10}{:>10}",
        "length", "right %", "sd", "missed"
    )?;
    let (mut x, mut means, mut sds) = (Vec::new(), Vec::new(), Vec::new());
    for length in LENGTHS {
        let (mut proportions, mut missed) = (Vec::new(), 0);
        for place in 0..pieces {
            let plain = piece(text, place * 13_000, length)?;
            let truth = language.letters().read(plain);
            let cipher = Ciphertext::read(&enciphered(plain, place as u64), Spaces::Kept, language)?;
            let solution = solve(&cipher, language, &SolveOptions { starts, ..options() }, 1)?;
            let truly = language.ln_likelihood(&truth)?;
            missed += usize::from(solution.ln_likelihood < truly - 1e-6);
            proportions.push(100.0 * right(&solution.key.apply(cipher.symbols()), &truth));
            if place == 0 && length == LENGTHS[0] {
                in_doubt(out, &cipher, &solution, (&truth, truly), page)?;
            }
        }
        let mean = proportions.iter().sum::<f64>() / pieces as f64;
        let sd = (proportions.iter().map(|proportion| (proportion - mean).powi(2)).sum::<f64>()
            / (pieces - 1) as f64)
            .sqrt();
        writeln!(out, "{length:>8}{mean:>10.1}{sd:>10.1}{missed:>10}")?;
        x.push((length as f64).log2());
        if length == LENGTHS[0] || length == 320 {
            page.fact(format!("letters right of {length}"), format!("{mean:.0} %"));
        }
        means.push(mean);
        sds.push(sd);
    }
    let curve = Ribbon::around("letters right", &x, &means, &sds, 1.0);
    let picture = ribbons(("log2 of the length", "percent of letters right"), &[curve], &[], None);
    figure(page, "More text, more letters", "Mean and standard deviation.", Figure::new(picture, ""));
    Ok(())
}

/// The symbols of a short cipher with how probable their letters are.
fn in_doubt(
    out: &mut dyn Write,
    cipher: &Ciphertext,
    solution: &Solution,
    (truth, truly): (&[usize], f64),
    page: &mut Page,
) -> Outcome<()> {
    let (counts, certainties) = (cipher.counts(), solution.certainties());
    let letters = Letters::english();
    let mut rows = Vec::new();
    for (place, &symbol) in cipher.symbols().iter().enumerate() {
        let first = !cipher.symbols()[..place].contains(&symbol);
        if !first || cipher.fixed()[symbol].is_some() {
            continue;
        }
        let (found, meant) = (solution.key.plain()[symbol], truth[place]);
        let mark = if found == meant { "" } else { ", wrong" };
        let often = if counts[symbol] == 1 { "once".to_owned() } else { format!("{} times", counts[symbol]) };
        let name = format!("{}, {often}{mark}", letters.characters()[found]);
        rows.push(Interval { name, low: 0.0, middle: certainties[symbol], high: certainties[symbol] });
    }
    rows.sort_by(|a, b| b.middle.total_cmp(&a.middle));
    writeln!(out, "  of one text: {}", solution.plaintext)?;
    for row in &rows {
        writeln!(out, "    {:>5.3}  {}", row.middle, row.name)?;
    }
    let found = solution.ln_likelihood;
    writeln!(out, "    ln p of the text found {found:.2}, of the true one {truly:.2}")?;
    let text = format!(
        "A text of {} letters and spaces; the probability of each letter that was found, by draws of keys near the best one. The ln p of the text found is {found:.1}, that \
         of the true text {truly:.1}: if a wrong text is the more probable one, the text is too short, and if the true one is, the search has missed it.",
        cipher.symbols().len()
    );
    figure(page, "Letters in doubt", text, Figure::new(intervals("Letters in doubt", &rows), ""));
    Ok(())
}
