//! Tests of `baum_welch`.
