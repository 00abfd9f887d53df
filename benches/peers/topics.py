"""Topic models on the workload of `cargo xtask compare topics`. Usage: topics.py FOLDER

Writes FOLDER/topics_train.docword.txt (5000 documents, a million tokens, 10,000 words, drawn from 100 topics) and the two halves of 500 more,
topics_observed.docword.txt and topics_scored.docword.txt, as UCI's docword. Then it times, on one thread and with symmetric priors that stay
fixed,

- collapsed Gibbs sampling (alpha = 10 / K, eta = 0.01) of tomotopy and of pyrmallet (RustMallet) at K = 20, 100 (200 sweeps) and 1000 (60);
- variational Bayes at K = 50 (alpha = 0.2, eta = 0.01): scikit-learn's batches (20 passes) and online, gensim online (batches of 256, decay 0.7,
  offset 10; 6 passes).

One line a measurement: K, peer, what, CPU seconds (or a value), with tabs between. Topics are left in FOLDER/phi_PEER_K[_PASS].f64, K x V, row by
row, in this machine's numbers, for one evaluator to score them all."""
import resource
import sys
from pathlib import Path

import numpy as np
from scipy.sparse import csr_matrix
from scipy.special import gammaln

folder = Path(sys.argv[1])
ETA = 0.01
QUICK = "--quick" in sys.argv
V, TRAIN, FRESH = (10000, 300, 50) if QUICK else (10000, 5000, 500)


def cpu():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def say(size, peer, what, value):
    print(size, peer, what, f"{value:.10g}", sep="\t", flush=True)


