//! Features of tokens from templates.
