//! `posterior pca`: the few numbers behind many.

pub(crate) mod fit;
mod method;
mod report;
pub(crate) mod transform;
