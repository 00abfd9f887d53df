//! Generalised linear models: another program's figures, closed forms, and what is refused.

mod data;
mod draws;
mod edges;
mod far_out;
mod figures;
mod many_rows;
mod negative_binomial;
mod ordinal;
mod penalized;
mod posterior;
mod properties;
mod reference;
mod row_space;
mod separation;
mod softmax;
mod softmax_draws;
