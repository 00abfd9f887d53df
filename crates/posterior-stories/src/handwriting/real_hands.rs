//! Real hands: years in digits that thirteen people wrote, by several features.

use std::io::Write;

use posterior::datasets::{digits, sotu};
use posterior::dist::stream::stream;
use posterior::evaluation::Tally;
use posterior::math::iteration::Silent;
use posterior::report::{Figure, Page, PageTable};
use posterior::sequence::crf::{
    AttributeSequence, ConditionalRandomField, CrfVocabulary, Dataset, FeatureOptions, Features, LabelEnds,
    SequenceBuilder, TrainingOptions, WeightChoice, fit,
};
use rand::RngExt;

use super::strips::{Strip, strips};
use super::{L2, SEED};
use crate::Outcome;
use crate::story::tell_table;

/// Images to learn from; the others are read.
const LEARNED: usize = 1000;
/// One year of so many is read, and never learned from.
const HELD_OUT: usize = 3;
/// How often each year is written.
const WRITTEN: usize = 3;
/// Digits of a year.
const DIGITS: usize = 4;
/// Ink from which a pixel is of a line, and how many rows a line has at least.
const INK: u8 = 8;
const LINE: usize = 5;
/// Years of the picture.
const SHOWN: usize = 3;

/// An image as the features see it.
#[derive(Clone, Copy)]
struct Seen {
    digit: usize,
    pixels: [u8; digits::PIXELS],
    vertical_lines: usize,
    /// What the closest of the images to learn from shows, itself left out.
    closest: usize,
}

/// A year as it was written.
type Year = [Seen; DIGITS];

/// What a model is given of an image; how often each digit comes, always.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Given {
    Frequency,
    VerticalLines,
    Closest,
    Pixels,
    All,
}

const GIVEN: [(Given, &str); 5] = [
    (Given::Frequency, "how often each digit comes"),
    (Given::VerticalLines, "number of vertical lines"),
    (Given::Closest, "closest image learned from"),
    (Given::Pixels, "pixels"),
    (Given::All, "all of these"),
];

/// Digits and years that are read right by each set of features, alone and with neighbours.
pub(super) fn real_hands(out: &mut dyn Write, page: &mut Page) -> Outcome<()> {
    let [train, test] = years(&images());
    let columns = ["", "digits right %: alone", "neighbours", "years right %: alone", "neighbours"];
    let mut table = PageTable::with_columns(&columns);
    let mut by_pixels = None;
    for (given, name) in GIVEN {
        let readings = [1, DIGITS].map(|length| -> Outcome<Vec<Vec<usize>>> {
            let model = learn(given, length, &train)?;
            test.iter().map(|year| read(given, length, &model, year)).collect()
        });
        let [alone, joined] = readings;
        let (alone, joined) = (alone?, joined?);
        let ([a, c], [b, d]) = (right(&test, &alone), right(&test, &joined));
        let cells = [a, b, c, d].map(|proportion| format!("{:.1}", 100.0 * proportion));
        table.rows.push([&[name.to_owned()], &cells[..]].concat());
        if given == Given::Pixels {
            by_pixels = Some((alone, joined));
        }
    }
    let text = format!(
        "Digits of real people, of whom nobody knows how they write: {LEARNED} images to learn from and {} to read, put together to years of the addresses, \
         every third of them never seen. That a year begins with 1 or 2, and goes on with 7, 8, 9 or 0, mends much where features say little, and some of what pixels \
         leave in doubt. The closest image learned from leaves little to mend.",
        digits::load().len() - LEARNED
    );
    tell_table(out, page, "Real hands", text, table)?;
    if let Some((alone, joined)) = by_pixels {
        page.section("Years that neighbours saved", "", saved(&test, &alone, &joined));
    }
    Ok(())
}

/// The images with their features.
fn images() -> Vec<Seen> {
    let images = digits::load();
    let seen = |(place, image): (usize, &digits::DigitImage)| {
        let distance = |other: &digits::DigitImage| -> u32 {
            image.pixels.iter().zip(&other.pixels).map(|(a, b)| u32::from(a.abs_diff(*b)).pow(2)).sum()
        };
        let others = images[..LEARNED].iter().enumerate().filter(|(other, _)| *other != place);
        let closest = others.min_by_key(|(_, other)| distance(other)).map_or(0, |(_, other)| other.digit);
        Seen {
            digit: usize::from(image.digit),
            pixels: image.pixels,
            vertical_lines: vertical_lines(&image.pixels),
            closest: usize::from(closest),
        }
    };
    images.iter().enumerate().map(seen).collect()
}

/// Columns with a run of ink from above; neighbouring ones are one line.
fn vertical_lines(pixels: &[u8; digits::PIXELS]) -> usize {
    let has_line = |column: usize| {
        let mut run = 0;
        (0..digits::SIDE).any(|row| {
            run = if pixels[row * digits::SIDE + column] >= INK { run + 1 } else { 0 };
            run >= LINE
        })
    };
    (0..digits::SIDE).filter(|&column| has_line(column) && !(column > 0 && has_line(column - 1))).count()
}