def corpus():
    """Documents and words of all tokens, the training documents first, and whether a token of the others is observed."""
    r = np.random.default_rng(20260101)
    base = 1.0 / (np.arange(V) + 2.7)
    base /= base.sum()
    names = r.permutation(V)
    phi = np.empty((100, V))
    for row in phi:
        g = r.standard_gamma(100.0 * base)
        row[names] = g / g.sum()
    cumulated = np.cumsum(phi, 1)
    documents = TRAIN + FRESH
    lengths = np.maximum(20, np.round(np.exp(r.normal(np.log(170), 0.55, documents)))).astype(int)
    theta = r.dirichlet(np.full(100, 0.1), documents)
    doc = np.repeat(np.arange(documents), lengths)
    z = np.concatenate([r.choice(100, n, p=p) for n, p in zip(lengths, theta)])
    u = r.random(len(doc))
    word = np.empty(len(doc), int)
    for k in range(100):
        own = z == k
        word[own] = np.minimum(np.searchsorted(cumulated[k], u[own] * cumulated[k, -1], side="right"), V - 1)
    observed = np.zeros(len(doc), bool)
    for d in range(TRAIN, documents):
        own = np.flatnonzero(doc == d)
        observed[r.permutation(own)[: len(own) // 2]] = True
    return doc, word, observed


def write(name, documents, doc, word):
    pairs, counts = np.unique(doc.astype(np.int64) * V + word, return_counts=True)
    with open(folder / f"topics_{name}.docword.txt", "w") as out:
        out.write(f"{documents}\n{V}\n{len(pairs)}\n")
        np.savetxt(out, np.column_stack([pairs // V + 1, pairs % V + 1, counts]), fmt="%d")


def ln_joint(document_topic, topic_word, alpha):
    """ln p(words, topics) a token."""

    def part(n, a):
        used = n[n > 0]
        whole = gammaln(a * n.shape[1]) - gammaln(a * n.shape[1] + n.sum(1))
        return (gammaln(used + a) - gammaln(a)).sum() + whole.sum()

    return (part(topic_word, ETA) + part(document_topic, alpha)) / topic_word.sum()


def leave(name, phi):
    np.ascontiguousarray(phi / phi.sum(1, keepdims=True)).astype(np.float64).tofile(folder / f"phi_{name}.f64")


def finish(topics, peer, seconds, sweeps, tokens_a_second, document_topic, topic_word):
    say(topics, peer, "seconds", seconds)
    say(topics, peer, "sweeps", sweeps)
    say(topics, peer, "tokens a second", tokens_a_second)
    say(topics, peer, "ln p", ln_joint(document_topic, topic_word, 10.0 / topics))
    leave(f"{peer}_{topics}", topic_word + ETA)


def tomotopy(topics, sweeps, doc, word):
    import tomotopy

    model = tomotopy.LDAModel(tw=tomotopy.TermWeight.ONE, k=topics, alpha=10.0 / topics, eta=ETA, seed=42)
    for own in np.split(word, np.searchsorted(doc, np.arange(1, TRAIN))):
        model.add_doc([str(w) for w in own])
    model.optim_interval = 0
    model.train(0, workers=1)
    ids = np.array([int(w) for w in model.used_vocabs])
    early, began = min(20, sweeps // 2), cpu()
    model.train(early, workers=1)
    middle = cpu()
    model.train(sweeps - early, workers=1)
    ended = cpu()
    document_topic, topic_word = np.zeros((TRAIN, topics), np.int64), np.zeros((topics, V), np.int64)
    for d, document in enumerate(model.docs):
        z = np.asarray(document.topics, np.int64)
        np.add.at(document_topic[d], z, 1)
        np.add.at(topic_word, (z, ids[np.asarray(document.words)]), 1)
    speed = len(word) * (sweeps - early) / (ended - middle)
    finish(topics, "tomotopy", ended - began, sweeps, speed, document_topic, topic_word)


def pyrmallet(topics, sweeps, doc, word):
    from pyrmallet import _rust_mallet

    texts = [" ".join(f"w{w}" for w in own) for own in np.split(word, np.searchsorted(doc, np.arange(1, TRAIN)))]
    texts = _rust_mallet.Corpus.from_strings(texts, token_regex=r"\S+")
    ids = np.array([int(w[1:]) for w in texts.vocabulary])

    def train(iterations):
        began = cpu()
        model = _rust_mallet.train(
            texts, num_topics=topics, iterations=iterations, burn_in=10**9, optimize_interval=0, num_samples=1,
            sample_interval=1, alpha_sum=10.0, beta=ETA, seed=42)
        return model, cpu() - began

    # It does one sweep more than it is asked for.
    early = min(20, sweeps // 2)
    _, first = train(early - 1)
    model, seconds = train(sweeps - 1)
    # Its matrices are smoothed and normalised; that is undone exactly.
    smooth = np.array(model.topic_word_matrix())
    topic_word = np.zeros((topics, V), np.int64)
    for k in range(topics):
        topic_word[k, ids] = np.rint(smooth[k] * (ETA / smooth[k].min()) - ETA)
    lengths = np.bincount(doc, minlength=TRAIN)[:, None]
    shares = np.array(model.doc_topic_matrix())
    document_topic = np.rint(shares * (lengths + 10.0) - 10.0 / topics).astype(np.int64)
    speed = len(word) * (sweeps - early) / (seconds - first)
    finish(topics, "pyrmallet", seconds, sweeps, speed, document_topic, topic_word)


def passes_of(peer, passes, timed):
    """Prints the seconds up to the end of each pass, and leaves its topics."""
    total = 0.0
    for n, (seconds, phi) in enumerate(timed, 1):
        total += seconds
        if n in (1, 2, 3, 6, 10, passes):
            say(50, peer, f"pass {n}", total)
            leave(f"{peer}_50_{n}", phi)


def scikit_learn(mode, passes, counts):
    from sklearn.decomposition import LatentDirichletAllocation

    class Listening(LatentDirichletAllocation):
        def _em_step(self, X, **settings):
            began = cpu()
            super()._em_step(X, **settings)
            steps.append((cpu() - began, X.shape[0], self.components_.copy()))

    steps = []
    Listening(
        50, doc_topic_prior=0.2, topic_word_prior=ETA, learning_method=mode, learning_decay=0.7, learning_offset=10.0,
        batch_size=256, max_iter=passes, evaluate_every=-1, n_jobs=1, random_state=42).fit(counts)
    timed, seconds, seen = [], 0.0, 0
    for took, documents, components in steps:
        seconds, seen = seconds + took, seen + documents
        if seen % TRAIN == 0:
            timed.append((seconds, components))
            seconds = 0.0
    passes_of(f"scikit-learn {mode}", passes, timed)


def gensim(passes, counts):
    from gensim.models import LdaModel

    texts = [list(zip(counts[d].indices.tolist(), counts[d].data.tolist())) for d in range(TRAIN)]
    model = LdaModel(
        id2word={i: str(i) for i in range(V)}, num_topics=50, alpha=[0.2] * 50, eta=ETA, decay=0.7, offset=10.0,
        chunksize=256, passes=1, iterations=50, gamma_threshold=1e-3, eval_every=None, random_state=42,
        dtype=np.float64, update_every=1)

    def once():
        began = cpu()
        model.update(texts)
        return cpu() - began, np.maximum(model.get_topics(), 1e-300)

    passes_of("gensim", passes, [once() for _ in range(passes)])


def main():
    doc, word, observed = corpus()
    training = doc < TRAIN
    write("train", TRAIN, doc[training], word[training])
    write("observed", FRESH, doc[observed] - TRAIN, word[observed])
    write("scored", FRESH, doc[~training & ~observed] - TRAIN, word[~training & ~observed])
    # By word within a document, as the file has them.
    order = np.lexsort((word[training], doc[training]))
    doc, word = doc[training][order], word[training][order]
    for topics, sweeps in ((20, 40),) if QUICK else ((20, 200), (100, 200), (1000, 60)):
        tomotopy(topics, sweeps, doc, word)
        pyrmallet(topics, sweeps, doc, word)
    counts = csr_matrix((np.ones(len(doc)), (doc, word)), shape=(TRAIN, V))
    counts.sum_duplicates()
    scikit_learn("batch", 20, counts)
    scikit_learn("online", 6, counts)
    gensim(6, counts)


main()
