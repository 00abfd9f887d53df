"""Sequences with hidden states, and sequences with labels.

==================  =========================================================================================
``GaussianHMM``     hidden Markov models of vectors, with the names of hmmlearn
``CategoricalHMM``  hidden Markov models of symbols, likewise
``CRF``             linear-chain conditional random fields, with the names of sklearn-crfsuite
==================  =========================================================================================

They have the parameters of scikit-learn (``get_params``, ``set_params``, ``clone``, searches), which they need.
"""

from posterior_rs.sequences._hidden_markov import CategoricalHMM, GaussianHMM
from posterior_rs.sequences._random_field import CRF

__all__ = ["CRF", "CategoricalHMM", "GaussianHMM"]
