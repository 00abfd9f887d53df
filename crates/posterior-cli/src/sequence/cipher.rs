//! `posterior sequence cipher`.

use std::fmt::Write as _;

use posterior::datasets::english_letters;
use posterior::sequence::cipher::{
    Ciphertext, Language, Letters, Solution, SolveOptions, Spaces, StageName, solve,
};

use super::cipher_report::{self, Output, Pair, StageOutput, stage_header, stage_rows};
use super::read;
use crate::args::{CipherSpaces, SequenceCipher};
use crate::failure::{Failure, refused};
use crate::output::{grouped, percent};
use crate::run::Run;
use crate::text_table;

/// Runs the verb.
pub(crate) fn run(args: &SequenceCipher) -> Result<(), Failure> {
    let mut run = Run::start(&args.common)?;
    let (source, text) = read(&args.text)?;
    let language = language(args)?;
    let spaces = match args.spaces {
        CipherSpaces::Kept => Spaces::Kept,
        CipherSpaces::Enciphered => Spaces::Enciphered,
    };
    let failed = |error: posterior::sequence::Error| Failure::data(format!("{source}: {error}"));
    let cipher = Ciphertext::read(&text, spaces, &language).map_err(failed)?;
    let truth = truth(args, &cipher, &language)?;
    run.claim(args.out.as_deref(), &["plain.txt", "key.csv", "report.html"])?;
    let options = SolveOptions { starts: usize::from(args.restarts), ..SolveOptions::default() };
    let solution = solve(&cipher, &language, &options, args.common.seed).map_err(failed)?;
    let output = output(&cipher, &language, &solution, truth.as_deref());
    if (cipher.symbols().len() as f64) < output.unicity_distance {
        let note = "note: the text is shorter than what makes one key likely: look at the probabilities of the letters";
        run.note(note);
    }
    run.write("report.html", |folder| {
        folder.put_text("plain.txt", &solution.plaintext)?;
        let rows = output.key.iter().map(|pair| {
            let [symbol, letter] = [pair.symbol, pair.letter].map(|own| own.to_string());
            [symbol, letter, pair.probability.to_string(), pair.count.to_string()]
        });
        folder.put_table("key.csv", ["symbol", "letter", "probability", "count"], rows)?;
        folder.put_text("report.html", &cipher_report::page(&run, &source, &output).html())
    })?;
    run.print(|| &output, || describe(&source, &output))
}

fn language(args: &SequenceCipher) -> Result<Language, Failure> {
    let order = usize::from(args.order);
    let Some(path) = &args.language else {
        let most = english_letters::ORDER;
        if order > most {
            return Err(Failure::Usage(format!(
                "--order {order}: the embedded counts have rows of up to {most} letters"
            )));
        }
        // Of fewer letters: sums over those that come first.
        let cells = 27_usize.pow(args.order.into());
        let mut counts = vec![0; cells];
        for (index, count) in english_letters::load().into_iter().enumerate() {
            counts[index % cells] += count;
        }
        let language = Language::from_counts(Letters::english(), order, &counts);
        return language.map_err(refused);
    };
    let (source, text) = read(path)?;
    Language::from_text(&text, order).map_err(|error| Failure::data(format!("{source}: {error}")))
}

/// The letters of the known plain text, if there is one.
fn truth(
    args: &SequenceCipher,
    cipher: &Ciphertext,
    language: &Language,
) -> Result<Option<Vec<usize>>, Failure> {
    let Some(path) = &args.plain else { return Ok(None) };
    let (source, text) = read(path)?;
    let letters = language.letters().read(&text);
    let (expected, found) = (cipher.symbols().len(), letters.len());
    if expected == found {
        Ok(Some(letters))
    } else {
        let message =
            format!("{source}: expected {expected} letters and spaces as in the cipher text, found {found}");
        Err(Failure::data(message))
    }
}

fn output<'a>(
    cipher: &Ciphertext,
    language: &Language,
    solution: &'a Solution,
    truth: Option<&[usize]>,
) -> Output<'a> {
    let counts = cipher.counts();
    let certainties = solution.certainties();
    let letters = language.letters().characters();
    let pair = |(symbol, &character): (usize, &char)| Pair {
        symbol: character,
        letter: letters[solution.key.plain()[symbol]],
        probability: certainties[symbol],
        count: counts[symbol],
    };
    let right = |found: &[usize]| {
        truth.map(|truth| {
            let free = cipher.symbols().iter().map(|&symbol| cipher.fixed()[symbol].is_none());
            let free = found.iter().zip(truth).zip(free).filter(|&(_, free)| free);
            let right = free.clone().filter(|((found, truth), _)| found == truth).count();
            right as f64 / free.count() as f64
        })
    };
    let stages = solution.stages.iter().map(|stage| StageOutput {
        name: name(stage.name),
        ln_likelihood: stage.ln_likelihood,
        right: right(&stage.letters),
    });
    let free = cipher.fixed().iter().filter(|fixed| fixed.is_none()).count();
    let entropy = -solution.ln_likelihood / cipher.symbols().len() as f64;
    Output {
        characters: cipher.symbols().len(),
        symbols: cipher.characters().len(),
        plaintext: &solution.plaintext,
        key: cipher.characters().iter().enumerate().map(pair).collect(),
        ln_likelihood: solution.ln_likelihood,
        unicity_distance: language.unicity_distance(free, entropy),
        stages: stages.collect(),
        starts: &solution.starts,
    }
}

const fn name(stage: StageName) -> &'static str {
    match stage {
        StageName::Frequencies => "frequencies",
        StageName::HiddenMarkov => "hidden Markov model",
        StageName::Assignment => "assignment",
        StageName::Climbing => "climbing",
        StageName::Annealing => "annealing",
        _ => "other",
    }
}

fn describe(source: &str, output: &Output<'_>) -> String {
    let mut text = format!(
        "{source}: {} letters and spaces, {} symbols; ln likelihood {:.2}\n\n{}\n\n",
        grouped(output.characters as u64),
        output.symbols,
        output.ln_likelihood,
        output.plaintext.trim_end()
    );
    let line = |what: &str, each: &dyn Fn(&Pair) -> String| {
        format!("{what} {}\n", output.key.iter().map(each).collect::<String>())
    };
    text += &line("symbols", &|pair| pair.symbol.to_string());
    text += &line("letters", &|pair| pair.letter.to_string());
    let doubtful: Vec<String> = output
        .key
        .iter()
        .filter(|pair| pair.probability < 0.99)
        .map(|pair| format!("{} is {} ({})", pair.symbol, pair.letter, percent(pair.probability)))
        .collect();
    // Writing to a string cannot fail.
    let _ = match doubtful.len() {
        0 => writeln!(text, "every letter is certain by 99 % or more"),
        _ => writeln!(text, "in doubt: {}", doubtful.join(", ")),
    };
    text.push('\n');
    text + &text_table::aligned(stage_header(output), stage_rows(output))
}
