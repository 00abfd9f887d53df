"""What is shown and kept of long computations: bars, and checkpoints in files."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

Show = Callable[[int, float], None]


class Listener(NamedTuple):
    """Functions that a computation calls, and a state that it goes on from."""

    progress: Show | None = None
    checkpoint: Callable[[bytes], None] | None = None
    resume: bytes | None = None


@contextmanager
def bar(progress: bool, total: int | None, unit: str) -> Iterator[Show | None]:
    """A bar in a terminal or a notebook: a function of the steps that are done and of what climbs.

    Raises
    ------
    ImportError
        A bar is asked for, and tqdm is not installed.
    """
    if not progress:
        yield None
        return
    try:
        from tqdm.auto import tqdm
    except ImportError:
        raise ImportError("progress=True shows a bar of tqdm: pip install tqdm") from None
    with tqdm(total=total, unit=unit) as shown:

        def show(done: int, value: float) -> None:
            if value == value:
                shown.set_postfix_str(f"{value:.6g}", refresh=False)
            shown.update(done - shown.n)

        yield show


@contextmanager
def listening(
    progress: bool,
    total: int | None,
    unit: str,
    checkpoint: str | os.PathLike[str] | None = None,
    resume: str | os.PathLike[str] | None = None,
) -> Iterator[Listener]:
    """A bar, and the files of checkpoints.

    Raises
    ------
    FileNotFoundError
        No file to go on from; no folder for that of the checkpoint.
    """
    state = None if resume is None else Path(resume).read_bytes()
    keep = None if checkpoint is None else _kept(Path(checkpoint))
    with bar(progress, total, unit) as show:
        yield Listener(show, keep, state)


def _kept(path: Path) -> Callable[[bytes], None]:
    if not path.absolute().parent.is_dir():
        raise FileNotFoundError(f"checkpoint: there is no folder {path.absolute().parent}")

    def keep(state: bytes) -> None:
        # The old file or the new one, never half of one.
        part = path.with_name(path.name + ".part")
        part.write_bytes(state)
        part.replace(path)

    return keep
