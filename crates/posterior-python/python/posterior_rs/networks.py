"""Bayesian networks and Markov random fields: files, queries, learning, draws, separation.

Examples
--------
>>> from posterior_rs.networks import Network
>>> wet = Network(
...     {"rain": ["no", "yes"], "grass": ["dry", "wet"]},
...     {"rain": ([], [0.8, 0.2]), "grass": (["rain"], [[0.9, 0.1], [0.05, 0.95]])},
... )
>>> {state: round(p, 4) for state, p in wet.query("rain", {"grass": "wet"})["rain"].items()}
{'no': 0.2963, 'yes': 0.7037}
"""

from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from os import PathLike
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posterior_rs import _core
from posterior_rs._arguments import seed, whole

__all__ = ["Network", "read"]

Array = NDArray[np.float64]
Findings = Mapping[str, str | Mapping[str, float]]


class _Seen(NamedTuple):
    """What was seen, as the compiled part takes it."""

    states: list[tuple[str, str]]
    likelihoods: list[tuple[str, list[float]]]


def read(path: str | PathLike[str]) -> "Network":
    """The model of a file: BIF, XMLBIF, Hugin's net or UAI, which its content tells apart.

    Raises
    ------
    FileNotFoundError
        No file of this name.
    ValueError
        Another format, with line and column.
    """
    return Network._of(_core.GraphicalNetwork.read(Path(path).read_bytes()))


