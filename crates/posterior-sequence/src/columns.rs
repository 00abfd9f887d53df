//! Files of labelled sequences: columns as of CoNLL, lists of attributes as of CRFsuite.
