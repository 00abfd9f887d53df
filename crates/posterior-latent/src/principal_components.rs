//! Principal components: by singular values, probabilistic, Bayesian, factor analysis.
