//! Truth tables: what a linear function, a joint table and naive Bayes can say.
