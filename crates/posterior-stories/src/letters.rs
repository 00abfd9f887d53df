//! What do letters say of each other? Vowels and consonants, and ciphers that are solved.
//!
//! `POSTERIOR_SHARED=DIR cargo run --release -p posterior --example letters [-- --out DIR]`
//!
//! Needs `data/sequence/english_lm.txt` and `data/sequence/ciphers.json` in that folder. A hidden Markov model with two states, which knows nothing
//! of letters, splits them into vowels (with the space) and consonants. Substitution ciphers are solved: prints how many letters are right after each
//! stage, for texts of more and more letters, and which letters are left in doubt. With `--out` it writes a page with the pictures.

use std::error::Error;
use std::path::{Path, PathBuf};

use posterior::dist::stream::stream;
use posterior::inference::em::EmOptions;
use posterior::latent::mixture::MaximumLikelihood;
use posterior::math::iteration::Silent;
use posterior::math::linalg::DMatrix;
use posterior::report::{Body, Figure, Interval, Page, Ribbon, Section, heat_map, intervals, ribbons};
use posterior::sequence::baum_welch::{BaumWelch, BaumWelchOptions};
use posterior::sequence::cipher::{
    Ciphertext, EmissionOptions, Language, Letters, Solution, SolveOptions, Spaces, solve,
};
use posterior::sequence::emission::{CategoricalEmissions, Sequences};
use posterior::sequence::hmm::HiddenMarkovModel;
use rand::seq::SliceRandom;
use rand::{Rng, RngExt};

type Outcome<T> = Result<T, Box<dyn Error>>;

const TEXT: &str = "data/sequence/english_lm.txt";
const CIPHERS: &str = "data/sequence/ciphers.json";
/// Letters of which vowels and consonants are learnt.
const LEARNT: usize = 30_000;
/// Starts of the learning.
const STARTS: u64 = 4;
/// Letters of texts that are enciphered, and how many such texts there are of each length.
const LENGTHS: [usize; 5] = [40, 80, 160, 320, 640];
const PIECES: usize = 5;
/// Random keys from which these are searched for: short texts have many false tops.
const SEARCHES: usize = 40;

