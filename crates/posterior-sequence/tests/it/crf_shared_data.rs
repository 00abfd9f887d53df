//! Real files of labelled sequences, where they are available: counts that others published, chunks, digits
//! as handwriting.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs::{File, read_to_string};
use std::io::BufReader;

use posterior_dist::stream::stream;
use posterior_evaluation::Tally;
use posterior_math::iteration::Silent;
use posterior_math::optimize::{LbfgsOptions, minimize};
use posterior_sequence::crf::{
    ConditionalRandomField, CrfObjective, CrfVocabulary, Dataset, FeatureOptions, Features,
    PerceptronOptions, WeightChoice, averaged_perceptron,
};
use posterior_testkit::shared::shared_file;
use posterior_text::chunking::{ChunkScores, chunks};
use posterior_text::columns::{Separator, TableReader, TokenTable};
use posterior_text::templates::Templates;
use rand::RngExt;

fn sentences(name: &str, separator: Separator) -> Option<Vec<TokenTable>> {
    let path = shared_file("labelled sequences", &format!("data/sequence/{name}"))?;
    let reader = TableReader::new(BufReader::new(File::open(path).unwrap())).with_separator(separator);
    Some(reader.collect::<Result<_, _>>().unwrap())
}

fn tokens(sentences: &[TokenTable]) -> usize {
    sentences.iter().map(TokenTable::len).sum()
}

#[test]
fn files_have_as_many_sentences_tokens_and_chunks_as_published() {
    let Some(train) = sentences("conll2000_train.txt", Separator::Blanks) else { return };
    let Some(test) = sentences("conll2000_test.txt", Separator::Blanks) else { return };
    assert_eq!((train.len(), tokens(&train)), (8936, 211_727));
    assert_eq!((test.len(), tokens(&test)), (2012, 47_377));
    let found = |own: &TokenTable| chunks(&own.column(2).collect::<Vec<_>>()).unwrap().len();
    // The numbers of phrases of the shared task (Tjong Kim Sang and Buchholz 2000).
    assert_eq!(train.iter().map(found).sum::<usize>(), 106_978);
    assert_eq!(test.iter().map(found).sum::<usize>(), 23_852);
    let Some(web) = sentences("ewt_train.tsv", Separator::Tab) else { return };
    assert_eq!((web.len(), tokens(&web), web[0].columns()), (12_544, 204_577, 3));
}

#[test]
fn a_perceptron_finds_chunks_after_a_thousand_sentences() {
    let Some(train) = sentences("conll2000_train.txt", Separator::Blanks) else { return };
    let Some(test) = sentences("conll2000_test.txt", Separator::Blanks) else { return };
    let templates = Templates::chunking();
    let mut data = Dataset::new();
    for table in &train[..1000] {
        let mut sentence = data.sequence();
        for token in 0..table.len() {
            sentence.present(templates.attributes(table, token).unwrap()).unwrap();
        }
        let sentence = sentence.finish();
        data.push(sentence, table.column(2)).unwrap();
    }
    let features = Features::select(&data, &FeatureOptions::default()).unwrap();
    let options = PerceptronOptions { epochs: 4, ..PerceptronOptions::default() };
    let model = averaged_perceptron(&data, features, &options, &mut Silent).unwrap().model;
    let mut scores = ChunkScores::default();
    for table in &test[..500] {
        let mut sentence = model.sequence();
        for token in 0..table.len() {
            sentence.present(templates.attributes(table, token).unwrap()).unwrap();
        }
        let best = model.tag(&sentence.finish()).states;
        let names = model.vocabulary().labels();
        let output: Vec<&str> = best.iter().map(|&label| names.name(label).unwrap()).collect();
        let truth: Vec<&str> = table.column(2).collect();
        scores.push(&chunks(&truth).unwrap(), &chunks(&output).unwrap());
    }
    // With all of the data 93 % and more; the tag of most words alone gives 77 % of the labels.
    assert!(scores.all().f1() > 0.89, "{:?}", scores.all());
}

