"""Corpora of texts, frames, folders and files, beside counts by hand and those of scikit-learn."""

import gzip
import pickle
import subprocess
from pathlib import Path

import numpy as np
import pandas as pd
import polars
import pytest
import scipy.sparse as sp
from sklearn.feature_extraction.text import CountVectorizer

from posterior_rs import topics

PROGRAM = Path(__file__).parents[3] / "target" / "debug" / "posterior"

TEXTS = [
    "The river runs over the stone; the river and its bank.",
    "A bank lends money: money and coin.",
    "Stone by the river, stone in the river.",
    "The coin of the bank is money.",
]
ALL = {"min_df": 1, "max_df": 1.0}
FRAME = pd.DataFrame({"text": TEXTS, "year": [1790, 1791, 1792, 1793], "who": list("abab"), "title": list("wxyz")})


@pytest.fixture
def corpus():
    return topics.Corpus(FRAME, name="title", **ALL)


def test_words_are_counted(corpus):
    assert corpus.vocabulary == ["bank", "coin", "lends", "money", "river", "runs", "stone"]
    expected = [[1, 0, 0, 0, 2, 1, 1], [1, 1, 1, 2, 0, 0, 0], [0, 0, 0, 0, 2, 0, 2], [1, 1, 0, 1, 0, 0, 0]]
    np.testing.assert_array_equal(corpus.counts.toarray(), expected)
    assert isinstance(corpus.counts, sp.csr_array)
    assert corpus.lengths.tolist() == [5, 5, 4, 3] and len(corpus) == 4
    assert repr(corpus) == "<Corpus of 4 documents: 17 words, a vocabulary of 7>"
    assert corpus[1] == {"bank": 1, "coin": 1, "lends": 1, "money": 2}
    assert list(corpus)[3] == corpus[-1] == {"bank": 1, "coin": 1, "money": 1}
    assert corpus.names == list("wxyz")
    # "the" five times, "over", "and" twice, "its", "of"; "A", "is", "by" and "in" are too short.
    assert corpus.removed["stop words"] + corpus.removed["too short"] == sum(len(own.split()) for own in TEXTS) - 17


def test_the_counts_are_those_of_scikit_learn():
    words = [letter * 3 for letter in "abcdefgh"]
    texts = [" ".join(np.random.default_rng(seed).choice(words, 6, p=np.arange(8, 0, -1) / 36)) for seed in range(30)]
    for options in ({"min_df": 2}, {"max_df": 0.9}, {"max_features": 5}):
        theirs = CountVectorizer(token_pattern=r"[a-z]+", **options)
        counts = theirs.fit_transform(texts).toarray()
        own = {"max_vocabulary": options["max_features"]} if "max_features" in options else options
        ours = topics.Corpus(texts, stop_words=None, **(ALL | own))
        assert ours.vocabulary == theirs.get_feature_names_out().tolist()
        np.testing.assert_array_equal(ours.counts.toarray(), counts)


@pytest.mark.parametrize("make", [lambda f: f, lambda f: polars.DataFrame(f.to_dict("list"))])
def test_frames_bring_their_columns(make, corpus):
    own = topics.Corpus(make(FRAME), name="title", **ALL)
    np.testing.assert_array_equal(own.counts.toarray(), corpus.counts.toarray())
    expected = FRAME[["year", "who"]].set_axis(pd.Index(list("wxyz"), name="document"))
    pd.testing.assert_frame_equal(own.metadata, expected, check_dtype=False)
    assert list(topics.Corpus(make(FRAME), metadata=["who"], **ALL).metadata) == ["who"]
    assert topics.Corpus(make(FRAME)["text"], **ALL).vocabulary == corpus.vocabulary
    assert own.column("who") == list("abab")


def test_stop_words(tmp_path):
    def words(own):
        return topics.Corpus(TEXTS, stop_words=own, **ALL).vocabulary

    assert "the" not in words("english") and "the" in words(None) and "the" in words("de")
    assert "river" not in words(["river"]) and "the" in words(["river"])
    (tmp_path / "list.txt").write_text("stone # one\nbank\n")
    assert {"stone", "bank"}.isdisjoint(words(tmp_path / "list.txt"))
    assert "its" in words(None) and topics.Corpus(TEXTS, stop_words=None, min_letters=4, **ALL).vocabulary == [
        "bank", "coin", "lends", "money", "over", "river", "runs", "stone",
    ]  # fmt: skip


