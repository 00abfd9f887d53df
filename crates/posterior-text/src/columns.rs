//! Files of labelled sequences: a token a line, an empty line after each sequence.
//!
//! Three formats. [`TokenTable`]s have the same columns in every line, as in the CoNLL shared tasks and
//! CRF++: [`TableReader`], [`write_tables`]. [`AttributeLists`] have a label and any number of named values
//! in every line, as in CRFsuite: [`AttributeReader`], [`write_attribute_lists`]. [`ConlluSentence`]s are
//! those of the treebanks of Universal Dependencies, with lines that are no words: [`ConlluReader`],
//! [`write_conllu`].
//!
//! Readers are iterators over sequences: of a file of any size one sequence at a time is in memory. What they
//! refuse they refuse with the number of the line, and after an error they end. Lines end with LF or CR LF,
//! the last one may end with the file; a byte-order mark at the start is passed over; several empty lines are
//! one.
//!
//! ```
//! use posterior_text::columns::TableReader;
//!
//! let file = "He PRP B-NP\nsaw VBD B-VP\nher PRP B-NP\n\nYes UH B-INTJ\n";
//! let sentences = TableReader::new(file.as_bytes()).collect::<Result<Vec<_>, _>>()?;
//! assert_eq!((sentences.len(), sentences[0].len(), sentences[0].columns()), (2, 3, 3));
//! assert_eq!(sentences[0].cell(1, 2), "B-VP");
//! assert_eq!(sentences[1].first_line(), 5);
//!
//! let torn = TableReader::new("He PRP B-NP\nsaw VBD\n".as_bytes()).collect::<Result<Vec<_>, _>>();
//! assert_eq!(torn.unwrap_err().to_string(), "line 2: 2 columns, expected 3");
//! # Ok::<(), posterior_text::Error>(())
//! ```

mod attribute_list;
mod conllu;
mod line;
mod table;

pub use attribute_list::{Attribute, AttributeLists, AttributeReader, write_attribute_lists};
pub use conllu::{ConlluColumn, ConlluReader, ConlluSentence, write_conllu};
pub use table::{Separator, TableReader, TokenTable, write_tables};
