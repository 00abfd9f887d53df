//! Logistic regression by Gibbs sampling with variables of Polya-Gamma laws.