class Network:
    """A discrete model on a graph: a Bayesian network, or of a file a Markov random field.

    Parameters
    ----------
    states : dict of str to sequence of str
        The states of each variable.
    tables : dict of str to (parents, probabilities)
        Of each variable the names of its parents, and p(variable | parents), shape (states of each parent ...,
        states of the variable).

    Attributes
    ----------
    states : dict of str to tuple of str
    arrows : list of (str, str)
        From parents to children; none of a field.
    warnings : list of str
        Rows of a file that did not sum to one, and were divided by their sums.

    Raises
    ------
    ValueError
        Rows that do not sum to one, cycles, names that are unknown or twice there.

    References
    ----------
    J. Pearl, Probabilistic Reasoning in Intelligent Systems, 1988; D. Koller and N. Friedman, Probabilistic
    Graphical Models, 2009.
    """

    _own: Any

    def __init__(
        self,
        states: Mapping[str, Sequence[str]],
        tables: Mapping[str, tuple[Sequence[str], ArrayLike]],
    ) -> None:
        named = [(str(name), [str(state) for state in own]) for name, own in states.items()]
        counts = {name: len(own) for name, own in named}
        parts = []
        for name, _ in named:
            if name not in tables:
                raise ValueError(f"tables: {name} has none")
            parents, probabilities = tables[name]
            scope = [*parents, name]
            values = np.asarray(probabilities, dtype=np.float64)
            expected = tuple(counts.get(one, -1) for one in scope)
            if -1 in expected:
                raise ValueError(f"tables: {scope[expected.index(-1)]} is no variable")
            if values.shape != expected:
                raise ValueError(f"tables: {name}: expected the shape {expected}, found {values.shape}")
            parts.append((scope, values.ravel().tolist()))
        self._own = _core.GraphicalNetwork(named, parts, True)

    @classmethod
    def _of(cls, own: Any) -> "Network":
        network = cls.__new__(cls)
        network._own = own
        return network

    @classmethod
    def learn(
        cls,
        frame: Any,
        arrows: Iterable[tuple[str, str]],
        *,
        states: Mapping[str, Sequence[str]] | None = None,
        prior: float = 1.0,
        n_init: int = 1,
        random_state: Any = None,
    ) -> "Network":
        """A network with these arrows, and the tables that a frame says.

        Parameters
        ----------
        frame : pandas.DataFrame, polars.DataFrame or dict
            A column for each variable, of labels; None and NaN are missing.
        arrows : iterable of (str, str)
            From parents to children: a list, or a graph of networkx.
        states : dict of str to sequence of str, optional
            The states of variables that have others than the frame shows, and of hidden ones without a column.
        prior, n_init, random_state
            As those of `fit`.
        """
        columns = {str(name): _labels(frame[name]) for name in _names(frame)}
        own = {name: sorted({label for label in labels if label is not None}) for name, labels in columns.items()}
        own.update({name: [str(state) for state in given] for name, given in (states or {}).items()})
        parents: dict[str, list[str]] = {name: [] for name in own}
        for parent, child in getattr(arrows, "edges", arrows):
            for name in (parent, child):
                if name not in own:
                    raise ValueError(f"arrows: {name} is no column, and has no states")
            parents[child].append(parent)
        tables = {}
        for name, above in parents.items():
            shape = [len(own[one]) for one in (*above, name)]
            if 0 in shape:
                raise ValueError(f"{name}: no state was seen")
            tables[name] = (above, np.full(shape, 1 / shape[-1]))
        return cls(own, tables).fit(frame, prior=prior, n_init=n_init, random_state=random_state)

    def fit(
        self, frame: Any, *, prior: float = 1.0, n_init: int = 1, random_state: Any = None
    ) -> "Network":
        """The same network with the tables that a frame says.

        Parameters
        ----------
        frame : pandas.DataFrame, polars.DataFrame or dict
            Labels by variable; None and NaN are missing, and so is a variable without a column.
        prior : float, default=1.0
            What is added to each count: tables are posterior means; with 0 proportions.
        n_init : int, default=1
            Where values are missing the tables are the most probable ones by expectation maximisation, from
            those of this network and so many random ones less one.
        random_state : int, Generator, RandomState, optional
            None is 0: a fit repeats.

        Returns
        -------
        Network
            Its ``trace`` has ln p of the records, after each step where there are steps.
        """
        columns = {str(name): _labels(frame[name]) for name in _names(frame)}
        rows = max((len(own) for own in columns.values()), default=0)
        codes = np.full((rows, len(self.states)), -1)
        for at, (name, states) in enumerate(self.states.items()):
            code = {state: place for place, state in enumerate(states)}
            for row, label in enumerate(columns.get(name, [])):
                if label is not None and label not in code:
                    expected = ", ".join(states)
                    raise ValueError(f"column {name}: expected one of {expected}, found {label!r} in row {row}")
                codes[row, at] = -1 if label is None else code[label]
        return self.learned(codes, prior=float(prior), n_init=whole("n_init", n_init, 1), seed=seed(random_state))

    def learned(
        self, codes: NDArray[np.int64], *, prior: float = 1.0, n_init: int = 1, seed: int = 0
    ) -> "Network":
        """As `fit`, from the numbers of states from 0 on, -1 where missing, shape (records, variables)."""
        own, trace = self._own.learn(codes.tolist(), prior, n_init, seed)
        network = Network._of(own)
        network.trace = trace
        return network

    def given_records(self, target: str, codes: NDArray[np.int64]) -> Array:
        """The probability of each state of a variable given the others of each record, shape (records, states).

        Records are numbers of states from 0 on, -1 where missing, shape (records, variables); that of the target
        is left aside.
        """
        found: Array = self._own.classify(target, codes.tolist())
        return found

    #: ln p of the records that it was learned from, after each step where there are steps.
    trace: list[float] = []

    @property
    def states(self) -> dict[str, tuple[str, ...]]:
        """The states of each variable."""
        return {name: tuple(states) for name, states in self._own.named}

    @property
    def arrows(self) -> list[tuple[str, str]]:
        """From parents to children; none of a Markov random field."""
        return list(self._own.arrows)

    @property
    def warnings(self) -> list[str]:
        """Rows of a file that did not sum to one."""
        return list(self._own.warnings)

    def parents(self, name: str) -> list[str]:
        """The parents of a variable, in the order of the axes of its table."""
        return self._scope(name)[:-1]

    def children(self, name: str) -> list[str]:
        """The variables that have this one as a parent."""
        self._known(name)
        return [child for parent, child in self.arrows if parent == name]

    def markov_blanket(self, name: str) -> list[str]:
        """Parents, children and their other parents: given these, nothing else matters to a variable."""
        return list(self._own.markov_blanket(name))

    def table(self, name: str) -> Array:
        """p(variable | parents), shape (states of each parent ..., states of the variable)."""
        scope = self._scope(name)
        values = next(values for names, values in self._own.tables if names == scope)
        return np.asarray(values).reshape([len(self.states[one]) for one in scope])

    def query(
        self,
        targets: str | Sequence[str] | None = None,
        evidence: Findings | None = None,
        *,
        engine: Literal["auto", "jt", "ve", "bp", "mean-field"] = "auto",
    ) -> dict[str, dict[str, float]]:
        """The probability of each state of the targets, given what was seen.

        Parameters
        ----------
        targets : str or sequence of str, optional
            All variables if not given.
        evidence : dict, optional
            The state of a variable, or the likelihood of each of its states by name.
        engine : str, default="auto"
            Exactly where that is possible: by a junction tree (``"jt"``) or variable elimination (``"ve"``);
            ``"bp"`` and ``"mean-field"`` approximate.

        Raises
        ------
        ValueError
            Unknown names; evidence that is impossible; a model too large for the engine.
        """
        names = [targets] if isinstance(targets, str) else None if targets is None else list(targets)
        found, _, _ = self._own.query(names, self._seen(evidence), engine)
        states = self.states
        return {name: dict(zip(states[name], p.tolist())) for name, p in found}

    def log_evidence(self, evidence: Findings) -> float:
        """ln p of what was seen; of a Markov random field ln of its sum."""
        first = next(iter(self.states))
        return float(self._own.query([first], self._seen(evidence), "jt")[1])

    def joint(self, targets: Sequence[str], evidence: Findings | None = None) -> Array:
        """Joint probabilities of the states of the targets, an axis for each in their order."""
        probabilities: Array = self._own.joint(list(targets), self._seen(evidence))
        return probabilities

    def most_probable(
        self, evidence: Findings | None = None, *, of: Sequence[str] | None = None
    ) -> tuple[dict[str, str], float]:
        """The most probable states of all variables together, or of some with the others summed over.

        Returns
        -------
        states : dict of str to str
        log_prob : float
            ln p of these states and what was seen.
        """
        found, ln_p = self._own.most_probable(None if of is None else list(of), self._seen(evidence))
        return dict(found), float(ln_p)

    def d_separated(
        self, x: str | Sequence[str], y: str | Sequence[str], given: str | Sequence[str] = ()
    ) -> bool:
        """Whether the arrows alone say that x and y are independent given some."""
        return self.active_path(x, y, given) is None

    def active_path(
        self, x: str | Sequence[str], y: str | Sequence[str], given: str | Sequence[str] = ()
    ) -> str | None:
        """A path along which x and y depend on each other given some; None where they are separated."""
        names = [[own] if isinstance(own, str) else list(own) for own in (x, y, given)]
        path: str | None = self._own.active_path(*names)
        return path

    def sample(self, n: int = 1, *, random_state: Any = None) -> Any:
        """Draw records: a frame of pandas with a column for each variable.

        ``random_state`` is an integer or a generator; None is 0, and the draws are those of the command line.
        """
        codes = self._own.sample(whole("n", n), seed(random_state))
        pandas = import_module("pandas")
        columns = {
            name: np.asarray(states, dtype=object)[codes[:, at]]
            for at, (name, states) in enumerate(self.states.items())
        }
        return pandas.DataFrame(columns)

    def write(self, path: str | PathLike[str], format: str | None = None) -> None:
        """Write a file: BIF, XMLBIF or UAI, by its ending or as ``format`` says."""
        kinds = {".bif": "bif", ".xml": "xmlbif", ".xmlbif": "xmlbif", ".uai": "uai"}
        kind = format or kinds.get(Path(path).suffix.lower())
        if kind is None:
            raise ValueError(f"{path}: expected the ending .bif, .xmlbif or .uai, or a format")
        Path(path).write_text(self._own.written(kind), encoding="utf-8")

    def to_networkx(self) -> Any:
        """The arrows as a directed graph of networkx, which this needs."""
        graph = import_module("networkx").DiGraph()
        graph.add_nodes_from(self.states)
        graph.add_edges_from(self.arrows)
        return graph

    def _known(self, name: str) -> None:
        if name not in self.states:
            raise ValueError(f"{name!r} is no variable: {', '.join(self.states)}")

    def _scope(self, name: str) -> list[str]:
        self._known(name)
        if not self._own.is_directed:
            raise ValueError("expected a Bayesian network: this field has no arrows")
        scopes = [names for names, _ in self._own.tables]
        return list(scopes[list(self.states).index(name)])

    def _seen(self, evidence: Findings | None) -> _Seen:
        seen = _Seen([], [])
        for name, finding in (evidence or {}).items():
            if isinstance(finding, Mapping):
                self._known(name)
                states = self.states[name]
                others = set(finding) - set(states)
                if others:
                    raise ValueError(f"evidence: {name}: {min(others)!r} is none of {', '.join(states)}")
                seen.likelihoods.append((name, [float(finding.get(state, 0.0)) for state in states]))
            else:
                seen.states.append((name, str(finding)))
        return seen

    def __repr__(self) -> str:
        kind = "Network" if self._own.is_directed else "Markov random field"
        return f"<{kind} of {len(self.states)} variables and {len(self._own.tables)} tables>"


def _names(frame: Any) -> list[Any]:
    if not hasattr(frame, "columns") and not isinstance(frame, Mapping):
        kind = type(frame).__name__
        raise TypeError(f"frame: expected a frame of pandas or polars, or a dictionary, found {kind}")
    return list(frame if isinstance(frame, Mapping) else frame.columns)


def _labels(values: Any) -> list[str | None]:
    """Labels as texts; what is missing is None."""
    items = values.to_list() if hasattr(values, "to_list") else np.asarray(values, dtype=object).tolist()
    # Missing values of pandas are none equal to themselves, or not comparable.
    return [None if own is None or own != own or repr(own) == "<NA>" else str(own) for own in items]
