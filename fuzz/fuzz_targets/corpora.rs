//! Every format of corpora, by the first byte; the second says whether what is read is the bytes or their
//! gzip.
#![no_main]

use std::io::Write;

use libfuzzer_sys::fuzz_target;
use posterior_topics::corpus::{
    Metadata, Source, StopWords, VocabularyOptions, read_csv_texts, read_json_lines, read_lda_c,
    read_mallet_state, read_matrix_market, read_uci, read_vocabulary, write_lda_c, write_mallet_state,
    write_matrix_market, write_uci,
};
use posterior_topics::{Corpus, Error};

/// The counts survive a round trip through a format.
fn again(
    corpus: &Corpus,
    write: impl Fn(&Corpus, &mut Vec<u8>) -> std::io::Result<()>,
    read: impl Fn(Source) -> Result<Corpus, Error>,
) {
    let mut bytes = Vec::new();
    if write(corpus, &mut bytes).is_ok() {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let source = Source::from_reader(std::io::Cursor::new(bytes), "written").expect("bytes");
        let again = read(source).unwrap_or_else(|error| panic!("{error} in\n{text}"));
        assert_eq!(again.tokens(), corpus.tokens(), "{text}");
    }
}

fn round_trips(corpus: &Corpus) {
    if corpus.tokens() > 10_000 || corpus.documents() > 1_000 || corpus.vocabulary().len() > 1_000 {
        return;
    }
    let words = || corpus.vocabulary().to_vec();
    again(corpus, |corpus, out| write_lda_c(corpus, out), |source| read_lda_c(source, Some(words())));
    again(corpus, |corpus, out| write_uci(corpus, out), |source| read_uci(source, words()));
    again(
        corpus,
        |corpus, out| write_matrix_market(corpus, out),
        |source| read_matrix_market(source, Some(words())),
    );
}

fuzz_target!(|bytes: &[u8]| {
    let [format, packed, bytes @ ..] = bytes else { return };
    let mut bytes = bytes.to_vec();
    if packed % 4 == 1 {
        let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packer.write_all(&bytes).expect("memory");
        bytes = packer.finish().expect("memory");
    }
    let Ok(source) = Source::from_reader(std::io::Cursor::new(bytes), "fuzz") else { return };
    let words = || ["a", "b", "c", "d"].map(str::to_owned).to_vec();
    let texts = match format % 10 {
        0 => read_json_lines(source, "text", None).ok(),
        1 => read_json_lines(source, "text", Some("name")).ok(),
        2 => read_csv_texts(source, "text", None).ok(),
        3 => {
            if let Ok(metadata) = Metadata::read_csv(source) {
                for column in metadata.columns() {
                    assert_eq!(metadata.text(column).map(|texts| texts.len()).ok(), Some(metadata.rows()));
                    let _ = metadata.optional_numbers(column);
                }
            }
            None
        }
        4 => {
            read_uci(source, words()).iter().for_each(round_trips);
            None
        }
        5 => {
            read_lda_c(source, None).iter().for_each(round_trips);
            None
        }
        6 => {
            read_lda_c(source, Some(words())).iter().for_each(round_trips);
            None
        }
        7 => {
            read_matrix_market(source, None).iter().for_each(round_trips);
            None
        }
        8 => {
            if let Ok(state) = read_mallet_state(source) {
                assert_eq!(state.topics.len() as u64, state.corpus.tokens());
                round_trips(&state.corpus);
                let mut out = Vec::new();
                let _ = write_mallet_state(
                    &state.corpus,
                    state.topics.iter().copied(),
                    &state.alpha,
                    state.beta,
                    &mut out,
                );
            }
            None
        }
        _ => {
            if let Ok(text) = source.read_to_string() {
                let source = || Source::from_reader(std::io::Cursor::new(text.clone().into_bytes()), "words");
                let _ = source().map(read_vocabulary);
                let _ = source().map(StopWords::read);
            }
            None
        }
    };
    if let Some(texts) = texts {
        let _ = texts.count(VocabularyOptions::default()).map(|(corpus, _)| round_trips(&corpus));
    }
});
