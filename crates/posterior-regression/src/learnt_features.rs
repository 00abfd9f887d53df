//! Features whose parameters are learnt.
