"""Documents as counts of words, from texts, frames, folders and files."""

import os
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any, Literal, NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

from posterior_rs import _core
from posterior_rs._arguments import seed, whole
from posterior_rs._counts import counts_of

Path = str | os.PathLike[str]
Format = Literal["folder", "jsonl", "csv", "uci", "lda-c", "mtx", "mallet", "mallet-state", "stored"]
StopWords = str | os.PathLike[str] | Sequence[str] | None


class Reading(NamedTuple):
    """How texts become words, as the compiled part takes it."""

    stop_words: list[str]
    min_letters: int
    min_df: int
    max_df: float
    max_vocabulary: int | None
    vocabulary: list[str] | None

    def of(self, vocabulary: Sequence[str]) -> "Reading":
        """The same words of other texts, as far as a vocabulary has them."""
        return self._replace(vocabulary=list(vocabulary))


class _Place(NamedTuple):
    """Where the parts of documents are in a file, as the compiled part takes it."""

    format: str | None
    text: str
    name: str | None
    vocab: str | None
    meta: str | None
    memory: int | None


class Corpus:
    """Documents as counts of words, with what else is known of them.

    Texts become words as on the command line, with its defaults: runs of letters, without English function
    words, words of fewer than three letters, words of fewer than five documents, and words of more than nine
    tenths of them.

    Parameters
    ----------
    documents : sequence of str, or a frame of pandas or polars
        Texts; of a frame those of a column.
    text : str, default="text"
        The column of a frame that has the texts.
    name : str, optional
        The column of a frame that names the documents: they are numbered from 1 if not given.
    metadata : optional
        Of a frame the names of the columns to keep, all others if not given; beside other documents a frame,
        or a dict of columns, with a row for each document.
    stop_words : str, path or sequence of str, optional
        Words that are left out: ``"english"``, the code of a language such as ``"de"``, a file of words, or
        the words. None keeps all words.
    min_letters : int, default=3
        The least length of a word.
    min_df : int, default=5
        The least number of documents that a word is in.
    max_df : float, default=0.9
        The largest proportion of the documents that a word is in.
    max_vocabulary : int, optional
        The most words, those that are most frequent: 50,000 if not given.
    vocabulary : sequence of str, optional
        The words to count, such as those of a model: others are left out, and ``unknown`` says how many.
        ``min_df``, ``max_df`` and ``max_vocabulary`` have no say then.

    Attributes
    ----------
    vocabulary : list of str
        The words, in alphabetical order unless they were given.
    names : list of str
        The names of the documents.
    lengths : ndarray of int, shape (documents,)
        How many words each document has, of the vocabulary.
    unknown : ndarray of int, shape (documents,)
        How many more words it had that the vocabulary does not have, function words and short ones apart.
    removed : dict of str to int
        How many words of the texts each rule left out.
    format : str or None
        The format of the file that was read.

    Raises
    ------
    TypeError
        Something else than texts.
    ValueError
        No word is left: the message says which rule left them out. An option out of its range, a column that
        is not there, metadata of another number of rows.

    Examples
    --------
    >>> from posterior_rs import topics
    >>> corpus = topics.Corpus(["War and peace", "The war of the worlds", "Peace"], min_df=1, max_df=1.0)
    >>> corpus
    <Corpus of 3 documents: 5 words, a vocabulary of 3>
    >>> corpus.vocabulary
    ['peace', 'war', 'worlds']
    >>> corpus[1]
    {'war': 1, 'worlds': 1}
    >>> corpus[:2].lengths.tolist()
    [2, 2]
    """

    def __init__(
        self,
        documents: Any,
        *,
        text: str = "text",
        name: str | None = None,
        metadata: Any = None,
        stop_words: StopWords = "english",
        min_letters: int = 3,
        min_df: int = 5,
        max_df: float = 0.9,
        max_vocabulary: int | None = None,
        vocabulary: Sequence[str] | None = None,
    ) -> None:
        reading = _reading(stop_words, min_letters, min_df, max_df, max_vocabulary, vocabulary)
        names = None
        if hasattr(documents, "columns"):
            frame, columns = documents, [str(own) for own in documents.columns]
            documents = _of_frame(frame, columns, text)
            if name is not None:
                names = [str(own) for own in _of_frame(frame, columns, name)]
            kept = [own for own in columns if own not in (text, name)] if metadata is None else metadata
            metadata = {own: _of_frame(frame, columns, own) for own in ([kept] if isinstance(kept, str) else kept)}
        elif name is not None:
            raise ValueError("name: names a column of a frame, and the documents are none")
        texts = _texts(documents)
        names = [str(own + 1) for own in range(len(texts))] if names is None else names
        self._set(_core.read_texts(texts, names, reading), reading)
        self._metadata = _columns(metadata, len(texts))

    @classmethod
    def read(
        cls,
        path: Path,
        *,
        format: Format | None = None,
        text: str = "text",
        name: str | None = None,
        vocab: Path | None = None,
        meta: Path | None = None,
        memory: int | None = None,
        stop_words: StopWords = "english",
        min_letters: int = 3,
        min_df: int = 5,
        max_df: float = 0.9,
        max_vocabulary: int | None = None,
        vocabulary: Sequence[str] | None = None,
    ) -> "Corpus":
        """A folder of texts, or a file in a format of the command line, packed by gzip or not.

        Parameters
        ----------
        path : str or path
            A folder of .txt files, JSON Lines, CSV, UCI's docword, LDA-C, MatrixMarket, MALLET's instances and
            states, or a stored corpus of ``posterior topics store``.
        format : str, optional
            ``"folder"``, ``"jsonl"``, ``"csv"``, ``"uci"``, ``"lda-c"``, ``"mtx"``, ``"mallet"``,
            ``"mallet-state"`` or ``"stored"``: found out from the file if not given.
        text, name : str
            The columns or keys of the text and of the name, in CSV and JSON Lines.
        vocab : str or path, optional
            The words of counts, one a line: vocab.txt beside them if not given.
        meta : str or path, optional
            A CSV table of the documents, joined by a column that has their names, else row by row. If not
            given, the other columns of CSV and JSON Lines.
        memory : int, optional
            The most bytes that the corpus may take: three quarters of what is free if not given.
        stop_words, min_letters, min_df, max_df, max_vocabulary, vocabulary
            As those of the class; counts keep all of their words.

        Raises
        ------
        FileNotFoundError, PermissionError
            What cannot be opened.
        MemoryError
            More memory than is allowed.
        ValueError
            A file that is not in its format: the message has the line.

        Examples
        --------
        >>> import pathlib, tempfile
        >>> from posterior_rs import topics
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     table = pathlib.Path(folder, "letters.csv")
        ...     _ = table.write_text("year,text\\n1790,the river bank\\n1791,a bank note\\n")
        ...     corpus = topics.Corpus.read(table, min_df=1, max_df=1.0)
        >>> corpus.vocabulary, corpus.metadata["year"].tolist()
        (['bank', 'note', 'river'], [1790.0, 1791.0])
        """
        reading = _reading(stop_words, min_letters, min_df, max_df, max_vocabulary, vocabulary)
        limit = None if memory is None else whole("memory", memory, 1)
        place = _Place(format, text, name, _file(vocab), _file(meta), limit)
        found = _core.read_corpus(_file(path), place, reading)
        corpus = cls.__new__(cls)
        # Counts have no rule for words.
        corpus._set(found, reading if found["removed"] else None)
        corpus._metadata = {column: _values(values) for column, values in found["metadata"]}
        return corpus

    @classmethod
    def from_counts(
        cls,
        counts: Any,
        vocabulary: Sequence[str] | None = None,
        *,
        names: Sequence[str] | None = None,
        metadata: Any = None,
    ) -> "Corpus":
        """Counts that are there, such as those of scikit-learn's ``CountVectorizer``.

        Parameters
        ----------
        counts : array_like or sparse, shape (documents, words)
        vocabulary : sequence of str, optional
            The words; the names of the columns of a frame, else their numbers, if not given.
        names : sequence of str, optional
            The names of the documents: numbers from 1 if not given.
        metadata : frame or dict, optional
            Columns with a row for each document.
        """
        rows = counts_of(counts)
        documents = len(rows.ends) - 1
        words = words_of(vocabulary, counts, rows.columns)
        called = [str(own + 1) for own in range(documents)] if names is None else [str(own) for own in names]
        if len(called) != documents:
            raise ValueError(f"names: expected {documents}, found {len(called)}")
        corpus = cls.__new__(cls)
        corpus._own, corpus._reading = _core.DocumentCorpus.of_counts(rows, words, called), None
        corpus.unknown, corpus.removed, corpus.format = np.zeros(documents, dtype=np.int64), {}, None
        corpus._metadata = _columns(metadata, documents)
        return corpus

    def _set(self, found: dict[str, Any], reading: Reading | None) -> None:
        self._own: _core.DocumentCorpus = found["corpus"]
        self._reading = reading
        lengths = self._own.lengths()
        before = lengths if found["lengths"] is None else np.asarray(found["lengths"], dtype=np.int64)
        self.unknown: NDArray[np.int64] = before - lengths
        self.removed: dict[str, int] = dict(found["removed"])
        self.format: str | None = found["format"]

    @property
    def vocabulary(self) -> list[str]:
        return self._own.vocabulary

    @property
    def names(self) -> list[str]:
        return self._own.names

    @property
    def lengths(self) -> NDArray[np.int64]:
        return self._own.lengths()

    @property
    def counts(self) -> Any:
        """How often each document has each word: a ``scipy.sparse.csr_array``, without SciPy an ndarray."""
        ends, words, numbers = self._own.rows()
        shape = (len(self), len(self.vocabulary))
        try:
            sparse = import_module("scipy.sparse")
        except ImportError:
            dense = np.zeros(shape, dtype=np.int64)
            dense[np.repeat(np.arange(shape[0]), np.diff(ends)), words] = numbers
            return dense
        return sparse.csr_array((numbers.astype(np.int64), words.astype(np.int64), ends), shape=shape)

    @property
    def metadata(self) -> Any:
        """What else is known of the documents: a frame of pandas by their names, without pandas a dict."""
        try:
            pandas = import_module("pandas")
        except ImportError:
            return dict(self._metadata)
        return pandas.DataFrame(self._metadata, index=pandas.Index(self.names, name="document"))

    def column(self, name: str) -> Any:
        """A column of the metadata: numbers, or a list of texts.

        Raises
        ------
        ValueError
            It is not there: the message names those that are.
        """
        if name not in self._metadata:
            there = ", ".join(self._metadata) or "none"
            raise ValueError(f"no column {name!r} is known of the documents; there are: {there}")
        return self._metadata[name]

    def in_vocabulary(self, vocabulary: Sequence[str]) -> "Corpus":
        """The same documents in other words, by which a model reads them: ``unknown`` counts those left out.

        Raises
        ------
        ValueError
            No word of the documents is in the vocabulary.
        """
        own = self._own.in_vocabulary(list(vocabulary))
        reading = None if self._reading is None else self._reading.of(vocabulary)
        return self._part(own, self.unknown + self.lengths - own.lengths(), self._metadata, reading)

    def split(self, held_out: float = 0.1, *, random_state: Any = None) -> tuple["Corpus", "Corpus"]:
        """Documents to learn from, and a proportion of them, at random, that is held out.

        Both keep the vocabulary. A seed gives the parts that ``posterior topics fit --held-out`` has.

        Examples
        --------
        >>> from posterior_rs import topics
        >>> corpus = topics.Corpus.from_counts([[1, 2], [3, 0], [0, 1], [2, 2]], ["river", "bank"])
        >>> train, test = corpus.split(0.25, random_state=1)
        >>> len(train), len(test)
        (3, 1)
        """
        train, test = self._own.split(float(held_out), seed(random_state))
        return self._select(train), self._select(test)

    def _select(self, rows: list[int]) -> "Corpus":
        columns = {
            name: values[rows] if isinstance(values, np.ndarray) else [values[own] for own in rows]
            for name, values in self._metadata.items()
        }
        return self._part(self._own.select(rows), self.unknown[rows], columns, self._reading)

    def _part(
        self, own: _core.DocumentCorpus, unknown: Any, metadata: dict[str, Any], reading: Reading | None
    ) -> "Corpus":
        part = type(self).__new__(type(self))
        part._own, part._reading, part._metadata = own, reading, metadata
        part.unknown, part.removed, part.format = unknown, self.removed, self.format
        return part

    def __len__(self) -> int:
        return len(self.unknown)

    @overload
    def __getitem__(self, key: int) -> dict[str, int]: ...
    @overload
    def __getitem__(self, key: slice | Sequence[int] | Sequence[bool] | NDArray[Any]) -> "Corpus": ...
    def __getitem__(self, key: Any) -> Any:
        """One document as its counts of words, or several, by a slice, places or a mask, as a corpus."""
        if isinstance(key, (int, np.integer)):
            rows = [_place(int(key), len(self))]
            if self.lengths[rows[0]] == 0:
                return {}
            own, words = self._own.select(rows), self.vocabulary
            _, places, numbers = own.rows()
            return {words[place]: int(number) for place, number in zip(places, numbers, strict=True)}
        if isinstance(key, slice):
            return self._select(list(range(*key.indices(len(self)))))
        places = np.asarray(key)
        if places.dtype == bool and places.shape != (len(self),):
            raise IndexError(f"a mask of {len(self)} documents: found the shape {places.shape}")
        if places.ndim != 1 or (places.size > 0 and places.dtype.kind not in "bui"):
            raise TypeError("documents are taken by a number, a slice, a list of places or a mask")
        chosen = np.flatnonzero(places) if places.dtype == bool else places
        return self._select([_place(int(own), len(self)) for own in chosen])

    def __iter__(self) -> Iterator[dict[str, int]]:
        ends, words, numbers = self._own.rows()
        vocabulary = self.vocabulary
        for start, end in zip(ends[:-1], ends[1:], strict=True):
            pairs = zip(words[start:end], numbers[start:end], strict=True)
            yield {vocabulary[word]: int(number) for word, number in pairs}

    def __repr__(self) -> str:
        words, distinct = int(self.lengths.sum()), len(self.vocabulary)
        return f"<Corpus of {len(self)} documents: {words} words, a vocabulary of {distinct}>"


