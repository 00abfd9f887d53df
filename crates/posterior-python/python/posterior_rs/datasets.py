"""Small data sets that come with the package.

=============  ====================================================================================
``series``     ``"nile"``, ``"co2"``, ``"air-passengers"``: values by years and months
``table``      ``"old-faithful"``, ``"galaxies"``, ``"sleep-study"``, ``"iris"``: frames
``addresses``  words of the State of the Union addresses, 1790-2022
``source``     where a set is from, and under which terms
=============  ====================================================================================

Examples
--------
>>> from posterior_rs import datasets
>>> datasets.series("nile").loc["1898":"1900"].tolist()
[1100.0, 774.0, 840.0]
>>> datasets.table("old-faithful").shape
(272, 2)
>>> datasets.addresses().counts.shape
(241, 10000)
"""

from importlib import import_module
from typing import Any, NamedTuple

from posterior_rs import _core

__all__ = ["Addresses", "addresses", "series", "source", "table"]


def source(name: str) -> str:
    """What a data set is, where it is from and under which terms.

    Raises
    ------
    ValueError
        A name that is none.
    """
    title, provenance = _core.dataset_source(name)
    return f"{title}. {provenance}"


def series(name: str) -> Any:
    """A series by its name: ``"nile"``, ``"co2"`` or ``"air-passengers"``.

    Returns
    -------
    pandas.Series
        By years or months, as periods.

    Raises
    ------
    ValueError
        A name that is none.
    """
    title, start, per_year, values = _core.dataset_series(name)
    pandas = import_module("pandas")
    frequency = {1.0: "Y", 12.0: "M"}[per_year]
    index = pandas.period_range(str(int(start)), periods=len(values), freq=frequency)
    return pandas.Series(values, index=index, name=title)


def table(name: str) -> Any:
    """A table by its name: ``"old-faithful"``, ``"galaxies"``, ``"sleep-study"`` or ``"iris"``.

    Returns
    -------
    pandas.DataFrame

    Raises
    ------
    ValueError
        A name that is none.
    """
    columns, values, labels = _core.dataset_table(name)
    frame = import_module("pandas").DataFrame(values, columns=list(columns))
    if labels is not None:
        frame[labels[0]] = labels[1]
    return frame


class Addresses(NamedTuple):
    """Addresses of presidents to Congress.

    Attributes
    ----------
    counts : scipy.sparse.csr_array, shape (241, 10000)
        How often each address has each word.
    vocabulary : list of str
        The words.
    about : pandas.DataFrame
        Of each address: year, president, party, and whether it was spoken or written.
    """

    counts: Any
    vocabulary: list[str]
    about: Any


def addresses() -> Addresses:
    """The words of the State of the Union addresses from 1790 to 2022, without those of grammar.

    Returns
    -------
    Addresses
    """
    found = _core.dataset_addresses()
    shape = (len(found["years"]), len(found["vocabulary"]))
    counts = import_module("scipy.sparse").csr_array(
        (found["numbers"], found["words"], found["ends"]), shape=shape
    )
    columns = {"year": "years", "president": "presidents", "party": "parties", "form": "forms"}
    about = import_module("pandas").DataFrame({name: found[key] for name, key in columns.items()})
    return Addresses(counts, found["vocabulary"], about)
