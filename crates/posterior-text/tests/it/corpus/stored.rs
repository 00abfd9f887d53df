//! Stored corpora: round trips, blocks, streams from files, and every kind of damage.

use posterior_text::Corpus;
use posterior_text::corpus::*;
use proptest::collection::vec;
use proptest::prelude::*;

use super::{message, source, words};

fn corpora() -> impl Strategy<Value = Corpus> {
    let count = prop_oneof![1..4_u32, Just(u32::MAX / 16)];
    vec(vec((0..300_u32, count), 0..8), 1..9).prop_filter_map("no token", |rows| {
        let vocabulary = (0..300).map(|word| format!("wört{word}")).collect();
        let names = (1..=rows.len()).map(|number| format!("Rede {number}")).collect();
        Corpus::from_rows(vocabulary, names, rows).ok()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn what_is_written_is_read(corpus in corpora()) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("c.corpus");
        let written = StoredCorpus::write(&corpus, &path).unwrap();
        let opened = StoredCorpus::open(&path).unwrap();
        prop_assert_eq!(&written, &opened);
        let sizes = (opened.documents(), opened.entries(), opened.tokens());
        prop_assert_eq!(sizes, (corpus.documents(), corpus.entries(), corpus.tokens()));
        prop_assert_eq!(opened.load().unwrap(), corpus);
        prop_assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    /// Any one byte that is changed, and any end that is cut off, is noticed.
    #[test]
    fn damage_is_noticed(corpus in corpora(), place in any::<prop::sample::Index>(), flip in 1..=255_u8) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("c.corpus");
        StoredCorpus::write(&corpus, &path).unwrap();
        let bytes = std::fs::read(&path).unwrap();
        let read = |bytes: &[u8]| {
            std::fs::write(&path, bytes).unwrap();
            StoredCorpus::open(&path).and_then(|stored| stored.load())
        };
        let at = place.index(bytes.len());
        let mut changed = bytes.clone();
        changed[at] ^= flip;
        prop_assert!(read(&changed).unwrap_err().is_parse());
        prop_assert!(read(&bytes[..at]).is_err());
        prop_assert_eq!(read(&bytes).unwrap(), corpus);
    }

    #[test]
    fn no_bytes_panic(bytes in vec(any::<u8>(), 0..200)) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("c.corpus");
        std::fs::write(&path, [b"posterior corpus 1\n".as_slice(), &bytes, b"end\n"].concat()).unwrap();
        let _ = StoredCorpus::open(&path).and_then(|stored| stored.load());
    }
}

#[test]
fn many_documents_take_several_blocks() {
    const DOCUMENTS: usize = 200_000;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("c.corpus");
    let mut writer = Writer::create(&path, words("a b c")).unwrap();
    for d in 0..DOCUMENTS as u32 {
        // Rows in any order, with a repetition and a zero.
        writer.push(&d.to_string(), vec![(2, d % 5), (0, 1), (0, d)]).unwrap();
    }
    assert!(!path.exists());
    let stored = writer.finish().unwrap();
    assert!(stored.len() > 1);
    assert_eq!(stored.documents(), DOCUMENTS);
    let mut d = 0;
    for block in stored.blocks() {
        let block = block.unwrap();
        for (name, document) in block.names().iter().zip(block.iter()) {
            assert_eq!(name, &d.to_string());
            let there = if d % 5 == 0 { &[0][..] } else { &[0, 2] };
            assert_eq!((document.words, document.counts[0]), (there, d + 1));
            d += 1;
        }
    }
    assert_eq!(stored.block(1).unwrap(), stored.blocks().nth(1).unwrap().unwrap());
    assert!(stored.block(stored.len()).is_err());
}

#[test]
fn files_of_counts_are_streamed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("c.corpus");
    let uci = "3\n2\n3\n1 2 4\n1 1 1\n3 1 2\n";
    let stored = store_uci(source("docword.txt", uci), words("war peace"), &path).unwrap();
    assert_eq!(stored.load().unwrap(), read_uci(source("docword.txt", uci), words("war peace")).unwrap());
    let lda_c = "2 1:4 0:1\n0\n1 0:2\n";
    let stored = store_lda_c(source("c.dat", lda_c), words("war peace"), &path).unwrap();
    assert_eq!(stored.load().unwrap(), read_lda_c(source("c.dat", lda_c), Some(words("war peace"))).unwrap());
}

