//! Plans and corpora, which need one process.

use std::fs;
use std::process::Command;

use posterior_topics::corpus::StoredCorpus;

use super::PROGRAM;

#[test]
fn plans_and_corpora_need_no_processes() {
    let folder = tempfile::tempdir().unwrap();
    let program = |words: &str| {
        let mut command = Command::new(PROGRAM);
        let output = command.args(words.split(' ')).current_dir(folder.path()).output().unwrap();
        assert!(output.status.success(), "{words}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let text = program(
        "plan --tokens 1e10 --vocabulary 1e6 --topics 1000 --groups 256 --ranks 256 --bandwidth 10Gbit --latency 20us",
    );
    // 4 bytes for each word and topic, and 16 + 4 x 1000 for each group.
    assert!(text.contains(&(4_000_000_000_u64 + 256 * 4016).to_string()), "{text}");
    let text = program("generate c.corpus --documents 300 --length 50 --vocabulary 500");
    assert!(text.contains("300 documents, 15000 words in all"), "{text}");
    let bytes = fs::read(folder.path().join("c.corpus")).unwrap();
    program("generate again.corpus --documents 300 --length 50 --vocabulary 500");
    assert!(fs::read(folder.path().join("again.corpus")).unwrap() == bytes);
    // The first word is the most frequent.
    let totals = StoredCorpus::open(folder.path().join("c.corpus")).unwrap().load().unwrap().word_totals();
    assert_eq!((0..500).max_by_key(|&word| totals[word]), Some(0));
}