def _place(own: int, documents: int) -> int:
    if not -documents <= own < documents:
        raise IndexError(f"document {own} of {documents}")
    return own % documents


def _file(path: Path | None) -> Any:
    # A file of that name, and not the standard input of the command line.
    return None if path is None else os.path.join(".", "-") if os.fspath(path) == "-" else os.fspath(path)


def _reading(
    stop_words: StopWords,
    min_letters: int,
    min_df: int,
    max_df: float,
    max_vocabulary: int | None,
    vocabulary: Sequence[str] | None,
) -> Reading:
    if not 0 < max_df <= 1:
        raise ValueError(f"max_df: expected a proportion above 0 and at most 1, found {max_df}")
    if stop_words is None:
        words = []
    elif isinstance(stop_words, (str, os.PathLike)):
        words = _core.read_words(os.fspath(stop_words))
    else:
        words = [str(own) for own in stop_words]
    most = 50_000 if max_vocabulary is None else whole("max_vocabulary", max_vocabulary, 1)
    kept = None if vocabulary is None else [str(own) for own in vocabulary]
    return Reading(
        words, whole("min_letters", min_letters), whole("min_df", min_df), float(max_df), most, kept
    )


def _of_frame(frame: Any, columns: list[str], name: str) -> Any:
    if name not in columns:
        raise ValueError(f"no column {name!r} in the frame; there are: {', '.join(columns)}")
    return _values(frame[name])