/// The years of the addresses, written in images to learn from, and others in images to read.
fn years(images: &[Seen]) -> [Vec<Year>; 2] {
    let mut all: Vec<u16> = sotu::load().addresses.iter().map(|address| address.year).collect();
    all.dedup();
    let (learned, others) = images.split_at(LEARNED);
    [(0, learned), (1, others)].map(|(part, images)| {
        let rng = &mut stream(SEED, &[3, part as u64]);
        let of_digit = |digit: usize| images.iter().filter(move |own| own.digit == digit);
        let digits: Vec<Vec<&Seen>> = (0..10).map(|digit| of_digit(digit).collect()).collect();
        let own = all.iter().enumerate().filter(|(place, _)| (place % HELD_OUT == 0) == (part == 1));
        own.flat_map(|(_, year)| std::iter::repeat_n(*year, WRITTEN))
            .map(|year| {
                [1000, 100, 10, 1].map(|unit| {
                    let hands = &digits[usize::from(year / unit % 10)];
                    *hands[rng.random_range(0..hands.len())]
                })
            })
            .collect()
    })
}

/// A sequence of images as a model is given of it.
fn sequence(given: Given, mut builder: SequenceBuilder<'_>, images: &[Seen]) -> Outcome<AttributeSequence> {
    for image in images {
        let has = |own: Given| given == own || given == Given::All;
        let mut attributes = Vec::new();
        if has(Given::VerticalLines) {
            attributes.push(format!("lines={}", image.vertical_lines));
        }
        if has(Given::Closest) {
            attributes.push(format!("closest={}", image.closest));
        }
        let mut dense = vec![1.0];
        if has(Given::Pixels) {
            dense.extend(image.pixels.map(|ink| f64::from(ink) / 16.0));
        }
        builder.present(attributes)?.dense(&dense)?;
    }
    Ok(builder.finish())
}

/// A model of sequences of so many digits.
fn learn(given: Given, length: usize, years: &[Year]) -> Outcome<ConditionalRandomField> {
    let width = if matches!(given, Given::Pixels | Given::All) { digits::PIXELS + 1 } else { 1 };
    let names = (0..10).map(|digit| digit.to_string());
    let mut data = Dataset::with_vocabulary(CrfVocabulary::new().with_labels(names).with_dense(width));
    for images in years.iter().flat_map(|year| year.chunks(length)) {
        let sequence = sequence(given, data.sequence(), images)?;
        data.push_numbered(sequence, images.iter().map(|image| image.digit).collect(), 1.0)?;
    }
    let chain = length > 1;
    let options = FeatureOptions {
        states: WeightChoice::All,
        transitions: if chain { WeightChoice::All } else { WeightChoice::Observed },
        ends: if chain { LabelEnds::Weighted } else { LabelEnds::Free },
        ..FeatureOptions::default()
    };
    let features = Features::select(&data, &options)?;
    let options = TrainingOptions { l2: L2, ..TrainingOptions::default() };
    Ok(fit(&data, features, &options, &mut Silent)?.model)
}

/// The digits of a year, as a model of so many digits reads them.
fn read(given: Given, length: usize, model: &ConditionalRandomField, year: &Year) -> Outcome<Vec<usize>> {
    let mut output = Vec::new();
    for images in year.chunks(length) {
        output.extend(model.tag(&sequence(given, model.sequence(), images)?).states);
    }
    Ok(output)
}

/// The proportions of digits and of years that were read right.
fn right(years: &[Year], readings: &[Vec<usize>]) -> [f64; 2] {
    let (mut digits, mut whole) = (Tally::default(), Tally::default());
    for (year, reading) in years.iter().zip(readings) {
        let meant = year.map(|image| image.digit);
        whole.push(&meant[..], &reading[..]);
        meant.iter().zip(reading).for_each(|(meant, read)| digits.push(meant, read));
    }
    [digits, whole].map(|tally| tally.rate().unwrap_or(f64::NAN))
}

/// Some years that were wrong alone and right with neighbours.
fn saved(years: &[Year], alone: &[Vec<usize>], joined: &[Vec<usize>]) -> Figure {
    let spelt = |digits: &[usize]| digits.iter().map(ToString::to_string).collect::<String>();
    let lines = years.iter().zip(alone).zip(joined).filter_map(|((year, alone), joined)| {
        let meant = year.map(|image| image.digit);
        (joined[..] == meant && alone[..] != meant).then(|| Strip {
            names: vec![format!("{} ?", spelt(alone)), spelt(joined)],
            letters: year
                .iter()
                .map(|image| image.pixels.map(|ink| f64::from(ink) / 16.0).to_vec())
                .collect(),
        })
    });
    let shown: Vec<Strip> = lines.take(SHOWN).collect();
    Figure::new(
        strips("Years as they were written", &[], (digits::SIDE, digits::SIDE), &shown),
        "To the left what is read digit by digit from the pixels, with a question mark, and below it what is read with neighbours: the year that was meant.",
    )
}
