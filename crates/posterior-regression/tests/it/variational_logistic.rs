//! What is promised of variational logistic.
