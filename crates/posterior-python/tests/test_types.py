"""The types of the families are those of the catalogue: `python tests/test_types.py` writes them."""

from pathlib import Path

import posterior_rs
from posterior_rs import dist

HEAD = '''"""Distributions, with the method names of SciPy: written by `python tests/test_types.py`."""

from typing import NamedTuple

from posterior_rs._core import Distribution as Distribution
from posterior_rs._core import Multivariate as Multivariate
from posterior_rs._core import Parameter
from posterior_rs._core import Univariate as Univariate
from posterior_rs._core import distribution as distribution
from posterior_rs._core import read as read

class Family(NamedTuple):
    name: str
    parameters: tuple[str, ...]
    support: str
    kind: str

families: tuple[Family, ...]

'''


def expected():
    rows = []
    for row in dist.families:
        parameters = "".join(f"{name}: Parameter = ..., " for name in row.parameters)
        rows.append(f"def {row.name}({parameters}**named: Parameter) -> {row.kind}: ...\n")
    return HEAD + "".join(rows)


def test_the_types_of_families_are_those_of_the_catalogue():
    found = Path(posterior_rs.__file__).with_name("dist.pyi").read_text(encoding="utf-8")
    assert found == expected(), "run `python tests/test_types.py` beside the sources"


if __name__ == "__main__":
    package = Path(__file__).parents[1] / "python" / "posterior_rs"
    (package / "dist.pyi").write_text(expected(), encoding="utf-8")