def test_parts_keep_what_belongs_to_them(corpus):
    for key in (slice(1, 3), [1, 2], np.array([False, True, True, False]), np.array([1, 2])):
        part = corpus[key]
        np.testing.assert_array_equal(part.counts.toarray(), corpus.counts.toarray()[1:3])
        assert part.vocabulary == corpus.vocabulary and part.names == ["x", "y"]
        assert part.metadata["year"].tolist() == [1791, 1792] and part.column("who") == ["b", "a"]
    assert corpus[::-1].names == list("zyxw") and corpus[[-1]].names == ["z"]
    train, test = corpus.split(0.25, random_state=3)
    assert len(train) == 3 and sorted(train.names + test.names) == list("wxyz")
    with pytest.raises(IndexError, match="4 of 4"):
        corpus[4]
    with pytest.raises(IndexError, match="mask"):
        corpus[np.array([True])]
    with pytest.raises(TypeError, match="slice"):
        corpus["w"]


def test_pickles_are_the_same_after(corpus):
    again = pickle.loads(pickle.dumps(corpus))
    np.testing.assert_array_equal(again.counts.toarray(), corpus.counts.toarray())
    assert (again.vocabulary, again.names) == (corpus.vocabulary, corpus.names)
    pd.testing.assert_frame_equal(again.metadata, corpus.metadata)
    fits = [topics.bigram(own, 2, max_iter=20).topic_word for own in (again, corpus)]
    np.testing.assert_array_equal(*fits)
    counts = pickle.loads(pickle.dumps(topics.Corpus.from_counts([[1, 0], [2, 3]], ["a", "b"])))
    assert counts[1] == {"a": 2, "b": 3}


def test_other_words_are_left_out_and_counted(corpus):
    own = corpus.in_vocabulary(["zebra", "stone", "river"])
    np.testing.assert_array_equal(own.counts.toarray(), [[0, 1, 2], [0, 0, 0], [0, 2, 2], [0, 0, 0]])
    assert own.unknown.tolist() == [2, 5, 0, 3]
    given = topics.Corpus(TEXTS, vocabulary=["zebra", "stone", "river"])
    np.testing.assert_array_equal(given.counts.toarray(), own.counts.toarray())
    assert given.unknown.tolist() == own.unknown.tolist()
    assert given[:2].unknown.tolist() == [2, 5]
    with pytest.raises(ValueError, match="language"):
        corpus.in_vocabulary(["zebra"])


def written(folder):
    """The same documents in files of each format that has texts, and of counts."""
    (folder / "texts").mkdir()
    for name, text in zip(FRAME["title"], TEXTS, strict=True):
        (folder / "texts" / f"{name}.txt").write_text(text)
    FRAME.to_csv(folder / "table.csv", index=False)
    FRAME.to_json(folder / "lines.jsonl", orient="records", lines=True)
    (folder / "lines.jsonl.gz").write_bytes(gzip.compress((folder / "lines.jsonl").read_bytes()))
    (folder / "mallet.tsv").write_text("".join(f"{own.title}\tnone\t{own.text}\n" for own in FRAME.itertuples()))
    corpus = topics.Corpus(TEXTS, **ALL)
    (folder / "vocab.txt").write_text("\n".join(corpus.vocabulary) + "\n")
    counts = corpus.counts.tocoo()
    entries = sorted(zip(counts.coords[0] + 1, counts.coords[1] + 1, counts.data, strict=True))
    rows = "".join(f"{d} {w} {n}\n" for d, w, n in entries)
    (folder / "docword.txt").write_text(f"4\n7\n{len(entries)}\n{rows}")
    head = "%%MatrixMarket matrix coordinate integer general\n"
    (folder / "counts.mtx").write_text(f"{head}4 7 {len(entries)}\n{rows}")
    lines = (" ".join([str(len(own)), *(f"{corpus.vocabulary.index(w)}:{n}" for w, n in own.items())]) for own in corpus)
    (folder / "counts.ldac").write_text("\n".join(lines) + "\n")
    return corpus


NUMBERED = ("table.csv", "lines.jsonl", "lines.jsonl.gz", "docword.txt", "counts.mtx", "counts.ldac")


