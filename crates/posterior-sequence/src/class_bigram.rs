//! Bigrams of classes of words, found by exchange.
