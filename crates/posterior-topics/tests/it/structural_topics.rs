//! The structural topic model: parameters that documents were drawn with come back, intervals hold them as
//! often as they say, and what is known of a document helps to predict it.

mod coverage;
mod fitting;
mod misuse;
mod simulated;