fn main() -> Outcome<()> {
    let out = out_folder()?;
    #[expect(clippy::disallowed_methods, reason = "where data lie is for the person who runs it to say")]
    let Some(folder) = std::env::var_os("POSTERIOR_SHARED").map(PathBuf::from) else {
        println!("POSTERIOR_SHARED does not say where {TEXT} and {CIPHERS} lie");
        return Ok(());
    };
    let text = read(&folder.join(TEXT))?;
    let ciphers = read(&folder.join(CIPHERS))?;
    // The last tenth is enciphered, and not part of the language.
    let (known, unknown) = text.trim().split_at(text.trim().len() / 10 * 9);
    let language = Language::from_text(known, 4)?;
    let mut page = Page::new("Letters", "Vowels, consonants, and ciphers solved");
    vowels_and_consonants(known, &mut page)?;
    six_ciphers(&ciphers, &language, &mut page)?;
    lengths(unknown, &language, &mut page)?;
    if let Some(folder) = out {
        "cargo run --release -p posterior --example letters -- --out DIR".clone_into(&mut page.command);
        "Inaugural addresses of presidents of the United States, public domain".clone_into(&mut page.source);
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

fn read(path: &Path) -> Outcome<String> {
    Ok(std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?)
}

fn figure(page: &mut Page, title: &str, text: impl Into<String>, figure: Figure) {
    page.sections.push(Section { title: title.to_owned(), text: text.into(), body: Body::Figure(figure) });
}

/// Rows of random numbers around equal ones, with sum 1.
fn nearly_even(rows: usize, columns: usize, rng: &mut impl Rng) -> DMatrix<f64> {
    let mut matrix = DMatrix::from_fn(rows, columns, |_, _| 0.8 + 0.4 * rng.random::<f64>());
    for mut row in matrix.row_iter_mut() {
        let sum = row.sum();
        row /= sum;
    }
    matrix
}

fn vowels_and_consonants(text: &str, page: &mut Page) -> Outcome<()> {
    let letters = Letters::english();
    let symbols = letters.read(&text[..LEARNT.min(text.len())]);
    let sequences = Sequences::one(&symbols[..]);
    let em = EmOptions::default().with_max_iterations(120).with_tolerance(1e-7);
    let problem = BaumWelch::new(&sequences, MaximumLikelihood, BaumWelchOptions::default().with_em(em))?;
    println!("two states for {} letters and spaces: ln p of a letter\n", symbols.len());
    println!("{:>6}{:>8}{:>12}{:>12}{:>8}", "start", "steps", "first", "last", "falls");
    let (mut best, mut traces) = (None, Vec::new());
    for number in 0..STARTS {
        let rng = &mut stream(1, &[number]);
        let emissions = CategoricalEmissions::new(&nearly_even(2, letters.len(), rng))?;
        let start = HiddenMarkovModel::new(&[0.5, 0.5], &nearly_even(2, 2, rng), emissions)?;
        let fitted = problem.fit(start, &mut Silent)?;
        let trace: Vec<f64> = fitted.report.trace.iter().map(|value| value / symbols.len() as f64).collect();
        let (first, last) = (trace.first().copied(), trace.last().copied());
        let (Some(first), Some(last)) = (first, last) else { return Err("a fit without a step".into()) };
        println!("{number:>6}{:>8}{first:>12.5}{last:>12.5}{:>8}", trace.len(), fitted.report.falls.len());
        let line = trace.iter().enumerate().map(|(step, &value)| (step as f64, value)).collect();
        traces.push(Ribbon { name: format!("start {number}"), line, bands: Vec::new() });
        if best.as_ref().is_none_or(|(other, _)| last > *other) {
            best = Some((last, fitted.model.hmm));
        }
    }
    let (_, model) = best.ok_or("no start")?;
    let emissions = model.emissions();
    let e = letters.index('e').ok_or("a language without e")?;
    let vowel = usize::from(emissions.probability(1, e) > emissions.probability(0, e));
    let name = |symbol: usize| match letters.characters()[symbol] {
        ' ' => "space".to_owned(),
        letter => letter.to_string(),
    };
    let both = |symbol| (emissions.probability(vowel, symbol), emissions.probability(1 - vowel, symbol));
    let mut order: Vec<usize> = (0..letters.len()).collect();
    order.sort_by(|&a, &b| (both(b).0 - both(b).1).total_cmp(&(both(a).0 - both(a).1)));
    for (title, first) in [("vowels", true), ("consonants", false)] {
        let own = order.iter().filter(|&&symbol| (both(symbol).0 > both(symbol).1) == first);
        println!("{title:>12}: {}", own.map(|&symbol| name(symbol)).collect::<Vec<_>>().join(" "));
    }
    let rows: Vec<Interval> = order
        .iter()
        .map(|&symbol| Interval {
            name: name(symbol),
            low: -both(symbol).1,
            middle: 0.0,
            high: both(symbol).0,
        })
        .collect();
    page.lead = Some(Figure::new(
        intervals("What two states show", &rows),
        "To the right the probability of each letter in one state, to the left in the other. Nobody said which letters are vowels.",
    ));
    let (there, back) = (model.transition()[(vowel, 1 - vowel)], model.transition()[(1 - vowel, vowel)]);
    println!("p(vowel to consonant) = {there:.3}, p(consonant to vowel) = {back:.3}");
    let states = ["vowel", "consonant"].map(str::to_owned);
    let columns: Vec<String> =
        states.iter().cloned().chain(order.iter().map(|&symbol| name(symbol))).collect();
    let mut values = Vec::new();
    for state in [vowel, 1 - vowel] {
        values.extend([vowel, 1 - vowel].map(|next| model.transition()[(state, next)]));
        values.extend(order.iter().map(|&symbol| emissions.probability(state, symbol)));
    }
    figure(
        page,
        "Steps and letters",
        format!(
            "After a vowel comes a consonant with probability {there:.2}, after a consonant a vowel with {back:.2}."
        ),
        Figure::new(
            heat_map("Steps and letters", ("state", "next state, then letter"), &states, &columns, &values),
            "The first two columns are the transition matrix, the others the emissions.",
        ),
    );
    let picture = ribbons(("step", "ln p of a letter"), &traces, &[], None);
    figure(page, "It never falls", "Four random starts of EM.", Figure::new(picture, ""));
    Ok(())
}

/// The share of letters, without spaces, that are right.
fn right(found: &[usize], truth: &[usize]) -> f64 {
    let letters = found.iter().zip(truth).filter(|&(_, &truth)| truth != 0);
    let (hits, all) =
        letters.fold((0, 0), |(hits, all), (found, truth)| (hits + usize::from(found == truth), all + 1));
    f64::from(hits as u32) / f64::from(all.max(1))
}

fn options() -> SolveOptions {
    let em = EmOptions::default().with_max_iterations(20).with_tolerance(1e-6);
    let emissions = EmissionOptions::default().with_starts(1).with_em(em);
    SolveOptions::default().with_emissions(emissions).with_starts(3)
}

fn six_ciphers(ciphers: &str, language: &Language, page: &mut Page) -> Outcome<()> {
    let ciphers: serde_json::Value = serde_json::from_str(ciphers)?;
    let items = ciphers["items"].as_array().ok_or("ciphers.json has no items")?;
    println!("\nsix ciphers: percent of letters that are right after each stage\n");
    let (mut header, mut curves) = (true, Vec::new());
    for item in items {
        let field = |name: &str| item[name].as_str().ok_or("a cipher without its text");
        let truth = language.letters().read(field("plaintext")?);
        let cipher = Ciphertext::read(field("ciphertext")?, Spaces::Kept, language)?;
        let solution = solve(&cipher, language, &options(), 0)?;
        if std::mem::take(&mut header) {
            print!("{:>8}", "letters");
            for stage in &solution.stages {
                print!("{:>14}", format!("{:?}", stage.name));
            }
            println!();
        }
        print!("{:>8}", truth.len());
        let mut line = Vec::new();
        for (place, stage) in solution.stages.iter().enumerate() {
            let share = 100.0 * right(&stage.letters, &truth);
            line.push((place as f64 + 1.0, share));
            print!("{share:>14.1}");
        }
        println!("   {}", solution.plaintext.chars().take(40).collect::<String>());
        curves.push(Ribbon { name: format!("{} letters", truth.len()), line, bands: Vec::new() });
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

fn lengths(text: &str, language: &Language, page: &mut Page) -> Outcome<()> {
    println!(
        "\ntexts of the last tenth, {PIECES} of each length; missed: the true text is more probable than the one found\n\n{:>8}{:>10}{:>10}{:>10}",
        "length", "right %", "sd", "missed"
    );
    let (mut x, mut means, mut sds) = (Vec::new(), Vec::new(), Vec::new());
    for length in LENGTHS {
        let (mut shares, mut missed) = (Vec::new(), 0);
        for piece in 0..PIECES {
            let plain = text
                .get(piece * 13_000..)
                .and_then(|rest| rest.get(..length))
                .ok_or("too short a text")?
                .trim();
            let truth = language.letters().read(plain);
            let cipher = Ciphertext::read(&enciphered(plain, piece as u64), Spaces::Kept, language)?;
            let solution = solve(&cipher, language, &options().with_starts(SEARCHES), 1)?;
            let truly = language.ln_likelihood(&truth)?;
            missed += usize::from(solution.ln_likelihood < truly - 1e-6);
            shares.push(100.0 * right(&solution.key.apply(cipher.symbols()), &truth));
            if piece == 0 && length == LENGTHS[0] {
                in_doubt(&cipher, &solution, (&truth, truly), page);
            }
        }
        let mean = shares.iter().sum::<f64>() / PIECES as f64;
        let sd =
            (shares.iter().map(|share| (share - mean).powi(2)).sum::<f64>() / (PIECES - 1) as f64).sqrt();
        println!("{length:>8}{mean:>10.1}{sd:>10.1}{missed:>10}");
        x.push((length as f64).log2());
        means.push(mean);
        sds.push(sd);
    }
    let curve = Ribbon::around("letters right", &x, &means, &sds, 1.0);
    let picture = ribbons(("log2 of the length", "percent of letters right"), &[curve], &[], None);
    figure(page, "More text, more letters", "Mean and standard deviation.", Figure::new(picture, ""));
    Ok(())
}

/// The symbols of a short cipher with how probable their letters are.
fn in_doubt(cipher: &Ciphertext, solution: &Solution, (truth, truly): (&[usize], f64), page: &mut Page) {
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
        let name = format!("{}, {} times{mark}", letters.characters()[found], counts[symbol]);
        rows.push(Interval { name, low: 0.0, middle: certainties[symbol], high: certainties[symbol] });
    }
    rows.sort_by(|a, b| b.middle.total_cmp(&a.middle));
    println!("  of one text: {}", solution.plaintext);
    for row in &rows {
        println!("    {:>5.3}  {}", row.middle, row.name);
    }
    let found = solution.ln_likelihood;
    println!("    ln p of the text found {found:.2}, of the true one {truly:.2}");
    let text = format!(
        "A text of {} letters and spaces; the probability of each letter that was found, by draws of keys near the best one. The ln p of the text found is {found:.1}, that \
         of the true text {truly:.1}: if a wrong text is the more probable one, the text is too short, and if the true one is, the search has missed it.",
        cipher.symbols().len()
    );
    figure(page, "Letters in doubt", text, Figure::new(intervals("Letters in doubt", &rows), ""));
}
