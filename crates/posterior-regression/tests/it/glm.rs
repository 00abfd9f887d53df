//! Generalised linear models: another program's figures, closed forms, and what is refused.

mod data;
mod edges;
mod figures;
mod laws;
mod posterior;
mod reference;
mod separation;
mod softmax;
