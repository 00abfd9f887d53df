"""The notebooks of docs/python run from top to bottom: `python tests/test_notebooks.py [NAME ...]` writes what they show."""

import ast
import base64
import contextlib
import io
import json
import sys
from pathlib import Path

import matplotlib
import matplotlib.pyplot as plt
import pytest

matplotlib.use("agg")

NOTEBOOKS = sorted((Path(__file__).parents[3] / "docs" / "python").glob("*.ipynb"))


def shown(value):
    """What a notebook shows of the last expression of a cell."""
    data = {"text/plain": repr(value).splitlines(keepends=True)}
    page = getattr(value, "_repr_html_", None)
    if page and page():
        data["text/html"] = page().splitlines(keepends=True)
    return data


def pictures():
    """The figures that a cell left open, as Jupyter shows them."""
    for number in plt.get_fignums():
        file = io.BytesIO()
        plt.figure(number).savefig(file, format="png", dpi=72, bbox_inches="tight", metadata={"Software": None})
        data = {"image/png": base64.b64encode(file.getvalue()).decode()}
        yield {"data": data, "metadata": {}, "output_type": "display_data"}
    plt.close("all")


def run(notebook):
    """Runs all cells in one namespace, and gives each what it shows."""
    names = {"__name__": "__main__"}
    for number, cell in enumerate((own for own in notebook["cells"] if own["cell_type"] == "code"), 1):
        source = "".join(cell["source"])
        tree, printed, outputs = ast.parse(source), io.StringIO(), []
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        with contextlib.redirect_stdout(printed):
            exec(compile(tree, f"cell {number}", "exec"), names)
            value = None if last is None else eval(compile(ast.Expression(last.value), f"cell {number}", "eval"), names)
        if printed.getvalue():
            lines = printed.getvalue().splitlines(keepends=True)
            outputs.append({"name": "stdout", "output_type": "stream", "text": lines})
        # As in Jupyter, nothing is shown of a value before a semicolon.
        if value is not None and not source.rstrip().endswith(";"):
            own = {"data": shown(value), "execution_count": number, "metadata": {}, "output_type": "execute_result"}
            outputs.append(own)
        outputs.extend(pictures())
        cell["outputs"], cell["execution_count"] = outputs, number


def test_there_is_a_notebook_for_each_area():
    assert len(NOTEBOOKS) == 10


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_from_top_to_bottom(path):
    notebook = json.loads(path.read_text(encoding="utf-8"))
    assert notebook["nbformat"] == 4 and notebook["cells"][0]["cell_type"] == "markdown"
    run(notebook)
    kinds = [[own["output_type"] for own in cell.get("outputs", [])] for cell in notebook["cells"]]
    written = json.loads(path.read_text(encoding="utf-8"))["cells"]
    assert kinds == [[own["output_type"] for own in cell.get("outputs", [])] for cell in written]


if __name__ == "__main__":
    for path in NOTEBOOKS:
        if sys.argv[1:] and path.stem not in sys.argv[1:]:
            continue
        notebook = json.loads(path.read_text(encoding="utf-8"))
        run(notebook)
        path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
