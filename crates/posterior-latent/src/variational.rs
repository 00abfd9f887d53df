//! Mixtures by variational Bayes, finite and with sticks of a Dirichlet or Pitman-Yor process.