@pytest.mark.parametrize("file", ["texts", "mallet.tsv", *NUMBERED])
def test_files_of_every_format(tmp_path, file):
    expected = written(tmp_path)
    options = {"format": "mallet"} if file == "mallet.tsv" else {}
    own = topics.Corpus.read(tmp_path / file, **options, **ALL)
    assert own.vocabulary == expected.vocabulary
    np.testing.assert_array_equal(own.counts.toarray(), expected.counts.toarray())
    assert own.names == (list("1234") if file in NUMBERED else list("wxyz"))
    formats = {"texts": "folder", "table.csv": "csv", "docword.txt": "uci", "counts.mtx": "mtx", "counts.ldac": "lda-c"}
    assert own.format == formats.get(file, "mallet" if file == "mallet.tsv" else "jsonl")
    if file in ("table.csv", "lines.jsonl"):
        assert own.metadata["year"].tolist() == [1790, 1791, 1792, 1793] and own.column("who") == list("abab")
    # Words in their order are there of texts alone.
    if file in ("docword.txt", "counts.mtx", "counts.ldac"):
        with pytest.raises(ValueError, match="order"):
            topics.bigram(own, 2)
    else:
        assert topics.bigram(own, 2, max_iter=5).words(1)


def test_stored_corpora_and_states(tmp_path):
    expected = written(tmp_path)
    if PROGRAM.is_file():
        stored = [str(PROGRAM), "topics", "store", str(tmp_path / "docword.txt"), str(tmp_path / "all.corpus")]
        subprocess.run(stored, capture_output=True, check=True)
        own = topics.Corpus.read(tmp_path / "all.corpus")
        assert own.format == "stored" and own.vocabulary == expected.vocabulary
        np.testing.assert_array_equal(own.counts.toarray(), expected.counts.toarray())
    state = "#doc source pos typeindex type topic\n#alpha : 0.1 0.1\n#beta : 0.01\n"
    (tmp_path / "state").write_text(state + "0 a 0 0 river 1\n0 a 1 1 bank 0\n1 b 0 0 river 1\n")
    own = topics.Corpus.read(tmp_path / "state")
    assert (own.format, own.vocabulary, own[1]) == ("mallet-state", ["river", "bank"], {"river": 1})


def test_tables_beside_the_documents(tmp_path):
    written(tmp_path)
    FRAME[["title", "year"]].iloc[::-1].to_csv(tmp_path / "meta.csv", index=False)
    own = topics.Corpus.read(tmp_path / "texts", meta=tmp_path / "meta.csv", **ALL)
    # Joined by the column with the names, in whatever order.
    assert own.metadata["year"].tolist() == [1790, 1791, 1792, 1793]
    FRAME[["who", "year"]].assign(year=[1790, None, 1792, 1793]).to_csv(tmp_path / "rows.csv", index=False)
    own = topics.Corpus.read(tmp_path / "docword.txt", meta=tmp_path / "rows.csv")
    np.testing.assert_array_equal(own.column("year"), [1790, np.nan, 1792, 1793])


def test_counts_that_are_there():
    own = topics.Corpus.from_counts(sp.csr_array([[1, 0], [2, 3]]), ["a", "b"], names=["x", "y"], metadata={"n": [1, 2]})
    assert own[1] == {"a": 2, "b": 3} and own.names == ["x", "y"] and own.metadata.loc["y", "n"] == 2
    assert topics.Corpus.from_counts(pd.DataFrame({"p": [1], "q": [2]})).vocabulary == ["p", "q"]


