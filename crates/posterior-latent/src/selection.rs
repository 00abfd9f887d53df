//! How many components: BIC, ICL, held-out data.
