//! Reading ARPA files.

use std::io::BufRead;

use super::{ESCAPES, NEVER};
use crate::alphabet::{Alphabet, BEGIN, END, UNKNOWN};
use crate::error::Error;
use crate::ngram::table::{Base, Table};
use crate::ngram::trie::Trie;
use crate::ngram::{Boundaries, NGramModel, NgramVocabulary};

/// Reads a model and the names of its symbols, numbered as they come among the unigrams.
///
/// Ends are marked if the file has `</s>` or `<s>` among the unigrams; `<unk>` is the symbol for the unknown.
/// Whether probabilities sum to one is the file's affair.
///
/// # Errors
/// The line at which the file is not as it must be: other numbers of n-grams than announced, words that are
/// no unigrams, n-grams that come twice or whose context is missing, numbers that are none, logarithms above
/// 0 of probabilities.
pub fn read(input: impl BufRead) -> Result<(NGramModel, Alphabet), Error> {
    let mut lines = Lines { lines: input.lines(), number: 0 };
    let announced = announced(&mut lines)?;
    let mut alphabet = Alphabet::new();
    let mut marked = false;
    let mut entries: Vec<Vec<Entry>> = Vec::new();
    for (place, &expected) in announced.iter().enumerate() {
        let length = place + 1;
        let mut level = Vec::new();
        while let Some(line) = lines.within_section()? {
            let fields = Fields::of(&line, length, lines.number)?;
            if length == 1 {
                let name = fields.words[0];
                marked |= name == BEGIN || name == END;
                if name != BEGIN && name != END {
                    alphabet.insert(unescaped(name));
                }
            }
            let number = lines.number;
            level.push((
                fields.words.iter().map(|&word| unescaped(word).to_owned()).collect::<Vec<_>>(),
                fields.probability,
                fields.backoff,
                number,
            ));
        }
        if level.len() != expected {
            let message = format!("{} {length}-grams where {expected} were announced", level.len());
            return Err(lines.error(message));
        }
        let marks = Marks { alphabet: &alphabet };
        entries.push(marks.entries(level)?);
        lines.next_section(length, announced.len())?;
    }
    let boundaries = if marked { Boundaries::Marked } else { Boundaries::Open };
    let mut vocabulary = NgramVocabulary::new(alphabet.len())?.with_boundaries(boundaries);
    if let Some(unknown) = alphabet.get(UNKNOWN) {
        vocabulary = vocabulary.with_unknown(unknown)?;
    }
    Ok((model(vocabulary, entries)?, alphabet))
}

/// One n-gram.
struct Entry {
    ngram: Vec<u32>,
    probability: f64,
    remainder: f64,
    line: usize,
}

struct Marks<'a> {
    alphabet: &'a Alphabet,
}

type Raw = (Vec<String>, f64, f64, usize);

impl Marks<'_> {
    /// The n-grams of a section as numbers, sorted.
    fn entries(&self, level: Vec<Raw>) -> Result<Vec<Entry>, Error> {
        let mut entries = Vec::with_capacity(level.len());
        for (words, probability, remainder, line) in level {
            let symbol = |word: &String| match word.as_str() {
                END => Ok(self.alphabet.len() as u32),
                BEGIN => Ok(self.alphabet.len() as u32 + 1),
                word => self.alphabet.get(word).map(|symbol| symbol as u32).ok_or_else(|| Error::Line {
                    line,
                    message: format!("{word:?} is not among the unigrams"),
                }),
            };
            let ngram = words.iter().map(symbol).collect::<Result<Vec<_>, _>>()?;
            entries.push(Entry { ngram, probability, remainder, line });
        }
        entries.sort_by(|a, b| a.ngram.cmp(&b.ngram));
        if let Some(pair) = entries.windows(2).find(|pair| pair[0].ngram == pair[1].ngram) {
            let line = pair[0].line.max(pair[1].line);
            return Err(Error::Line { line, message: "an n-gram that was there before".to_owned() });
        }
        Ok(entries)
    }
}

