//! Which option is for what: the table itself, which checks, help and tests share.

use Term::{Fact, Given, Is, IsNot, Without};

/// Options of a verb that are of use in some of its runs only.
#[derive(Debug)]
pub(crate) struct Rule {
    /// By their long names.
    pub(crate) options: &'static [&'static str],
    /// They are of use where all terms of one of these hold; never where there are none.
    pub(crate) when: &'static [&'static [Term]],
}

/// What a run must be like.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Term {
    /// The option, or the argument, has one of these values. One that was not given and has no default is not
    /// known yet, and holds.
    Is(&'static str, &'static [&'static str]),
    /// The option, or the argument, has none of these values.
    IsNot(&'static str, &'static [&'static str]),
    /// The option, or the argument, is on the command line.
    Given(&'static str),
    /// It is not.
    Without(&'static str),
    /// What the data say: a name, the value that is wanted, and how it is called. Holds until it is known.
    Fact(&'static str, &'static str, &'static str),
}

const fn rule(options: &'static [&'static str], when: &'static [&'static [Term]]) -> Rule {
    Rule { options, when }
}

/// The embedded table needs none of these.
const OF_A_TABLE: Rule = rule(&["delimiter", "missing", "memory"], &[&[Given("data")]]);
const BAYES: &[&str] = &["naive-bayes", "bernoulli-nb", "polya-nb", "complement-nb", "gaussian-nb"];
const ON_TEXTS: &[&str] = &["naive-bayes", "bernoulli-nb", "polya-nb", "complement-nb", "logistic"];
/// Complements of classes are weighed without how frequent a class is.
const WITH_PRIOR: &[&[Term]] =
    &[&[Is("method", &["naive-bayes", "bernoulli-nb", "polya-nb", "gaussian-nb"])]];
const A_TEXT: Term = Fact("content", "texts", "a column of texts");
const TEXTS: &[&[Term]] = &[&[Is("method", ON_TEXTS), A_TEXT]];
const TEXT_MODEL: &[&[Term]] = &[&[Fact("content", "texts", "a model of texts")]];
const ROWS: &[&[Term]] =
    &[&[Is("method", &["gaussian-nb", "logistic"]), Fact("content", "rows", "columns of numbers")]];
/// What says how a text is read.
const READING: &[&str] = &["words", "ngrams", "characters", "min-letters", "min-df"];
/// What holds coefficients back.
const LOGISTIC: &[&[Term]] = &[&[Is("method", &["logistic"])]];
const SAMPLED_TOPICS: &[&[Term]] = &[
    &[Is("model", &["lda"]), Is("engine", &["gibbs"])],
    &[Is("model", &["hdp"]), Is("engine", SAMPLED_HDP)],
];
const SAMPLED_HDP: &[&str] = &["direct", "franchise"];
/// Models with a Dirichlet prior of the proportions whose concentration can be stated.
const WITH_ALPHA: &[&[Term]] =
    &[&[Is("model", &["lda", "hdp", "dmr", "dynamic", "labelled", "supervised", "pitman-yor", "bigram"])]];
/// Components of latent semantic analysis are no topics.
const WITH_TOPICS: &[&[Term]] = &[&[IsNot("model", &["lsa"]), IN_MEMORY]];
const TEXT_FORMATS: &[&str] = &["folder", "csv", "jsonl", "mallet"];
/// What needs more than a block of documents at a time.
const IN_MEMORY: Term = Fact("reading", "whole", "the whole corpus in memory");
const COLLAPSED: &[&[Term]] = &[&[Is("model", &["lda"]), Is("engine", &["gibbs"])]];
const LINES: &[&[Term]] = &[&[Is("input", &["columns", "tabs"])]];
const CONLLU: Rule = rule(&["columns"], &[&[Is("input", &["conllu"])]]);
/// Engines that count the memory of their tables.
const COUNTING: &[&str] = &["auto", "jt", "ve", "join-graph", "lw", "gibbs", "rejection"];

/// Data of a program may be a table, or JSON.
const OF_TABLE_DATA: &[Rule] =
    &[rule(&["delimiter", "missing"], &[&[Fact("data-as", "table", "data in a table (.csv, .tsv)")]])];

/// Families with one linear predictor, and priors whose posterior is known.
const ONE_PREDICTOR: &[&str] = &["gaussian", "bernoulli", "poisson", "negative-binomial", "gamma"];

/// Families whose rows may have weights.
const WEIGHTED: &[&str] =
    &["gaussian", "bernoulli", "poisson", "negative-binomial", "gamma", "softmax", "ordinal"];
const WITH_POSTERIOR: &[&str] = &["normal", "ard", "horseshoe"];

/// What a corpus is stored from.
const STORED: &[Rule] = &[
    rule(&["text", "name"], &[&[Is("input", &["csv", "jsonl"])]]),
    rule(&["vocab"], &[&[Is("input", &["uci", "lda-c", "mtx"])]]),
    rule(
        &["stop-words", "min-letters", "min-df", "max-df", "max-vocabulary"],
        &[&[Is("input", TEXT_FORMATS)]],
    ),
];

/// Every verb with such options. An option that no rule names is of use in every run.
pub(crate) const TABLE: &[(&str, &[Rule])] = &[
    (
        "topics fit",
        &[
            rule(&["engine"], &[&[Is("model", &["lda", "plsa", "mixture", "hdp"])]]),
            rule(&["sampler", "groups"], COLLAPSED),
            rule(&["parts"], &[&[Is("model", &["lda"]), Is("engine", &["gibbs"]), Given("corpus")]]),
            rule(&["seeds", "seed-weight"], &[&[Is("model", &["lda"]), IN_MEMORY]]),
            rule(&["topics"], &[&[IsNot("model", &["unigram", "labelled"])]]),
            rule(&["choose"], &[&[IsNot("model", &["hdp", "lsa", "unigram", "labelled"]), IN_MEMORY]]),
            // Structural topics have no random numbers.
            rule(&["runs"], &[&[IsNot("model", &["hdp", "lsa", "unigram", "labelled", "stm"]), IN_MEMORY]]),
            rule(&["iterations"], &[&[IsNot("model", &["lsa", "unigram"])]]),
            rule(&["alpha"], WITH_ALPHA),
            rule(
                &["optimize-hyper"],
                &[
                    &[Is("model", &["lda", "pitman-yor", "bigram"])],
                    &[Is("model", &["hdp"]), Is("engine", SAMPLED_HDP)],
                ],
            ),
            rule(&["sample-hyper"], COLLAPSED),
            rule(
                &["beta"],
                &[&[Is(
                    "model",
                    &[
                        "lda",
                        "mixture",
                        "hdp",
                        "kernel-lda",
                        "dmr",
                        "stm",
                        "labelled",
                        "supervised",
                        "bigram",
                        "unigram",
                    ],
                )]],
            ),
            rule(&["divergence"], &[&[Is("model", &["nmf"])]]),
            rule(&["weighting"], &[&[Is("model", &["nmf", "lsa"])]]),
            rule(&["features"], &[&[Is("model", &["dmr"])]]),
            rule(&["prevalence", "content", "replicates"], &[&[Is("model", &["stm"])]]),
            rule(&["labels", "background"], &[&[Is("model", &["labelled"])]]),
            rule(&["response", "family"], &[&[Is("model", &["supervised"])]]),
            rule(
                &["held-out", "estimator", "coherence", "coherence-words", "meta", "time", "band", "nearest"],
                WITH_TOPICS,
            ),
            rule(&["checkpoint", "checkpoint-every", "resume"], SAMPLED_TOPICS),
            rule(&["text", "name"], &[&[Is("input", &["csv", "jsonl"])]]),
            rule(&["vocab"], &[&[Is("input", &["uci", "lda-c", "mtx"])]]),
            rule(
                &["stop-words", "min-letters", "min-df", "max-df", "max-vocabulary"],
                &[&[Is("input", TEXT_FORMATS)]],
            ),
            rule(
                &[
                    "input",
                    "text",
                    "name",
                    "vocab",
                    "stop-words",
                    "min-letters",
                    "min-df",
                    "max-df",
                    "max-vocabulary",
                ],
                &[&[Given("corpus")]],
            ),
        ],
    ),
    (
        "topics infer",
        &[
            rule(&["text", "name"], &[&[Is("input", &["csv", "jsonl"])]]),
            rule(&["vocab"], &[&[Is("input", &["uci", "lda-c", "mtx"])]]),
        ],
    ),
    ("topics store", STORED),
    ("data pack", STORED),
    (
        "cluster fit",
        &[
            rule(&["k"], &[&[Is("method", &["kmeans", "gmm", "map-gmm", "vb-gmm", "gibbs-gmm"])]]),
            rule(&["covariance"], &[&[Is("method", &["gmm", "map-gmm"])]]),
            rule(&["restarts"], &[&[Is("method", &["kmeans", "gmm", "map-gmm", "vb-gmm"])]]),
            rule(&["alpha"], &[&[Is("method", &["vb-gmm", "gibbs-gmm", "dp"])]]),
            rule(&["x", "label"], &[&[Given("data")]]),
            OF_A_TABLE,
        ],
    ),
    (
        "regress fit",
        &[
            rule(&["hidden"], &[&[Is("family", &["mlp"])]]),
            rule(&["x", "y", "categorical", "formula"], &[&[Given("data")]]),
            rule(&["offset"], &[&[Given("data"), Is("family", ONE_PREDICTOR)]]),
            rule(&["weights"], &[&[Given("data"), Is("family", WEIGHTED)]]),
            rule(&["levels"], &[&[Is("family", &["ordinal"])]]),
            rule(&["link"], &[&[Is("family", &["bernoulli", "gamma", "ordinal"])]]),
            rule(&["prior"], &[&[Is("family", &["gaussian", "bernoulli", "poisson", "gamma"])]]),
            rule(&["prior-sd", "engine"], &[&[Is("prior", &["normal"])]]),
            rule(&["penalty"], &[&[Is("prior", &["lasso", "elastic-net"])]]),
            rule(&["mixing"], &[&[Is("prior", &["elastic-net"])]]),
            rule(&["effects", "checks"], &[&[Is("family", ONE_PREDICTOR), Is("prior", WITH_POSTERIOR)]]),
            rule(&["errors"], &[&[Is("family", ONE_PREDICTOR)]]),
            OF_A_TABLE,
        ],
    ),
    (
        "gp fit",
        &[
            rule(&["noise", "noise-column", "components"], &[&[Is("likelihood", &["gaussian"])]]),
            rule(
                &["mean"],
                &[&[Is(
                    "likelihood",
                    &[
                        "gaussian",
                        "bernoulli",
                        "probit",
                        "poisson",
                        "negative-binomial",
                        "gamma",
                        "student-t",
                        "log-gaussian",
                    ],
                )]],
            ),
            rule(
                &["likelihood-params"],
                &[&[Is("likelihood", &["negative-binomial", "gamma", "student-t", "log-gaussian"])]],
            ),
            rule(
                &["approximation"],
                &[&[Is("likelihood", &["bernoulli", "probit", "poisson", "negative-binomial", "gamma"])]],
            ),
            rule(
                &["restarts", "parameters"],
                &[&[Given("optimize")], &[Is("kernel", &["auto"])], &[Without("data")]],
            ),
            rule(&["kernel-depth"], &[&[Is("kernel", &["auto"])]]),
            rule(&["x", "time", "y", "noise-column"], &[&[Given("data")]]),
            OF_A_TABLE,
        ],
    ),
    ("pca fit", &[rule(&["x", "label"], &[&[Given("data")]]), OF_A_TABLE]),
    ("sequence score", &[rule(&["unit"], &[&[Fact("model-of", "arpa", "a model in the ARPA format")]])]),
    ("optimize tell", &[rule(&["y"], &[&[Given("data")]]), OF_A_TABLE]),
    (
        "hmm fit",
        &[
            rule(&["y", "sequence"], &[&[Given("data")]]),
            rule(&["labels"], &[&[Given("data"), Is("model", &["hmm"])]]),
            rule(&["topology"], &[&[Is("model", &["hmm"])]]),
            rule(
                &["pseudocount"],
                &[
                    &[Is("model", &["hmm"])],
                    &[Is("model", &["semi-markov"]), Is("emission", &["categorical"])],
                ],
            ),
            rule(&["duration", "longest"], &[&[Is("model", &["semi-markov"])]]),
            rule(&["min-count"], &[&[Is("emission", &["categorical"])]]),
            rule(
                &["covariance"],
                &[&[Is("emission", &["gaussian", "mixture"]), Is("model", &["hmm", "semi-markov"])]],
            ),
            rule(&["components"], &[&[Is("emission", &["mixture"])]]),
            rule(&["states"], &[&[Without("labels")]]),
            rule(&["restarts"], &[&[Without("labels"), Is("model", &["hmm", "semi-markov"])]]),
            rule(
                &["iterations"],
                &[
                    &[Without("labels")],
                    &[Is("emission", &["mixture"])],
                    &[Fact("rows-without-label", "some", "rows without a label")],
                ],
            ),
            OF_A_TABLE,
        ],
    ),
    ("hmm decode", &[rule(&["best"], &[&[Is("decode", &["viterbi"])]])]),
    (
        "crf fit",
        &[
            rule(&["l1"], &[&[Is("algorithm", &["owlqn"])]]),
            rule(&["l2"], &[&[Is("algorithm", &["lbfgs", "owlqn", "sgd"])]]),
            rule(&["templates"], &[&[Is("input", &["columns", "tabs", "conllu"])]]),
            rule(&["comments"], LINES),
            CONLLU,
        ],
    ),
    ("crf tag", &[rule(&["comments"], LINES), CONLLU]),
    ("crf eval", &[rule(&["comments"], LINES), CONLLU]),
    (
        "classify fit",
        &[
            rule(&["text"], TEXTS),
            rule(READING, TEXTS),
            rule(&["stop-words"], &[&[Is("method", ON_TEXTS), A_TEXT, Without("characters")]]),
            rule(&["x", "categorical"], ROWS),
            rule(&["pseudocount"], &[&[Is("method", BAYES)]]),
            rule(&["class-pseudocount"], WITH_PRIOR),
            rule(&["penalty", "mixing", "intervals"], LOGISTIC),
            rule(&["values"], &[&[Is("method", &["logistic"]), A_TEXT]]),
            rule(&["separator"], &[&[Given("labels")]]),
        ],
    ),
    (
        "classify eval",
        &[
            rule(
                &[
                    "method",
                    "pseudocount",
                    "class-pseudocount",
                    "penalty",
                    "mixing",
                    "intervals",
                    "class-weights",
                    "calibrate",
                    "words",
                    "ngrams",
                    "characters",
                    "values",
                    "min-letters",
                    "min-df",
                    "stop-words",
                    "folds",
                    "x",
                    "categorical",
                    "separator",
                ],
                &[&[Without("model")]],
            ),
            rule(&["text"], &[&[Given("model"), A_TEXT], &[Is("method", ON_TEXTS), A_TEXT]]),
            rule(READING, TEXTS),
            rule(&["stop-words"], &[&[Is("method", ON_TEXTS), A_TEXT, Without("characters")]]),
            rule(&["x", "categorical"], ROWS),
            rule(&["pseudocount"], &[&[Is("method", BAYES)]]),
            rule(&["class-pseudocount"], WITH_PRIOR),
            rule(&["penalty", "mixing", "intervals"], LOGISTIC),
            rule(&["values"], &[&[Is("method", &["logistic"]), A_TEXT]]),
            rule(&["label"], &[&[Fact("labels-of-a-row", "one", "one class a row")]]),
            rule(&["labels"], &[&[Fact("labels-of-a-row", "several", "several labels a row")]]),
            rule(&["separator"], &[&[Given("labels")]]),
        ],
    ),
    ("classify predict", &[rule(&["x", "categorical"], &[]), rule(&["text"], TEXT_MODEL)]),
    ("classify update", &[rule(&["x", "categorical"], &[]), rule(&["text"], TEXT_MODEL)]),
    (
        "net query",
        &[
            rule(&["draws"], &[&[Is("engine", &["lw", "gibbs", "rejection"])]]),
            rule(&["memory"], &[&[Is("engine", COUNTING)]]),
            rule(&["belief"], &[&[Is("engine", &["auto", "jt", "ve", "bp", "join-graph", "mean-field"])]]),
            rule(&["joint"], &[&[Is("engine", &["auto", "jt", "ve", "bp", "lw", "gibbs", "rejection"])]]),
        ],
    ),
    ("net map", &[rule(&["belief"], &[])]),
    (
        "net learn",
        &[rule(
            &["iterations", "restarts"],
            &[&[Fact("learning", "em", "data with missing values, or --hidden variables")]],
        )],
    ),
    (
        "net uai",
        &[
            rule(&["engine"], &[&[Is("task", &["PR", "MAR"])]]),
            rule(&["memory"], &[&[Is("task", &["MAP"])], &[Is("engine", COUNTING)]]),
        ],
    ),
    ("model explain", OF_TABLE_DATA),
    ("model sample", OF_TABLE_DATA),
    ("model optimize", OF_TABLE_DATA),
    ("model laplace", OF_TABLE_DATA),
    ("model pathfinder", OF_TABLE_DATA),
    ("model generate", OF_TABLE_DATA),
    ("model ladder", OF_TABLE_DATA),
    ("model calibrate", OF_TABLE_DATA),
    ("gallery", &[rule(&["out", "data", "threads", "quiet"], &[&[Without("list")]])]),
];
