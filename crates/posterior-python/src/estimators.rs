//! Fits and predictions that the estimators in `python/posterior_rs/estimators` are made of: arrays in and
//! arrays out.

mod centres;
mod components;
mod factorization;
mod generalized;
mod linear;
mod mixtures;
mod naive_bayes;
mod process_classes;
mod processes;
mod topics;

pub(crate) use centres::{k_means_assign, k_means_distances, k_means_fit};
pub(crate) use components::{factor_analysis, factor_densities, factor_means, principal_components};
pub(crate) use factorization::{factorization_fit, factorization_project};
pub(crate) use generalized::{
    class_probabilities, class_probabilities_of_draws, count_fit, count_means, count_sample, softmax_fit,
    softmax_sample,
};
pub(crate) use linear::{evidence_fit, relevance_fit};
pub(crate) use mixtures::{mixture_densities, mixture_fit, variational_mixture_fit};
pub(crate) use naive_bayes::{naive_bayes_fit, naive_bayes_joint};
pub(crate) use process_classes::GaussianProcessClasses;
pub(crate) use processes::GaussianProcessFit;
pub(crate) use topics::{lda_fit, lda_proportions};
