"""Classes of counts."""

from typing import Any, Literal, NamedTuple

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets

from posterior_rs import _core
from posterior_rs._counts import counts_of
from posterior_rs.estimators._input import Matrix, fitted_rows, new_rows


class _Settings(NamedTuple):
    """The attributes of the estimator as the compiled part takes them."""

    classes: int
    event_model: str
    smoothing: float
    fit_prior: bool


class NaiveBayes(ClassifierMixin, BaseEstimator):
    """Naive Bayes of counts of words.

    Parameters
    ----------
    event_model : {"multinomial", "bernoulli", "polya"}, default="multinomial"
        Tokens are drawn from the words of the class; coins say whether a word is there; or tokens with the
        probabilities of words integrated out, so that a word makes its next occurrence more probable.
    alpha : float, default=1.0
        What is added to each count.
    fit_prior : bool, default=True
        Whether classes are as probable as they are frequent, or all the same.

    Attributes
    ----------
    classes_ : ndarray, shape (n_classes,)
    class_log_prior_ : ndarray, shape (n_classes,)
    feature_log_prob_ : ndarray, shape (n_classes, n_features)

    Examples
    --------
    >>> from posterior_rs.estimators import NaiveBayes
    >>> model = NaiveBayes().fit([[3, 0, 1], [2, 1, 0], [0, 3, 1]], ["ham", "ham", "spam"])
    >>> model.predict([[1, 0, 0], [0, 2, 0]]).tolist()
    ['ham', 'spam']
    """

    def __init__(
        self,
        *,
        event_model: Literal["multinomial", "bernoulli", "polya"] = "multinomial",
        alpha: float = 1.0,
        fit_prior: bool = True,
    ) -> None:
        self.event_model = event_model
        self.alpha = alpha
        self.fit_prior = fit_prior

    def fit(self, X: Any, y: Any) -> "NaiveBayes":
        """Learn from counts X, dense or sparse, shape (n_samples, n_features), and classes y."""
        X, y = fitted_rows(self, X, y=y, accept_sparse="csr")
        check_classification_targets(y)
        self.classes_, labels = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError(f"y: expected at least two classes, found one class: {self.classes_[0]!r}")
        settings = _Settings(len(self.classes_), self.event_model, self.alpha, bool(self.fit_prior))
        found = _core.naive_bayes_fit(counts_of(X), labels, settings)
        self.class_log_prior_, self.feature_log_prob_ = found["ln_priors"], found["ln_parameters"]
        self._model = found["model"]
        return self

    def predict_joint_log_proba(self, X: Any) -> Matrix:
        """ln p(class, counts), but for what is the same for all classes; shape (n_samples, n_classes)."""
        X = new_rows(self, X, accept_sparse="csr")
        return _core.naive_bayes_joint(counts_of(X), self._model)

    def predict_proba(self, X: Any) -> Matrix:
        """The probability of each class, shape (n_samples, n_classes)."""
        joint = self.predict_joint_log_proba(X)
        probabilities: Matrix = np.exp(joint - joint.max(axis=1, keepdims=True))
        probabilities /= probabilities.sum(axis=1, keepdims=True)
        return probabilities

    def predict(self, X: Any) -> Any:
        """The class of most probability of each row."""
        best = self.predict_joint_log_proba(X).argmax(axis=1)
        return self.classes_[best]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        tags.input_tags.sparse = True
        return tags
