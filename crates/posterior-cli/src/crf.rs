//! `posterior crf`: labels of sequences by a linear-chain conditional random field.

mod answer;
mod decoder;
pub(crate) mod fit;
mod model_file;
mod recipe;
mod report;
mod scores;
mod sequences_input;
pub(crate) mod tag;
mod tagged;
mod tagged_conllu;
mod text;
mod training;
