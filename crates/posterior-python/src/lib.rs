//! The compiled part of the Python package `posterior_rs`: what its modules in `python/posterior_rs` call.
//!
//! | module | holds |
//! |---|---|
//! | `arrays` | numbers and arrays of NumPy, in and out |
//! | `arguments` | what Python passes as parameters and data, in the grammar of distributions |
//! | `catalogue` | the distributions that there are, and what some of them have besides |
//! | `distribution`, `univariate`, `multivariate` | the classes |
//! | `random_state` | seeds |
//! | `watched` | fits without the lock of the interpreter, that Ctrl-C stops |
//! | `regression` | regressions by formulas |
//! | `estimators` | fits and predictions of models, arrays in and arrays out |

mod arguments;
mod arrays;
mod catalogue;
mod distribution;
mod estimators;
mod multivariate;
mod random_state;
mod regression;
mod univariate;
mod watched;

use pyo3::pymodule;

/// The compiled part of `posterior_rs`.
#[pymodule]
mod _core {
    #[pymodule_export]
    use crate::catalogue::catalogue;
    #[pymodule_export]
    use crate::distribution::{Distribution, distribution, read};
    #[pymodule_export]
    use crate::estimators::{
        GaussianProcessClasses, GaussianProcessFit, class_probabilities, count_fit, count_means,
        evidence_fit, factor_analysis, factor_densities, factor_means, k_means_assign, k_means_distances,
        k_means_fit, lda_fit, lda_proportions, mixture_densities, mixture_fit, naive_bayes_fit,
        naive_bayes_joint, principal_components, relevance_fit, softmax_fit, variational_mixture_fit,
    };
    #[pymodule_export]
    use crate::multivariate::Multivariate;
    #[pymodule_export]
    use crate::regression::{formula_inputs, regression_fit};
    #[pymodule_export]
    use crate::univariate::Univariate;
}
