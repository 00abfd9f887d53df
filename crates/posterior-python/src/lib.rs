//! The compiled part of the Python package `posterior_rs`: what its modules in `python/posterior_rs` call.
//!
//! | module | holds |
//! |---|---|
//! | `arrays` | numbers and arrays of NumPy, in and out |
//! | `arguments` | what Python passes as parameters and data, in the grammar of distributions |
//! | `catalogue` | the distributions that there are, and what some of them have besides |
//! | `distribution`, `univariate`, `multivariate` | the classes |
//! | `random_state` | seeds |
//! | `counts` | counts of words by documents, as SciPy has them, or a corpus |
//! | `corpora` | corpora of texts and of counts, from memory and from files |
//! | `datasets` | the data sets that the library holds |
//! | `watched` | work without the lock of the interpreter, that Ctrl-C stops |
//! | `regression` | regressions by formulas |
//! | `estimators` | fits and predictions of models, arrays in and arrays out |
//! | `sampling` | draws of functions, and diagnostics of draws |
//! | `program` | programs in Stan's language |
//! | `sequences` | hidden Markov models and conditional random fields |
//! | `topics` | topic models, and what is asked of them |
//! | `networks` | discrete models on graphs |
//! | `series` | structural time series |
//! | `decisions` | Bayesian optimisation and bandits |

mod arguments;
mod arrays;
mod catalogue;
mod corpora;
mod counts;
mod datasets;
mod decisions;
mod distribution;
mod estimators;
mod multivariate;
mod networks;
mod program;
mod random_state;
mod regression;
mod sampling;
mod sequences;
mod series;
mod topics;
mod univariate;
mod watched;

use pyo3::pymodule;

/// The compiled part of `posterior_rs`.
#[pymodule]
mod _core {
    #[pymodule_export]
    use crate::arrays::load_arrays;
    #[pymodule_export]
    use crate::catalogue::catalogue;
    #[pymodule_export]
    use crate::corpora::{DocumentCorpus, read_corpus, read_texts, read_words};
    #[pymodule_export]
    use crate::datasets::{dataset_addresses, dataset_series, dataset_source, dataset_table};
    #[pymodule_export]
    use crate::decisions::{BanditAgent, TrialOptimizer, bandit_simulate};
    #[pymodule_export]
    use crate::distribution::{Distribution, distribution, read};
    #[pymodule_export]
    use crate::estimators::{
        GaussianProcessClasses, GaussianProcessFit, class_probabilities, class_probabilities_of_draws,
        count_fit, count_means, count_sample, evidence_fit, factor_analysis, factor_densities, factor_means,
        factorization_fit, factorization_project, k_means_assign, k_means_distances, k_means_fit, lda_fit,
        lda_proportions, mixture_densities, mixture_fit, naive_bayes_fit, naive_bayes_joint,
        principal_components, relevance_fit, softmax_fit, softmax_sample, variational_mixture_fit,
    };
    #[pymodule_export]
    use crate::multivariate::Multivariate;
    #[pymodule_export]
    use crate::networks::GraphicalNetwork;
    #[pymodule_export]
    use crate::program::{ProgramPosterior, program_data};
    #[pymodule_export]
    use crate::regression::{formula_inputs, regression_fit};
    #[pymodule_export]
    use crate::sampling::{diagnose, draws_arviz, draws_summary, leave_one_out, sample_function};
    #[pymodule_export]
    use crate::sequences::{RandomField, hmm_decode, hmm_fit, hmm_posteriors, hmm_score, hmm_simulate};
    #[pymodule_export]
    use crate::series::{series_components, series_fit, series_forecast};
    #[pymodule_export]
    use crate::topics::{
        TopicFit, apply_features, bigram_fit, document_mixture_fit, dynamic_fit, hdp_fit, kernel_curves,
        kernel_fit, label_proportions, labelled_fit, learn_features, pitman_yor_fit, plsa_fit,
        predict_response, structural_fit, supervised_fit, topic_constants, topic_labels, topic_parameters,
        topic_regression_fit, unigram_fit, words_after,
    };
    #[pymodule_export]
    use crate::univariate::Univariate;
}
