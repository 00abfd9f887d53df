//! Labels in files of CoNLL-U.

use posterior::text::columns::{ConlluColumn, write_conllu};

use super::sequences_input::Conllu;
use super::tagged::Tagged;
use crate::failure::Failure;

/// The sentences with their labels in the column of the label, probabilities of labels in the last column,
/// and of several labellings the place and the probability as comments.
pub(super) fn text(conllu: &Conllu, tagged: &Tagged) -> Result<String, Failure> {
    let mut text = Vec::new();
    for (index, tags) in tagged.tags.iter().enumerate() {
        let Some(best) = &tagged.best else {
            let probabilities = tagged.probabilities.as_ref().map(|all| &all[index][..]);
            add(&mut text, conllu, index, &[], (tags, probabilities))?;
            continue;
        };
        for (rank, own) in best[index].iter().enumerate() {
            let comments = [format!("rank = {rank}"), format!("probability = {:.6}", own.probability)];
            add(&mut text, conllu, index, &comments, (&own.tags, own.marginals.as_deref()))?;
        }
    }
    String::from_utf8(text).map_err(|error| Failure::data(error.to_string()))
}

fn add(
    text: &mut Vec<u8>,
    conllu: &Conllu,
    index: usize,
    comments: &[String],
    (tags, probabilities): (&[String], Option<&[f64]>),
) -> Result<(), Failure> {
    let sentence = &conllu.sentences[index];
    let label = conllu.columns.last().copied();
    let misc = |(word, p): (usize, &f64)| match sentence.words().cell(word, ConlluColumn::Misc.index()) {
        "_" => format!("Probability={p:.4}"),
        more => format!("{more}|Probability={p:.4}"),
    };
    let misc: Vec<String> = probabilities.into_iter().flatten().enumerate().map(misc).collect();
    let cell = |word: usize, column: ConlluColumn| {
        if Some(column) == label {
            Some(tags[word].as_str())
        } else if column == ConlluColumn::Misc {
            misc.get(word).map(String::as_str)
        } else {
            None
        }
    };
    write_conllu(text, sentence, comments, cell).map_err(|error| Failure::data(error.to_string()))
}
