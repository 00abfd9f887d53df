//! What comes next, punctuation or something else.
