//! CoNLL-U: the examples of the format's page, what is kept, and what is refused with which line.

use posterior_text::columns::{ConlluColumn, ConlluReader, ConlluSentence, write_conllu};

/// The examples of <https://universaldependencies.org/format.html>: tokens of several words, an empty node,
/// lemmas with a space.
const FILE: &str = "\
# sent_id = 1
# text = vámonos al mar
1-2\tvámonos\t_\t_\t_\t_\t_\t_\t_\t_
1\tvamos\tir\tVERB\tV\tNumber=Plur\t0\troot\t_\t_
2\tnos\tnosotros\tPRON\t_\tCase=Acc|Number=Plur\t1\tobj\t_\t_
3-4\tal\t_\t_\t_\t_\t_\t_\t_\t_
3\ta\ta\tADP\t_\t_\t5\tcase\t_\t_
4\tel\tel\tDET\t_\t_\t5\tdet\t_\tSpaceAfter=No
5\tmar\tmar\tNOUN\t_\t_\t1\tobl\t_\tGloss=the sea

# sent_id = 2
1\tSue\tSue\tPROPN\t_\t_\t2\tnsubj\t_\t_
2\tlikes\tlike\tVERB\t_\t_\t0\troot\t0:root|5.1:conj\t_
3\tcoffee\tcoffee\tNOUN\t_\t_\t2\tobj\t_\t_
4\tand\tand\tCCONJ\t_\t_\t5\tcc\t_\t_
5\tBill\tBill\tPROPN\t_\t_\t2\tconj\t_\t_
5.1\tlikes\tlike\tVERB\t_\t_\t_\t_\t2:conj\tCopyOf=2
6\t20 000\t20 000\tNUM\t_\t_\t5\torphan\t_\t_

";

fn read(text: &str) -> Result<Vec<ConlluSentence>, posterior_text::Error> {
    ConlluReader::new(text.as_bytes()).collect()
}

fn written(sentences: &[ConlluSentence]) -> String {
    let mut out = Vec::new();
    for own in sentences {
        write_conllu(&mut out, own, &[], |_, _| None).unwrap();
    }
    String::from_utf8(out).unwrap()
}

#[test]
fn words_are_read_and_the_rest_is_kept() {
    let sentences = read(FILE).unwrap();
    assert_eq!(sentences.iter().map(|own| own.words().len()).collect::<Vec<_>>(), [5, 6]);
    assert!(sentences[0].comments().eq(["# sent_id = 1", "# text = vámonos al mar"]));
    assert!(sentences[0].multiword_tokens().eq([(0..2, "vámonos"), (2..4, "al")]));
    assert_eq!((sentences[0].empty_nodes().count(), sentences[1].empty_nodes().count()), (0, 1));
    assert_eq!((sentences[0].words().first_line(), sentences[0].line(2), sentences[1].line(5)), (4, 7, 18));
    let table = sentences[1].table(&[ConlluColumn::Form, ConlluColumn::Upos]).unwrap();
    assert_eq!((table.columns(), table.first_line()), (2, 12));
    assert!(table.row(5).eq(["20 000", "NUM"]));
    assert!(sentences[1].table(&[]).is_err());
    assert_eq!(written(&sentences), FILE);
    // Ends of lines of another system, no empty line at the end, and more than one.
    let other = FILE.trim_end().replace("\n\n", "\n\n\n").replace('\n', "\r\n");
    assert_eq!(written(&read(&other).unwrap()), FILE);
    assert!(read("\n\n").unwrap().is_empty());
    // An empty node before the first word, two in a row.
    let early =
        "0.1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n0.2\tb\t_\t_\t_\t_\t_\t_\t_\t_\n1\tc\t_\t_\t_\t_\t_\t_\t_\t_\n\n";
    assert_eq!(written(&read(early).unwrap()), early);
}

#[test]
fn a_column_is_written_anew() {
    let sentences = read(FILE).unwrap();
    let mut out = Vec::new();
    let tags = ["A", "B", "C", "D", "E"];
    let cell = |word: usize, column| (column == ConlluColumn::Upos).then_some(tags[word]);
    write_conllu(&mut out, &sentences[0], &["rank = 0".to_owned()], cell).unwrap();
    let text = String::from_utf8(out).unwrap();
    let wanted = ["VERB", "PRON", "ADP", "DET", "NOUN"]
        .iter()
        .zip(tags)
        .fold(FILE.split("\n\n").next().unwrap().to_owned() + "\n\n", |text, (old, new)| {
            text.replace(&format!("\t{old}\t"), &format!("\t{new}\t"))
        });
    assert_eq!(text, wanted.replace("al mar\n", "al mar\n# rank = 0\n"));
    for bad in ["", "a\tb", "a\n", "a b"] {
        let wrong = |_, column| (column == ConlluColumn::Upos).then_some(bad);
        assert!(write_conllu(&mut Vec::new(), &sentences[0], &[], wrong).is_err(), "{bad:?}");
    }
}

#[test]
fn columns_have_names() {
    for name in ["id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc"] {
        let column: ConlluColumn = name.parse().unwrap();
        assert_eq!(column.to_string(), name);
        assert_eq!(name.to_uppercase().parse::<ConlluColumn>().unwrap(), column);
    }
    let refused = "pos".parse::<ConlluColumn>().unwrap_err().to_string();
    assert!(refused.contains("\"pos\"") && refused.contains("upos"), "{refused}");
}

#[test]
fn mistakes_are_reported_by_their_line() {
    let error = |from: &str, to: &str| read(&FILE.replacen(from, to, 1)).unwrap_err().to_string();
    assert_eq!(error("\tGloss=the sea", ""), "line 9: 9 fields between tabs, expected 10");
    assert_eq!(
        error("\tVERB\tV", "\t\tV"),
        "line 4: the field upos is empty, expected _ where nothing is known"
    );
    assert_eq!(error("\tVERB\tV", "\tVE RB\tV"), "line 4: the field upos holds a space");
    assert_eq!(error("2\tnos", "# x\n2\tnos"), "line 5: a comment inside of a sentence");
    assert_eq!(error("2\tnos", "3\tnos"), "line 5: word 3 where 2 is expected");
    assert_eq!(error("2\tnos", "+2\tnos"), "line 5: \"+2\" does not number a word");
    assert_eq!(
        error("3-4\tal", "4-5\tal"),
        "line 6: the multiword token 4-5 is not before its first word, expected 3-N"
    );
    assert_eq!(
        error("1-2\tv", "1-3\tv"),
        "line 6: the multiword token 3-4 is not before its first word, expected 4-N"
    );
    assert_eq!(
        error("3-4\tal\t_\t_", "3-4\tal\t_\tADP"),
        "line 6: the field upos of a multiword token must be _"
    );
    assert_eq!(
        error("3-4\tal", "3-6\tal"),
        "line 10: the multiword token \"al\" ends with word 6, the sentence with 5"
    );
    assert_eq!(error("5.1\tlikes", "4.1\tlikes"), "line 17: the empty node 4.1 where 5.1 is expected");
    assert_eq!(error("5.1\tlikes", "5.2\tlikes"), "line 17: the empty node 5.2 where 5.1 is expected");
    assert_eq!(error("_\t_\t2:conj", "2\t_\t2:conj"), "line 17: the field head of an empty node must be _");
    assert_eq!(read("# alone\n\n").unwrap_err().to_string(), "line 2: a sentence without words ends here");
    // Nothing after a mistake.
    let mut reader = ConlluReader::new("1\tx\n\n".as_bytes());
    assert!(reader.next().unwrap().is_err() && reader.next().is_none());
}
