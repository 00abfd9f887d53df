//! Stored corpora: the bytes as a file, or as blocks and an index whose places and checksums are put right.
#![no_main]

use std::io::Write;

use flate2::Crc;
use libfuzzer_sys::fuzz_target;
use posterior_topics::corpus::StoredCorpus;

fn checksum(bytes: &[u8]) -> [u8; 4] {
    let mut crc = Crc::new();
    crc.update(bytes);
    crc.sum().to_le_bytes()
}

/// One block, and the index after it.
fn sealed(block: &[u8], index: &[u8]) -> Vec<u8> {
    let mut file = b"posterior corpus 1\n".to_vec();
    file.extend((block.len() as u32).to_le_bytes());
    file.extend(checksum(block));
    file.extend(block);
    let place = file.len() as u64;
    file.extend(index);
    file.extend(place.to_le_bytes());
    file.extend((index.len() as u64).to_le_bytes());
    file.extend(checksum(index));
    file.extend(b"end\n");
    file
}

fuzz_target!(|bytes: &[u8]| {
    let Some((&first, rest)) = bytes.split_first() else { return };
    let whole = if first < 8 {
        rest.to_vec()
    } else {
        let (block, index) = rest.split_at(usize::from(first).min(rest.len()));
        sealed(block, index)
    };
    let mut file = tempfile::NamedTempFile::new().expect("a file");
    file.write_all(&whole).expect("a file");
    let Ok(stored) = StoredCorpus::open(file.path()) else { return };
    let _ = (stored.documents(), stored.entries());
    for number in 0..stored.len().min(4) {
        let _ = stored.block(number);
    }
    if let Ok(corpus) = stored.load() {
        assert_eq!(corpus.tokens(), stored.tokens());
    }
});
