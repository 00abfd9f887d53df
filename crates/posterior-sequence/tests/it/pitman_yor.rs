//! Tests of `pitman_yor`.