@pytest.mark.parametrize(
    ("error", "text", "make"),
    [
        (TypeError, "single", lambda f: topics.Corpus("a text")),
        (TypeError, "row 1", lambda f: topics.Corpus(["a", None])),
        (ValueError, "too few", lambda f: topics.Corpus(TEXTS)),
        (ValueError, "empty|no text|no document", lambda f: topics.Corpus([])),
        (ValueError, "max_df", lambda f: topics.Corpus(TEXTS, max_df=0)),
        (ValueError, "min_df", lambda f: topics.Corpus(TEXTS, min_df=-1)),
        (TypeError, "min_letters", lambda f: topics.Corpus(TEXTS, min_letters=2.5)),
        (ValueError, "max_vocabulary", lambda f: topics.Corpus(TEXTS, max_vocabulary=0)),
        (ValueError, "language", lambda f: topics.Corpus(TEXTS, stop_words="xx")),
        (FileNotFoundError, "no-list.txt", lambda f: topics.Corpus(TEXTS, stop_words="no-list.txt")),
        (ValueError, "there are: text, year", lambda f: topics.Corpus(FRAME, text="body")),
        (ValueError, "no column", lambda f: topics.Corpus(FRAME, metadata=["place"], **ALL)),
        (ValueError, "name", lambda f: topics.Corpus(TEXTS, name="title")),
        (ValueError, "3 rows for 4", lambda f: topics.Corpus(TEXTS, metadata={"n": [1, 2, 3]}, **ALL)),
        (TypeError, "metadata", lambda f: topics.Corpus(TEXTS, metadata=[1, 2, 3, 4], **ALL)),
        (FileNotFoundError, "nowhere", lambda f: topics.Corpus.read(f / "nowhere")),
        (FileNotFoundError, "gone.csv", lambda f: topics.Corpus.read(f / "texts", meta=f / "gone.csv", **ALL)),
        (ValueError, "format", lambda f: topics.Corpus.read(f / "texts", format="pdf")),
        (ValueError, "found a folder", lambda f: topics.Corpus.read(f / "texts", format="csv")),
        (ValueError, "body", lambda f: topics.Corpus.read(f / "table.csv", text="body")),
        (ValueError, "bad.mtx:3", lambda f: topics.Corpus.read(f / "bad.mtx")),
        (MemoryError, "memory", lambda f: topics.Corpus.read(f / "table.csv", memory=100)),
        (ValueError, "names", lambda f: topics.Corpus.from_counts([[1]], names=["a", "b"])),
        (ValueError, "2 words", lambda f: topics.Corpus.from_counts([[1, 2]], ["a"])),
        (ValueError, "held_out", lambda f: topics.Corpus(TEXTS, **ALL).split(1.5)),
    ],
)
def test_errors_say_what_is_wrong(tmp_path, error, text, make):
    written(tmp_path)
    (tmp_path / "bad.mtx").write_text("%%MatrixMarket matrix coordinate integer general\n2 7 1\n1 x 3\n")
    with pytest.raises(error, match=text):
        make(tmp_path)


def model_of(corpus):
    return topics.lda(corpus, 2, max_iter=50, random_state=1)


def test_models_take_a_corpus_where_they_take_counts(corpus):
    own, plain = model_of(corpus), topics.lda(corpus.counts, 2, vocabulary=corpus.vocabulary, max_iter=50, random_state=1)
    np.testing.assert_array_equal(own.topic_word, plain.topic_word)
    assert own.vocabulary == corpus.vocabulary
    np.testing.assert_array_equal(own.transform(corpus), plain.transform(corpus.counts))
    np.testing.assert_array_equal(own.coherence(corpus, n_words=2), plain.coherence(corpus.counts, n_words=2))
    pd.testing.assert_frame_equal(own.trend(corpus, "year"), plain.trend(corpus.counts, FRAME["year"]))
    with pytest.raises(ValueError, match="vocabulary"):
        topics.lda(corpus, vocabulary=["a"])
    with pytest.raises(ValueError, match="there are: year, who"):
        own.trend(corpus, "place")
    with pytest.raises(ValueError, match="Corpus"):
        plain.trend(corpus.counts, "year")


def test_new_documents_are_read_in_the_words_of_the_model(corpus):
    own = model_of(corpus)
    new = ["A zebra by the river: stone, stone and zebra.", "Coin of money"]
    read = own.read(new)
    assert read.vocabulary == own.vocabulary and read.unknown.tolist() == [2, 0]
    expected = np.zeros((2, 7), dtype=int)
    expected[0, [4, 6]] = 1, 2
    expected[1, [1, 3]] = 1
    np.testing.assert_array_equal(read.counts.toarray(), expected)
    # Words in another order, some of them unknown: they are found by their letters.
    other = topics.Corpus(new, **ALL)
    assert other.vocabulary == ["coin", "money", "river", "stone", "zebra"]
    for documents in (new, other, read, pd.Series(new), np.array(new)):
        np.testing.assert_array_equal(own.transform(documents), own.transform(expected))
        found = own.held_out(documents, random_state=2)
        assert found.per_word == own.held_out(expected, random_state=2).per_word
        assert found.n_unknown == 2
    assert own.held_out(expected).n_unknown == 0
    again = pickle.loads(pickle.dumps(own))
    np.testing.assert_array_equal(again.transform(new), own.transform(new))
    with pytest.raises(ValueError, match="fitted to counts"):
        topics.lda(corpus.counts, 2, max_iter=2).transform(new)
    with pytest.raises(TypeError, match="texts or a Corpus"):
        own.read(expected)
