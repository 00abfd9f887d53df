//! Labelled sequences, which conditional random fields are timed on.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use posterior::sequence::crf::Dataset;
use posterior::text::columns::{Attribute, AttributeLists, AttributeReader};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use crate::comparison::Outcome;

/// Kinds of labels.
const LABELS: usize = 10;

/// Words of a label.
const WORDS: usize = 400;

/// Sequences to learn from, and sequences that were not learned from.
#[derive(Debug, Clone)]
pub struct Labels {
    /// Those to learn from.
    pub train: Vec<AttributeLists>,
    /// The others.
    pub test: Vec<AttributeLists>,
}

impl Labels {
    /// What the peers' program left in `folder`.
    ///
    /// # Errors
    /// If a file can't be read, or does not hold what it should.
    pub fn read(folder: &Path) -> Outcome<Self> {
        let read = |name: &str| -> Outcome<Vec<AttributeLists>> {
            let file = BufReader::new(File::open(folder.join(name))?);
            Ok(AttributeReader::new(file).collect::<Result<_, _>>()?)
        };
        Ok(Self { train: read("labels_train.txt")?, test: read("labels_test.txt")? })
    }

    /// Labels that tend to come in a circle, and words of them, from a generator of our own.
    pub fn generate(train: usize, test: usize) -> Self {
        let mut rng = Pcg64::seed_from_u64(1);
        let mut sequence = |_| {
            let (mut label, mut labels, mut words) = (rng.random_range(0..LABELS), Vec::new(), Vec::new());
            for _ in 0..rng.random_range(10..31) {
                labels.push(format!("L{label}"));
                // Small numbers are frequent, and labels next to each other proportion words.
                let rank = (rng.random::<f64>().powi(4) * WORDS as f64) as usize;
                words.push((label + rng.random_range(0..2)) % LABELS * WORDS + rank);
                label =
                    if rng.random::<f64>() < 0.5 { label + 1 } else { rng.random_range(0..LABELS) } % LABELS;
            }
            AttributeLists { first_line: 1, labels, attributes: attributes(&words) }
        };
        Self { train: (0..train).map(&mut sequence).collect(), test: (0..test).map(&mut sequence).collect() }
    }
}

/// A word, its neighbours, the pairs, and coarse classes.
fn attributes(words: &[usize]) -> Vec<Vec<Attribute>> {
    let word = |t: Option<usize>| t.and_then(|t| words.get(t)).map_or("-".to_owned(), usize::to_string);
    let at = |t: usize| {
        let (here, before, after) = (word(Some(t)), word(t.checked_sub(1)), word(Some(t + 1)));
        let names = [
            "bias".to_owned(),
            format!("w0={here}"),
            format!("w-1={before}"),
            format!("w+1={after}"),
            format!("b-={before},{here}"),
            format!("b+={here},{after}"),
            format!("m97={}", words[t] % 97),
            format!("m31={}", words[t] % 31),
        ];
        names.into_iter().map(|name| Attribute { name, value: 1.0 }).collect()
    };
    (0..words.len()).map(at).collect()
}

/// These sequences, added to the data.
///
/// # Errors
/// Those of the data.
pub fn fill(mut data: Dataset, sequences: &[AttributeLists]) -> Result<Dataset, posterior::sequence::Error> {
    for own in sequences {
        let mut sequence = data.sequence();
        for attributes in &own.attributes {
            sequence.token(attributes.iter().map(|own| (own.name.as_str(), own.value)))?;
        }
        let sequence = sequence.finish();
        data.push(sequence, &own.labels)?;
    }
    Ok(data)
}
