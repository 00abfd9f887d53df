//! Several outputs against one output over stacked inputs.