def _values(values: Any) -> Any:
    """A column as it is kept: numbers as an array, whatever else as a list."""
    array = np.asarray(values)
    return array.tolist() if array.dtype.kind in "OUT" else array


def _columns(metadata: Any, documents: int) -> dict[str, Any]:
    if metadata is None:
        return {}
    if isinstance(metadata, Mapping):
        columns = {str(name): _values(values) for name, values in metadata.items()}
    elif hasattr(metadata, "columns"):
        columns = {str(name): _values(metadata[name]) for name in metadata.columns}
    else:
        raise TypeError("metadata: expected a frame or a dict of columns")
    for name, values in columns.items():
        if len(values) != documents:
            raise ValueError(f"metadata: column {name!r} has {len(values)} rows for {documents} documents")
    return columns


def _texts(documents: Any) -> list[str]:
    if isinstance(documents, (str, bytes)):
        raise TypeError("documents: expected a sequence of texts, found a single one; files are read by Corpus.read")
    texts = np.asarray(documents, dtype=object).tolist() if hasattr(documents, "dtype") else list(documents)
    for row, own in enumerate(texts):
        if not isinstance(own, str):
            raise TypeError(f"documents: expected texts, found {own!r} in row {row}")
    return texts


def are_texts(documents: Any) -> bool:
    """Whether documents are texts, and no counts."""
    if isinstance(documents, (list, tuple)):
        return len(documents) > 0 and isinstance(documents[0], str)
    return getattr(documents, "ndim", 0) == 1 and len(documents) > 0 and isinstance(list(documents[:1])[0], str)


def words_of(vocabulary: Sequence[str] | None, counts: Any, columns: int) -> list[str]:
    """The words of counts: those that are given, the columns of a frame, or numbers."""
    columns_of_a_frame = counts.columns if hasattr(counts, "columns") else range(columns)
    words = [str(word) for word in (columns_of_a_frame if vocabulary is None else vocabulary)]
    if len(words) != columns:
        raise ValueError(f"vocabulary: expected {columns} words, found {len(words)}")
    return words
