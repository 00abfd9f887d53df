"""The checks of scikit-learn that an estimator cannot pass."""

_COUNTS = "the check's data are fractions, and counts are whole numbers: others are refused, and not rounded"

_OF_COUNTS = [
    "check_dict_unchanged",
    "check_dont_overwrite_parameters",
    "check_dtype_object",
    "check_estimator_sparse_array",
    "check_estimator_sparse_matrix",
    "check_estimator_sparse_tag",
    "check_estimators_dtypes",
    "check_estimators_fit_returns_self",
    "check_estimators_nan_inf",
    "check_estimators_overwrite_params",
    "check_estimators_pickle",
    "check_f_contiguous_array_estimator",
    "check_fit2d_1feature",
    "check_fit2d_predict1d",
    "check_fit_check_is_fitted",
    "check_fit_idempotent",
    "check_fit_score_takes_y",
    "check_methods_sample_order_invariance",
    "check_methods_subset_invariance",
    "check_n_features_in",
    "check_n_features_in_after_fitting",
    "check_pipeline_consistency",
    "check_positive_only_tag_during_fit",
    "check_readonly_memmap_input",
]

#: By estimator, the names of checks of ``sklearn.utils.estimator_checks`` and why they fail.
EXPECTED_FAILURES: dict[str, dict[str, str]] = {
    "LatentDirichletAllocation": dict.fromkeys(
        [
            *_OF_COUNTS,
            "check_fit2d_1sample",
            "check_transformer_data_not_an_array",
            "check_transformer_general",
            "check_transformer_n_iter",
            "check_transformer_preserve_dtypes",
        ],
        _COUNTS,
    ),
    "NMF": dict.fromkeys(
        [
            *_OF_COUNTS,
            "check_fit2d_1sample",
            "check_transformer_data_not_an_array",
            "check_transformer_general",
            "check_transformer_n_iter",
            "check_transformer_preserve_dtypes",
        ],
        _COUNTS,
    ),
    "NaiveBayes": dict.fromkeys(
        [
            *_OF_COUNTS,
            "check_classifiers_classes",
            "check_classifiers_train",
            "check_supervised_y_2d",
        ],
        _COUNTS,
    ),
    "PoissonRegression": dict.fromkeys(
        [
            "check_fit_check_is_fitted",
            "check_fit_idempotent",
            "check_n_features_in",
            "check_n_features_in_after_fitting",
            "check_regressor_data_not_an_array",
            "check_regressors_no_decision_function",
            "check_regressors_train",
        ],
        _COUNTS,
    ),
}