/// Images of digits in words whose digits follow each other by a distribution that a chain can learn.
struct Words {
    images: Vec<Vec<f64>>,
    digits: Vec<usize>,
}

/// The successors of a digit: one three times in four, or else any.
fn word(length: usize, rng: &mut impl rand::Rng) -> Vec<usize> {
    let mut digit = rng.random_range(0..10);
    let mut word = vec![digit];
    while word.len() < length {
        digit = if rng.random_bool(0.75) { (3 * digit + 1) % 10 } else { rng.random_range(0..10) };
        word.push(digit);
    }
    word
}

impl Words {
    fn read() -> Option<Self> {
        let path = shared_file("words of digits", "data/tabular/digits8x8.csv")?;
        let text = read_to_string(path).unwrap();
        let rows = text.lines().skip(1).map(|line| line.split(',').map(|cell| cell.parse::<f64>().unwrap()));
        let (mut images, mut digits) = (Vec::new(), Vec::new());
        for mut row in rows {
            digits.push(row.next().unwrap() as usize);
            // The last feature is always there.
            images.push(row.map(|pixel| pixel / 16.0).chain([1.0]).collect());
        }
        Some(Self { images, digits })
    }

    /// Words made of the images from `start` to `end`; of `length` 1, of the same images one by one.
    fn data(&self, start: usize, end: usize, length: usize) -> Dataset {
        let mut rng = stream(11, &[start as u64]);
        let vocabulary = CrfVocabulary::new().with_dense(65).with_labels((0..10).map(|own| own.to_string()));
        let mut data = Dataset::with_vocabulary(vocabulary);
        for _ in 0..(end - start) / 6 {
            let chosen: Vec<usize> = word(6, &mut rng)
                .into_iter()
                .map(|digit| {
                    let of_digit: Vec<usize> = (start..end).filter(|&i| self.digits[i] == digit).collect();
                    of_digit[rng.random_range(0..of_digit.len())]
                })
                .collect();
            for part in chosen.chunks(length) {
                let mut sequence = data.sequence();
                for &image in part {
                    sequence.present::<&str>([]).unwrap().dense(&self.images[image]).unwrap();
                }
                let sequence = sequence.finish();
                let labels = part.iter().map(|&image| self.digits[image]).collect();
                data.push_numbered(sequence, labels, 1.0).unwrap();
            }
        }
        data
    }
}

#[test]
fn neighbours_help_to_read_a_hand() {
    let Some(words) = Words::read() else { return };
    let read = |length: usize| {
        let data = words.data(0, 600, length);
        let options = FeatureOptions { transitions: WeightChoice::All, ..FeatureOptions::default() };
        let features = Features::select(&data, &options).unwrap();
        let objective = CrfObjective::new(&data, &features, 0.05).unwrap();
        let search = LbfgsOptions { max_iterations: 100, ..LbfgsOptions::default() };
        let best = minimize(objective, &vec![0.0; features.len()], &search, &mut Silent);
        let model =
            ConditionalRandomField::new(data.vocabulary().clone(), features, best.model.point).unwrap();
        // Words of images that were not learned from.
        let test = words.data(600, 1797, length);
        let mut digits = Tally::default();
        for (sequence, truth) in test.sequences().iter().zip(test.labels()) {
            let best = model.tag(sequence).states;
            truth.iter().zip(&best).for_each(|(truth, best)| digits.push(truth, best));
        }
        digits
    };
    let (alone, together) = (read(1), read(6));
    assert_eq!(alone.total, together.total);
    let wrong = |own: Tally| (own.total - own.correct) as f64 / own.total as f64;
    // Logistic regression of each image by itself reads some nine of ten; words take at least a third of its
    // mistakes away.
    assert!(wrong(alone) < 0.12, "{alone:?}");
    assert!(wrong(together) < 0.67 * wrong(alone), "{alone:?} {together:?}");
}
