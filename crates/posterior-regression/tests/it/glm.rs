//! Generalised linear models: another program's figures, closed forms, and what is refused.

mod data;
mod draws;
mod edges;
mod figures;
mod many_rows;
mod negative_binomial;
mod ordinal;
mod posterior;
mod properties;
mod reference;
mod row_space;
mod separation;
mod softmax;
mod softmax_draws;
