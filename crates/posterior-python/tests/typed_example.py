"""A program as a user types it: `mypy --strict` accepts it."""

import numpy as np

from posterior_rs import Model, datasets, dist, regress, sampling, topics
from posterior_rs.bandits import Bandit
from posterior_rs.estimators import NMF, BayesianLinearRegression, GaussianMixture
from posterior_rs.networks import Network
from posterior_rs.optimize import Integer, Optimizer
from posterior_rs.sequences import CRF, GaussianHMM
from posterior_rs.series import StructuralModel

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
parts = NMF(2).fit(np.array([[1, 2], [3, 4]])).components_.sum()
states = GaussianHMM(2, "tied").fit(rows).predict(rows)
labels: list[list[str]] = CRF(c2=0.1).fit([[{"word": "a"}]], [["x"]]).predict([[{"word": "a"}]])
chains = sampling.sample(lambda x: (-0.5 * float(x @ x), -x), dim=2, draws=10, warm_up=10)
loo: sampling.LeaveOneOut = sampling.psis_loo(chains.values)
posterior_of_x = Model("parameters { real x; } model { x ~ normal(0, 1); }").condition()
slope = posterior_of_x.gradient([0.5]).sum()
wet = Network({"rain": ["no", "yes"]}, {"rain": ([], [0.8, 0.2])})
rain: float = wet.query("rain")["rain"]["yes"]
level = StructuralModel("local-level", fixed={"noise.variance": 1.0})
point = Optimizer({"n": Integer(1, 5)}, goal="maximize").ask()
addresses = datasets.addresses()
found: topics.TopicModel = topics.lda(addresses.counts, 2, vocabulary=addresses.vocabulary, max_iter=1, progress=True)
labels_of_topics: list[list[str]] = found.words(3, by="frex")
perplexity: float = found.held_out(addresses.counts, method="chib").perplexity
corpus = topics.Corpus(["war and peace", "the war"], min_df=1, max_df=1.0)
shown: dict[str, int] = corpus[0]
train: topics.Corpus = corpus[:1]
topics_of_labels: list[str] | None = topics.labelled(corpus, [["war"], ["peace"]], max_iter=1).labels
bandit = Bandit(["a", "b"], policy="ucb1")
print(parts, states, labels, loo.elpd, slope, rain, level, point, bandit.choose())
print(shown, train.vocabulary, topics_of_labels)
print(labels_of_topics, perplexity, found.map().points.sum())
print(density, densities.sum(), posterior, draws, covariance, mixed.mean(), len(names))
