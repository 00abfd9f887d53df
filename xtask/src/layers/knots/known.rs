//! Knots that are there. The list only shrinks: a knot that is mended leaves it, and no other joins.

/// Package, path of the parent (empty for the root of the crate), and the members in the order of their
/// names.
pub(super) type Known = (&'static str, &'static str, &'static str);

/// The list.
pub(super) const KNOTS: &[Known] = &[
    ("posterior-cli", "", "failure interrupt"),
    ("posterior-cli", "bandit", "advise advise_report"),
    ("posterior-cli", "bandit", "simulate simulate_report"),
    ("posterior-cli", "classify", "answer artefacts report text"),
    ("posterior-cli", "cluster", "fit gaussian k_means sampled"),
    ("posterior-cli", "crf", "artefacts fit report text"),
    ("posterior-cli", "net", "artefacts learn map"),
    ("posterior-cli", "net", "finding_input network_input"),
    ("posterior-cli", "pca", "artefacts fit report"),
    ("posterior-cli", "regress", "classes fit generalized linear network"),
    ("posterior-cli", "sequence", "cipher cipher_report"),
    ("posterior-cli", "sequence", "punctuation punctuation_report"),
    ("posterior-dist", "gaussian", "bayes distribution information linear moment"),
    ("posterior-math", "autodiff", "elementary real"),
    ("posterior-math", "special", "gamma stirling"),
    ("posterior-sequence", "", "emission hmm"),
    ("posterior-sequence", "baum_welch", "expect long"),
    ("posterior-sequence", "chain", "lanes vectors"),
    ("posterior-sequence", "crf", "builder vocabulary"),
    ("posterior-stories", "two_classes", "compare network"),
    ("posterior-testkit", "edges", "subjects vectors"),
    ("posterior-topics", "lda", "collapsed_variational variational"),
];
