//! How far a mean can be from its expectation.
