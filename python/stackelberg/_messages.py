"""Rewrites the program's messages for Python: options become parameters, and temporary files become the arguments that were written to them."""

import csv
import os
import re

from . import _settings

# Parameters of StackelbergRegressor that are options of the program: the settings of the game, and options of the solver.
OPTIONS = (*_settings.SETTINGS, "categorical", "paper", "se", "cutoff", "solver", "tolerance", "max_iterations", "seed", "threads")

# Options that take one list; other options are repeated for each value.
LISTS = (*_settings.LISTS, "categorical")

# Options whose values are column names.
COLUMNS = (*_settings.COLUMNS, "categorical")

# Options of fit that StackelbergRegressor takes in its parameter `options`.
_BY_OPTIONS = (*_settings.FILES, "rho", "plain", "eps", "trace", "decimal")

# The words that an option accepts as its value; a test compares them with the program's help. Any other word after an option belongs to the sentence.
WORDS = {
    **_settings.WORDS,
    "se": ("hc1", "hc0", "none"),
    "solver": ("auto", "krylov", "direct", "cd-admm", "admm", "ltrsr", "rtr-newton", "socp", "sdp"),
    "unknown": ("zero", "error"),
    "rho": ("adaptive",),
}

# Values that cannot be words of a sentence: a text in quotes, col=number, bootstrap:200, a number or a percentage, COL or FILE.csv.
_VALUE = re.compile(
    r"""(?P<quoted>"[^"]*"|'[^']*')"""
    r"""|(?P<column>[^\s=,"']+)=(?P<number>[-+]?[\d.]*\d(?:e[-+]?\d+)?)"""
    r"""|(?P<plain>[-+]?\d(?:[\w.%:,+-]*[\w%])?|[a-z]+:(?:[\w.,:+-]*\w))"""
    r"""|(?P<any>[A-Z]+(?:\.\.[A-Z]+|\.[a-z]+)?)(?![\w-])"""
)
_OPTION = re.compile(r"(?<![\w-])--([a-z][a-z-]*[a-z]|[xyz])(?![\w-])")

_FILES = (("x.npy", "X"), ("x.svm", "X"), ("data.csv", "X"), ("y.npy", "y"), ("z.npy", "wish"), ("model.json", "the model"))

# Advice about missing values that works for fit and for predict.
_NAMED_FRAME = "a pandas DataFrame whose columns have texts for names"
_MISSING = 'missing="drop" or missing="mean"'
_WHERE_MISSING = f"leave out the row, or fit {_NAMED_FRAME}, with {_MISSING}."


def non_finite(value, row, column):
    """The message about a value of X that is not a finite number, with advice; row and column count from 0."""
    text = f"Column {column + 1} of X, row {row + 1}: {'NaN' if value != value else value} is not a finite number.\n"
    return text + _about_non_finite(value != value)


def _about_non_finite(missing):
    return "Maybe it marks a missing value: " + _WHERE_MISSING if missing else "Maybe leave out the row, or put a number in its place."


def about_missing(text, words):
    """A message about missing values, reworded for Python: the program accepts them in tables only, and the policy is set in fit."""
    arrays = any(word.split("=")[0] == "--x" for word in words)
    text = text.replace("arrays and LIBSVM files", "arrays and sparse matrices")
    text = text.replace("or write the data as CSV.", f"or pass X as {_NAMED_FRAME}.")
    text = text.replace("Maybe it marks a missing value: leave out the row.", _about_non_finite("Infinity is" not in text))
    if words[0] not in ("predict", "respond", "evaluate"):
        return text
    return text.replace(
        "Maybe use --missing drop or --missing mean", "Maybe " + _WHERE_MISSING[:-1] if arrays else f"Maybe leave out the row, or fit with {_MISSING}"
    )


def in_python(text, folder=None, names=()):
    """A message of the program, reworded for Python.

    @param folder: the folder of the files that were written for the program; None if there is none
    @param names: the columns of X, whose names may be values of options
    """
    for file, name in _FILES if folder else ():
        text = text.replace(f"'{os.path.join(folder, file)}'", name).replace(os.path.join(folder, file), name)
    text = text.replace("--z Z.npy", "wish=...").replace("--y Y.npy", "y").replace("--x X.npy", "X")
    text = text.replace("the value is missing", "the value is missing (NaN)").replace("Infinity is not", "inf is not")
    # line numbers of a temporary file mean nothing to the user
    text = re.sub(r"(row \d+) \(line \d+\)", r"\1", text)
    parts = []
    end = 0
    for option in _OPTION.finditer(text):
        if option.start() < end:
            continue
        parts.append(text[end : option.start()])
        written, end = _parameter(option, text, names)
        parts.append(written)
    return "".join(parts) + text[end:]


def column_names(folder):
    """The columns of the table that was written for the program; empty if no table was written."""
    file = os.path.join(folder, "data.csv")
    if not os.path.exists(file):
        return ()
    with open(file, encoding="utf-8", newline="") as lines:
        return next(csv.reader(lines), ())


def _parameter(option, text, names):
    """An option and its value, written as a parameter, and the position in the text where they end."""
    name = {"x": "X", "y": "y", "z": "wish", "target": "y"}.get(option[1], option[1].replace("-", "_"))
    value, end = _value(name, text, option.end(), names)
    if value is None:
        return name, option.end()
    if name in _BY_OPTIONS:
        return f'options={{"{name}": {value}}}', end
    if name in OPTIONS or name in ("wish", "unknown"):
        return f"{name}={value}", end
    # an option of another command, which the user called by stackelberg.run
    return text[option.start() : end], end


def _value(name, text, at, names):
    """The value of an option, as Python writes it, and the position where it ends; None if the option has no value here."""
    if text[at : at + 1] not in (" ", "="):
        return None, at
    at += 1
    here = [w for w in WORDS.get(name, ()) if re.match(re.escape(w) + r"(?![\w-])", text[at:])]
    if here:
        return f'"{here[0]}"', at + len(here[0])
    if name in COLUMNS:
        column = _column(text[at:], names)
        if column is not None:
            return (f"[{_quoted(column[0])}]" if name in LISTS else _quoted(column[0])), at + column[1]
    found = _VALUE.match(text, at)
    if not found:
        return None, at
    if found["any"]:
        return "...", found.end()
    if found["column"]:
        return f"{{{_quoted(found['column'])}: {found['number']}}}", found.end()
    value = found["plain"] if found["quoted"] is None else found["quoted"][1:-1]
    if name in LISTS:
        return "[" + ", ".join(_quoted(part) for part in value.split(",")) + "]", found.end()
    number = found["plain"] is not None and re.fullmatch(r"[-+]?\d+(\.\d+)?(e[-+]?\d+)?", value)
    return value if number else _quoted(value), found.end()


def _column(text, names):
    """The longest column name that the text begins with, quoted as for a shell, and its length there."""
    best = None
    for name in names:
        for written in (f'"{name}"', name):
            if re.match(re.escape(written) + r"(?![\w=-])", text) and (best is None or len(written) > best[1]):
                best = (name, len(written))
    return best


def _quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