#[test]
fn streams_have_the_messages_of_the_readers() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("c.corpus");
    for uci in [
        "",
        "1\n2\n",
        "1\n3\n1\n1 1 1\n",
        "1\n2\n1\n1 3 1\n",
        "1\n2\n1\n1 1 x\n",
        "1\n2\n2\n1 1 1\n",
        "1\n2\n1\n1 1 1\n1 2 1\n",
    ] {
        let (stream, whole) = (source("d", uci), source("d", uci));
        assert_eq!(
            message(store_uci(stream, words("a b"), &path)),
            message(read_uci(whole, words("a b"))),
            "{uci:?}"
        );
    }
    let unsorted = "2\n2\n2\n2 1 1\n1 1 1\n";
    let error = store_uci(source("d", unsorted), words("a b"), &path).unwrap_err();
    assert_eq!(error.to_string(), "d:5: document 1 after document 2");
    assert!(error.hint().unwrap().contains("sort"));
    for lda_c in ["", "1 0:1\n\n1 0:1\n", "2 0:1\n", "1 2:1\n", "x\n"] {
        assert_eq!(
            message(store_lda_c(source("d", lda_c), words("a b"), &path)),
            message(read_lda_c(source("d", lda_c), Some(words("a b")))),
            "{lda_c:?}"
        );
    }
    assert!(!path.exists());
}

#[test]
fn what_is_no_stored_corpus_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("c.corpus");
    assert!(StoredCorpus::open(&path).unwrap_err().is_io());
    std::fs::write(&path, "text").unwrap();
    assert!(message(StoredCorpus::open(&path)).ends_with("not a stored corpus of this version"));
    assert!(Writer::create(&path, vec![]).is_err());
    assert!(Writer::create(folder.path().join("no/where"), words("a")).unwrap_err().is_io());
    let mut writer = Writer::create(&path, words("a b")).unwrap();
    assert!(writer.push("d", vec![(2, 1)]).is_err());
    assert!(writer.push("d", vec![(0, u32::MAX), (0, 1)]).is_err());
    writer.push("d", vec![]).unwrap();
    assert!(writer.finish().is_err());
}

/// A file of this index behind one block of these bytes, its places and checksums right.
fn sealed(block: &[u8], index: &[u8]) -> Vec<u8> {
    let checksum = |bytes: &[u8]| {
        let mut crc = flate2::Crc::new();
        crc.update(bytes);
        crc.sum().to_le_bytes()
    };
    let mut file = b"posterior corpus 1\n".to_vec();
    file.extend((block.len() as u32).to_le_bytes());
    file.extend([&checksum(block)[..], block].concat());
    let place = file.len() as u64;
    file.extend(
        [index, &place.to_le_bytes(), &(index.len() as u64).to_le_bytes(), &checksum(index)].concat(),
    );
    file.extend(b"end\n");
    file
}

#[test]
fn an_index_of_blocks_beyond_the_file_or_beyond_all_numbers_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sealed");
    // A vocabulary of `a`; then blocks of a place, documents, entries and tokens.
    let block = [1, b'x', 1, 0, 3];
    let good = [1, 1, b'a', 1, 19, 1, 1, 3];
    std::fs::write(&path, sealed(&block, &good)).unwrap();
    assert_eq!(StoredCorpus::open(&path).unwrap().load().unwrap().tokens(), 3);
    let most = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1];
    let far = [&[1, 1, b'a', 1][..], &most, &[1, 1, 3]].concat();
    let many = [&[1, 1, b'a', 2, 19][..], &most, &[1, 3, 19, 1, 1, 3]].concat();
    let tokens = [&[1, 1, b'a', 2, 19, 1, 1][..], &most, &[19, 1, 1, 3]].concat();
    for index in [far, many, tokens] {
        std::fs::write(&path, sealed(&block, &index)).unwrap();
        let message = message(StoredCorpus::open(&path));
        assert!(message.contains("its index is none"), "{message}");
    }
}
