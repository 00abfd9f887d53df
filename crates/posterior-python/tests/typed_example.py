"""A program as a user types it: `mypy --strict` accepts it."""

import numpy as np

from posterior_rs import dist, regress
from posterior_rs.estimators import BayesianLinearRegression, GaussianMixture

prior = dist.beta(1, b=1)
density: float = prior.pdf(0.3)
densities = prior.pdf(np.linspace(0, 1, 5))
posterior: dist.Distribution = prior.posterior([1, 1, 0])
draws = dist.gamma(shape=2, rate=3).rvs(5, random_state=1)
place = dist.multivariate_normal([0, 1], [[2, 0.5], [0.5, 1]])
covariance = place.cov() @ np.ones(2)
mixed = dist.mixture([0.5, 0.5], [dist.normal(0, 1), dist.normal(3, 1)])
names: list[str] = [row.name for row in dist.families]
rows = np.column_stack([np.arange(6.0), np.ones(6)])
linear: BayesianLinearRegression = BayesianLinearRegression(prior="relevance").fit(rows, np.arange(6.0))
log_evidence: float = linear.log_evidence_
groups = GaussianMixture(2, covariance_type="diag").fit(rows)
probabilities = groups.predict_proba(rows).sum(axis=0)
fit = regress("y ~ x", {"x": [0.0, 1.0, 2.0], "y": [0.1, 0.9, 2.1]})
evidence: float = fit.log_evidence
print(log_evidence, probabilities, evidence)
print(density, densities.sum(), posterior, draws, covariance, mixed.mean(), len(names))
