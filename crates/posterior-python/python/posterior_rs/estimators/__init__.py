"""Estimators with the contract of scikit-learn: pipelines, searches over grids, clones, names of features.

=================================  ===========================================================================
``BayesianLinearRegression``       weights with the prior and the noise of most evidence, or with relevance
                                   determination
``LogisticRegression``             two classes or more, Laplace's approximation averaged over in predictions
``PoissonRegression``              counts, likewise
``GaussianProcessRegressor``       functions, with kernels as they are written
``GaussianProcessClassifier``      classes, likewise
``GaussianMixture``                groups, by EM
``BayesianGaussianMixture``        groups, by variational Bayes: those that are not needed stay empty
``KMeans``                         nearest centres
``PCA``, ``FactorAnalysis``        few directions, without and with a noise of each column
``NaiveBayes``                     classes of counts, dense or sparse
``BayesianNetworkClassifier``      classes of labels and of numbers in intervals, with missing values
``LatentDirichletAllocation``      topics of counts, dense or sparse
``NMF``                            non-negative factors of counts, dense or sparse
=================================  ===========================================================================

``posterior_rs.estimators.EXPECTED_FAILURES`` says which checks of scikit-learn an estimator cannot pass, and
why.
"""

from posterior_rs.estimators._checks import EXPECTED_FAILURES
from posterior_rs.estimators._components import PCA, FactorAnalysis
from posterior_rs.estimators._factorization import NMF
from posterior_rs.estimators._generalized import LogisticRegression, PoissonRegression
from posterior_rs.estimators._groups import BayesianGaussianMixture, GaussianMixture, KMeans
from posterior_rs.estimators._linear import BayesianLinearRegression
from posterior_rs.estimators._naive_bayes import NaiveBayes
from posterior_rs.estimators._networks import BayesianNetworkClassifier
from posterior_rs.estimators._processes import GaussianProcessClassifier, GaussianProcessRegressor
from posterior_rs.estimators._topics import LatentDirichletAllocation

__all__ = [
    "EXPECTED_FAILURES",
    "BayesianGaussianMixture",
    "BayesianLinearRegression",
    "BayesianNetworkClassifier",
    "FactorAnalysis",
    "GaussianMixture",
    "GaussianProcessClassifier",
    "GaussianProcessRegressor",
    "KMeans",
    "LatentDirichletAllocation",
    "LogisticRegression",
    "NMF",
    "NaiveBayes",
    "PCA",
    "PoissonRegression",
]
