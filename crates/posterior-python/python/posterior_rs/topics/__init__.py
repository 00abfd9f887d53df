"""Topics of documents: corpora, models of their words, and what is asked of them.

===============  ==================================================================================
``Corpus``       documents as counts of words: of texts, frames, folders, and files of eight formats
``lda``          latent Dirichlet allocation, by five engines
``hdp``          as many topics as the documents ask for
``pitman_yor``   topics with long tails of rare words
``plsa``         topics of maximum likelihood
``mixture``      one topic a document
``unigram``      one topic for all documents
``bigram``       topics of pairs of words
``dynamic``      topics whose words drift with time
``kernel``       proportions that drift with time, and differ between bands of documents
``structural``   topics whose proportions and words depend on what is known of documents
``regression``   proportions that depend on features of documents
``supervised``   topics that predict a response
``labelled``     a topic for each label
``TopicModel``   what all of them return: leading words, coherence, held-out words, a map, trends
===============  ==================================================================================

Documents are a `Corpus`, or counts, arrays or SciPy's sparse matrices of shape (documents, words), as
scikit-learn's ``CountVectorizer`` makes them of texts. `posterior_rs.estimators.LatentDirichletAllocation` is
the estimator for pipelines.

Examples
--------
>>> from posterior_rs import topics
>>> letters = ["the river and its bank", "a bank of the river", "the coin and the note", "coin, note, coin"]
>>> corpus = topics.Corpus(letters, min_df=1, max_df=1.0)
>>> model = topics.lda(corpus, 2, random_state=1)
>>> sorted(sorted(own) for own in model.words(2))
[['bank', 'river'], ['coin', 'note']]
>>> model.transform(["a note for the bank"]).shape
(1, 2)
>>> counts = [[5, 4, 0, 0], [4, 5, 0, 0], [0, 0, 5, 4], [0, 0, 4, 5], [3, 3, 0, 0], [0, 0, 3, 3]]
>>> topics.lda(counts, 2, vocabulary=["river", "bank", "note", "coin"], random_state=1)
<TopicModel of lda: 2 topics of 4 words>
"""

from posterior_rs.topics._corpus import Corpus
from posterior_rs.topics._fits import LdaSettings as LdaSettings
from posterior_rs.topics._fits import bigram, hdp, lda, mixture, pitman_yor, plsa, unigram
from posterior_rs.topics._informed import dynamic, kernel, labelled, regression, structural, supervised
from posterior_rs.topics._model import HeldOut, TopicMap, TopicModel

__all__ = [
    "Corpus",
    "HeldOut",
    "TopicMap",
    "TopicModel",
    "bigram",
    "dynamic",
    "hdp",
    "kernel",
    "labelled",
    "lda",
    "mixture",
    "pitman_yor",
    "plsa",
    "regression",
    "structural",
    "supervised",
    "unigram",
]
