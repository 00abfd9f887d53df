//! Variational Bayes for hidden Markov models.