/// The tree and its numbers, from entries that are sorted at each length.
fn model(vocabulary: NgramVocabulary, mut entries: Vec<Vec<Entry>>) -> Result<NGramModel, Error> {
    let missing = |symbol: u32| Entry { ngram: vec![symbol], probability: 0.0, remainder: 1.0, line: 0 };
    for symbol in 0..vocabulary.marks() as u32 {
        // Only marks can be missing, since all other symbols are from the unigrams.
        if let Err(place) = entries[0].binary_search_by(|entry| entry.ngram[0].cmp(&symbol)) {
            entries[0].insert(place, missing(symbol));
        }
    }
    let nodes = 1 + entries.iter().map(Vec::len).sum::<usize>();
    let mut symbols = vec![0];
    let mut first_child = vec![1];
    let mut levels = vec![0];
    let mut table = Table { probability: vec![1.0], remainder: vec![1.0], base: Base::Shorter };
    for (place, level) in entries.iter().enumerate() {
        levels.push(symbols.len() as u32);
        let next: &[Entry] = entries.get(place + 1).map_or(&[], Vec::as_slice);
        let mut children = next.iter().peekable();
        let mut end = (symbols.len() + level.len()) as u32;
        for entry in level {
            first_child.push(end);
            symbols.push(*entry.ngram.last().expect("invariant: the n-grams of a section have n > 0 words"));
            table.probability.push(entry.probability);
            table.remainder.push(entry.remainder);
            while children.next_if(|child| child.ngram.starts_with(&entry.ngram)).is_some() {
                end += 1;
            }
        }
        if let Some(orphan) = children.next() {
            let message = "an n-gram whose first words are no n-gram of the file".to_owned();
            return Err(Error::Line { line: orphan.line, message });
        }
    }
    levels.push(symbols.len() as u32);
    first_child.push(nodes as u32);
    let mut trie = Trie { symbols, first_child, suffix: Vec::new(), levels };
    trie.link();
    if let Some(begin) = vocabulary.begin() {
        table.probability[1 + begin] = 0.0;
    }
    Ok(NGramModel { vocabulary, trie, table, discounting: Vec::new() })
}

/// The numbers of n-grams of each length that the head announces.
fn announced<B: BufRead>(lines: &mut Lines<B>) -> Result<Vec<usize>, Error> {
    while let Some(line) = lines.next()? {
        if line.trim() == "\\data\\" {
            break;
        }
    }
    let mut announced = Vec::new();
    while let Some(line) = lines.next()? {
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        if line == "\\1-grams:" && !announced.is_empty() {
            return Ok(announced);
        }
        let counted = line.strip_prefix("ngram ").and_then(|rest| rest.split_once('='));
        let numbers = counted.and_then(|(length, number)| {
            Some((length.trim().parse::<usize>().ok()?, number.trim().parse::<usize>().ok()?))
        });
        match numbers {
            Some((length, number)) if length == announced.len() + 1 && length < 256 => {
                announced.push(number);
            }
            _ => {
                let next = announced.len() + 1;
                return Err(lines.error(format!("expected \"ngram {next}=NUMBER\" or \\1-grams:")));
            }
        }
    }
    Err(lines.error("the file ends before \\1-grams:".to_owned()))
}

/// The fields of a line.
struct Fields<'a> {
    words: Vec<&'a str>,
    probability: f64,
    backoff: f64,
}

impl<'a> Fields<'a> {
    fn of(line: &'a str, length: usize, number: usize) -> Result<Self, Error> {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let error = |message: String| Error::Line { line: number, message };
        if fields.len() != length + 1 && fields.len() != length + 2 {
            let expected = format!("expected a logarithm, {length} words, perhaps a weight");
            return Err(error(format!("{expected}; found {} fields", fields.len())));
        }
        let parse = |field: &str| {
            let value = field.parse::<f64>().ok().filter(|value| !value.is_nan() && *value < f64::INFINITY);
            value.ok_or_else(|| error(format!("{field:?} is no logarithm")))
        };
        let power = |value: f64| if value <= NEVER { 0.0 } else { 10.0_f64.powf(value) };
        let logarithm = parse(fields[0])?;
        if logarithm > 0.0 {
            return Err(error(format!("{logarithm} is above 0, the logarithm of 1")));
        }
        let backoff = fields.get(length + 1).map_or(Ok(0.0), |field| parse(field))?;
        let words = fields[1..=length].to_vec();
        Ok(Self { words, probability: power(logarithm), backoff: power(backoff) })
    }
}

fn unescaped(word: &str) -> &str {
    ESCAPES.iter().find(|escape| escape.1 == word).map_or(word, |escape| escape.0)
}

struct Lines<B> {
    lines: std::io::Lines<B>,
    number: usize,
}

impl<B: BufRead> Lines<B> {
    fn next(&mut self) -> Result<Option<String>, Error> {
        self.number += 1;
        self.lines.next().transpose().map_err(|error| self.error(error.to_string()))
    }

    /// The next line of a section, which an empty line ends.
    fn within_section(&mut self) -> Result<Option<String>, Error> {
        Ok(self.next()?.filter(|line| !line.trim().is_empty()))
    }

    /// Skips to the head of the section after that of `length`, or to the end.
    fn next_section(&mut self, length: usize, last: usize) -> Result<(), Error> {
        let head = if length == last { "\\end\\".to_owned() } else { format!("\\{}-grams:", length + 1) };
        loop {
            match self.next()? {
                Some(line) if line.trim().is_empty() => {}
                Some(line) if line.trim() == head => return Ok(()),
                _ => return Err(self.error(format!("expected {head}"))),
            }
        }
    }

    fn error(&self, message: String) -> Error {
        Error::Line { line: self.number, message }
    }
}
