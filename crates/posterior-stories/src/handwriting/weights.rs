//! What the weights say: of neighbours, and of pixels.

use std::io::Write;

use posterior::report::{Figure, Page, heat_map};
use posterior::sequence::crf::{ConditionalRandomField, Feature};

use super::glyphs::{COLUMNS, Ink, LETTERS, PIXELS, ROWS, name};
use super::strips::{Strip, strips};
use super::writing::Pen;
use crate::Outcome;

/// Letters whose weights are shown: of the first two, one is the other with a stem.
const SHOWN: &str = "adeglnos";
/// Pixels, and pairs of letters, that are listed.
const LISTED: usize = 6;

/// The weights of two letters in a row.
pub(super) fn neighbours(
    out: &mut dyn Write,
    model: &ConditionalRandomField,
    page: &mut Page,
) -> Outcome<()> {
    let mut weights = vec![0.0; LETTERS * LETTERS];
    for (feature, weight) in model.features().iter().zip(model.weights()) {
        if let Feature::Transition { from, to } = feature {
            weights[from * LETTERS + to] = *weight;
        }
    }
    let mut order: Vec<usize> = (0..weights.len()).collect();
    order.sort_by(|&a, &b| weights[b].total_cmp(&weights[a]));
    let pair = |&own: &usize| format!("{}{} {:.2}", name(own / LETTERS), name(own % LETTERS), weights[own]);
    let most: Vec<String> = order.iter().take(LISTED).map(pair).collect();
    let least: Vec<String> = order.iter().rev().take(LISTED).map(pair).collect();
    writeln!(out, "\npairs that the model is for: {}", most.join(", "))?;
    writeln!(out, "pairs that it is against: {}", least.join(", "))?;
    let names: Vec<String> = (0..LETTERS).map(|letter| name(letter).to_string()).collect();
    let picture = heat_map("Weights of neighbours", ("letter", "next letter"), &names, &names, &weights);
    let text = format!(
        "The model is most for {}, and most against {}. A pair that never came has a weight too.",
        most.join(", "),
        least.join(", ")
    );
    let caption = "How much a letter speaks for the next: orange for, blue against.";
    page.section("Transition weights", text, Figure::new(picture, caption));
    Ok(())
}

/// The weights of the pixels for each letter, less their mean over all letters, which says nothing.
fn centred(weight: impl Fn(usize, usize) -> f64) -> Vec<[f64; PIXELS]> {
    let mean = |pixel: usize| (0..LETTERS).map(|letter| weight(pixel, letter)).sum::<f64>() / LETTERS as f64;
    let means: [f64; PIXELS] = std::array::from_fn(mean);
    (0..LETTERS).map(|letter| std::array::from_fn(|pixel| weight(pixel, letter) - means[pixel])).collect()
}

/// The weights of pixels, beside those that are right.
pub(super) fn pixels(
    out: &mut dyn Write,
    model: &ConditionalRandomField,
    (glyphs, pen): (&[Ink], Pen),
    page: &mut Page,
) -> Outcome<()> {
    let mut weights = vec![0.0; (PIXELS + 1) * LETTERS];
    for (feature, weight) in model.features().iter().zip(model.weights()) {
        if let Feature::Dense { feature, label } = feature {
            weights[feature * LETTERS + label] = *weight;
        }
    }
    // Half of what an ink pixel adds to ln p of a letter that has ink there over one that has none.
    let strength = 0.5 * ((1.0 - pen.flip) / pen.flip).ln();
    let learned = centred(|pixel, letter| weights[pixel * LETTERS + letter]);
    let right = centred(|pixel, letter| if glyphs[letter][pixel] { strength } else { -strength });
    let (slope, correlation) = agreement(&right, &learned);
    writeln!(
        out,
        "\nthe right weights of pixels are +{strength:.4} and -{strength:.4}; fitted ones are {slope:.2} times as large, correlation {correlation:.3}"
    )?;
    let shown: Vec<usize> = SHOWN.bytes().map(|letter| usize::from(letter - b'a')).collect();
    let strip = |title: &str, all: &[[f64; PIXELS]]| Strip {
        names: vec![String::new(), title.to_owned()],
        letters: shown.iter().map(|&letter| all[letter].to_vec()).collect(),
    };
    let lines = [strip("learned", &learned), strip("right", &right)];
    let text = format!(
        "Where pixels flip each for itself with probability {}, the right weight of a pixel is ½ ln((1 - p)/p) = {strength:.4}, for letters with ink there and against the others. \
         The fitted ones are {slope:.2} times as large, as the penalty has it, with a correlation of {correlation:.3}.",
        pen.flip
    );
    let caption = "Weights of pixels, less their mean over all letters: orange where ink speaks for the letter, blue where it speaks against.";
    let heads: Vec<String> = SHOWN.chars().map(String::from).collect();
    page.section(
        "What speaks for a letter",
        text,
        Figure::new(strips("Weights of pixels", &heads, (ROWS, COLUMNS), &lines), caption),
    );
    strongest(out, model, &shown, page)
}

/// The slope of the best multiple, and the correlation; both have mean 0.
fn agreement(right: &[[f64; PIXELS]], learned: &[[f64; PIXELS]]) -> (f64, f64) {
    let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
    for (x, y) in right.iter().flatten().zip(learned.iter().flatten()) {
        (xx, xy, yy) = (xx + x * x, xy + x * y, yy + y * y);
    }
    (xy / xx, xy / (xx * yy).sqrt())
}

/// The features of the largest weights, in words.
fn strongest(
    out: &mut dyn Write,
    model: &ConditionalRandomField,
    shown: &[usize],
    page: &mut Page,
) -> Outcome<()> {
    let mut items = Vec::new();
    for &letter in shown {
        let mut output = Vec::new();
        for (feature, weight) in model.top_features(letter, LISTED) {
            let Feature::Dense { feature, .. } = feature else { continue };
            let what = if feature == PIXELS {
                "how frequent it is".to_owned()
            } else {
                let what = if weight > 0.0 { "ink" } else { "paper" };
                format!("{what} at row {} column {}", feature / COLUMNS + 1, feature % COLUMNS + 1)
            };
            output.push(format!("{what} ({weight:.2})"));
        }
        let output = format!("{}: {}", name(letter), output.join(", "));
        writeln!(out, "  {output}")?;
        items.push(output);
    }
    page.section("The strongest features", "Those with the largest weights, rows from above.", items);
    Ok(())
}
