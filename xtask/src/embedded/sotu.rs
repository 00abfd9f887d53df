//! The embedded State of the Union counts, from a folder with `docword.txt`, `vocab.txt` and `meta.csv`. The
//! format is described where it is decoded, in `posterior-datasets/src/sotu/decode.rs`.

use std::fs;
use std::path::Path;

use super::{Embedded, compress, varint};

/// The data set.
pub(super) const SOTU: Embedded =
    Embedded { name: "sotu", source: "data/sotu", target: "crates/posterior-datasets/data/sotu.gz", make };

/// The embedded file, from the files of `folder`.
fn make(folder: &Path) -> Result<Vec<u8>, String> {
    let read = |name: &str| {
        let path = folder.join(name);
        fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))
    };
    let (counts, words, addresses) = (read("docword.txt")?, read("vocab.txt")?, read("meta.csv")?);
    let words: Vec<&str> = words.lines().collect();
    let addresses: Vec<String> = addresses.lines().skip(1).map(address).collect::<Option<_>>().ok_or(
        "meta.csv: expected the columns doc,year,president,party,form,file,tokens and a file ending in .txt",
    )?;
    let mut bytes = Vec::new();
    varint(&mut bytes, addresses.len());
    varint(&mut bytes, words.len());
    for address in &addresses {
        bytes.extend_from_slice(address.as_bytes());
        bytes.push(b'\n');
    }
    vocabulary(&mut bytes, &words);
    postings(&mut bytes, &by_word(&counts, addresses.len(), words.len())?);
    compress(&bytes).map_err(|error| error.to_string())
}

/// `year,president,party,form,name` of a row of the table of addresses.
fn address(row: &str) -> Option<String> {
    let fields: Vec<&str> = row.split(',').collect();
    let &[_, year, president, party, form, file, _] = fields.as_slice() else { return None };
    Some(format!("{year},{president},{party},{form},{}", file.strip_suffix(".txt")?))
}

fn vocabulary(bytes: &mut Vec<u8>, words: &[&str]) {
    let mut before = "";
    for word in words {
        let shared = before.bytes().zip(word.bytes()).take_while(|(a, b)| a == b).count().min(255);
        bytes.push(shared as u8);
        bytes.extend_from_slice(&word.as_bytes()[shared..]);
        bytes.push(b'\n');
        before = word;
    }
}

/// Documents with their counts of a word.
type Documents = Vec<(usize, usize)>;

/// For each word, the documents that have it (from 0, increasing) with their counts.
fn by_word(docword: &str, documents: usize, words: usize) -> Result<Vec<Documents>, String> {
    let mut lines = docword.lines();
    let header: Vec<Option<usize>> = lines.by_ref().take(3).map(|line| line.parse().ok()).collect();
    let mut by_word = vec![Vec::new(); words];
    let mut entries = 0;
    for line in lines {
        let (document, word, count) = entry(line)
            .ok_or_else(|| format!("docword.txt: expected three positive numbers, found {line:?}"))?;
        if document > documents || word > words {
            return Err(format!("docword.txt: {line:?} is outside {documents} documents x {words} words"));
        }
        by_word[word - 1].push((document - 1, count));
        entries += 1;
    }
    if header != [Some(documents), Some(words), Some(entries)] {
        return Err(format!("docword.txt: the header is not {documents}, {words}, {entries}"));
    }
    for documents in &mut by_word {
        documents.sort_unstable();
    }
    Ok(by_word)
}

/// Document, word and count of a line, all at least one.
fn entry(line: &str) -> Option<(usize, usize, usize)> {
    let mut numbers = line.split(' ').map(|number| number.parse().ok().filter(|&number| number > 0));
    let entry = (numbers.next()??, numbers.next()??, numbers.next()??);
    numbers.next().is_none().then_some(entry)
}

fn postings(bytes: &mut Vec<u8>, by_word: &[Documents]) {
    for documents in by_word {
        varint(bytes, documents.len());
        let mut next = 0;
        for &(document, _) in documents {
            varint(bytes, document - next);
            next = document + 1;
        }
    }
    for &(_, count) in by_word.iter().flatten() {
        varint(bytes, count);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn malformed_sources_are_refused() {
        let error = |docword| by_word(docword, 2, 2).unwrap_err();
        assert!(error("2\n2\n1\n1 x 1\n").contains("three positive numbers"));
        assert!(error("2\n2\n1\n1 3 1\n").contains("outside 2 documents x 2 words"));
        assert!(error("2\n2\n1\n1 1 1\n2 1 1\n").contains("header is not 2, 2, 2"));
        assert_eq!(address("1,1790,too few"), None);
    }
}
