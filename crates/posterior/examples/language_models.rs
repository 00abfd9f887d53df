//! Letters of English: what each rule of smoothing makes of more and more context.
//!
//! `POSTERIOR_SHARED=FOLDER cargo run --release -p posterior --example language_models [-- TEXT]`
//!
//! Reads a text (by default `data/sequence/english_lm.txt` of the folder, 673,549 letters and spaces of
//! inaugural addresses), folds it to a to z and spaces, learns from the first 90 % and prints the perplexity
//! for each character of the rest: one row for each number of characters that a model sees, the one that it
//! predicts included. Then texts that the models make up.

use std::error::Error;
use std::path::PathBuf;
use std::time::Instant;

use posterior::dist::stream::stream;
use posterior::inference::em::EmOptions;
use posterior::math::iteration::Silent;
use posterior::text::alphabet::{Alphabet, characters, letters};
use posterior::text::ngram::{
    Boundaries, LanguageModel, NGramCounts, NGramModel, NGramOptions, NgramVocabulary, Smoothing, Unigrams,
    held_out_weights,
};
use posterior::text::pitman_yor::{PitmanYorOptions, fit};

/// The longest n-grams.
const LONGEST: usize = 8;

/// The longest ones of the hierarchical Pitman-Yor model, which takes far longer than all others together.
const LONGEST_BY_SAMPLING: usize = 6;

fn main() -> Result<(), Box<dyn Error>> {
    let path = text_path()?;
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut alphabet = Alphabet::new();
    let symbols = alphabet.intern(characters(&letters(&text)));
    if symbols.len() < 1000 {
        return Err(format!("{}: {} letters are too few", path.display(), symbols.len()).into());
    }
    let (known, held_out) = symbols.split_at(symbols.len() / 10 * 9);
    println!("{}: {} characters, {} of them held out\n", path.display(), symbols.len(), held_out.len());
    let vocabulary = NgramVocabulary::new(alphabet.len())?.with_boundaries(Boundaries::Open);
    perplexities(vocabulary, known, held_out)?;
    made_up(vocabulary, known, &alphabet)
}

/// The text of the command line, or that of the shared folder.
fn text_path() -> Result<PathBuf, String> {
    if let Some(path) = std::env::args_os().nth(1) {
        return Ok(path.into());
    }
    #[expect(clippy::disallowed_methods, reason = "where data lie is for the person who runs it to say")]
    let folder = std::env::var_os("POSTERIOR_SHARED").ok_or("name a text, or set POSTERIOR_SHARED")?;
    Ok(PathBuf::from(folder).join("data/sequence/english_lm.txt"))
}

/// The columns.
fn rules() -> Vec<(&'static str, Smoothing)> {
    vec![
        ("likely", Smoothing::MaximumLikelihood),
        ("add 1/2", Smoothing::AddK { k: 0.5 }),
        ("Dirichl.", Smoothing::Dirichlet { concentration: 5.0 }),
        ("Katz", Smoothing::GoodTuring { threshold: 5 }),
        ("W.-Bell", Smoothing::WittenBell),
        ("absolute", Smoothing::AbsoluteDiscounting { discount: None }),
        ("Kn.-Ney", Smoothing::KneserNey { discount: None }),
        ("modified", Smoothing::ModifiedKneserNey),
    ]
}

fn perplexities(
    vocabulary: NgramVocabulary,
    known: &[usize],
    held_out: &[usize],
) -> Result<(), Box<dyn Error>> {
    print!("{:>2}", "n");
    for (name, _) in rules() {
        print!(" {name:>8}");
    }
    println!(" {:>8} {:>8} {:>9}", "held out", "Pitman-Y", "n-grams");
    // Weights of interpolation are learned from the last tenth of what is known, and used with counts of all
    // of it.
    let (counted, tuning) = known.split_at(known.len() / 10 * 9);
    let begin = Instant::now();
    for order in 1..=LONGEST {
        let counts = NGramCounts::of(&[known], vocabulary, order)?;
        print!("{order:>2}");
        for (_, smoothing) in rules() {
            let model = NGramModel::fit(&counts, &NGramOptions::new(smoothing))?;
            print!(" {:8.4}", model.score(&[held_out])?.perplexity());
        }
        let part = NGramCounts::of(&[counted], vocabulary, order)?;
        let em = EmOptions::default();
        let weights = held_out_weights(&part, &[tuning], Unigrams::TowardsUniform, &em, &mut Silent)?.model;
        let options = NGramOptions::new(Smoothing::Interpolation { weights });
        print!(" {:8.4}", NGramModel::fit(&counts, &options)?.score(&[held_out])?.perplexity());
        if order <= LONGEST_BY_SAMPLING {
            let options = PitmanYorOptions { warm_up: 15, draws: 5, thin: 3, ..PitmanYorOptions::default() };
            let model = fit(&counts, &options, &mut stream(1, &[]), &mut Silent)?.model;
            print!(" {:8.4}", model.score(&[held_out])?.perplexity());
        } else {
            print!(" {:>8}", "");
        }
        println!(" {:9}", counts.distinct(order));
    }
    println!("\n{:.1} s\n", begin.elapsed().as_secs_f64());
    Ok(())
}

/// What modified Kneser-Ney models write.
fn made_up(vocabulary: NgramVocabulary, known: &[usize], alphabet: &Alphabet) -> Result<(), Box<dyn Error>> {
    for order in [1, 2, 3, 5, LONGEST] {
        let counts = NGramCounts::of(&[known], vocabulary, order)?;
        let model = NGramModel::fit(&counts, &NGramOptions::default())?;
        let text = model.sample(90, &mut stream(2, &[order as u64]));
        println!("n = {order}: {}", alphabet.decode(&text, "")?);
    }
    Ok(())
}
