//! Logistic regression by the variational bound of Jaakkola and Jordan.
