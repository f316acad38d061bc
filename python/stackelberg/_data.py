"""Writes data in the formats that the program reads: arrays as .npy, sparse matrices as LIBSVM, tables with names as CSV."""

import errno
import numbers
import os
import sys
import warnings

import numpy as np

from ._errors import DataConversionWarning, DataError
from ._folders import IN_MEMORY, folder
from ._messages import non_finite

# Larger files are written to disk, as are files that would take more than this share of the free memory.
_LARGE_BYTES = 64 << 20
_SHARE_OF_FREE = 0.25

# Estimated bytes per value: a number and a comma in CSV; a number, its column and the separators in LIBSVM.
_CSV_BYTES = 20
_LIBSVM_BYTES = 25

_NAN = "Input {what} contains NaN.\nMaybe leave out these rows, of X too: only values of X can be filled in."

# Rows written at a time: a few MB of text.
_CHUNK = 10_000


class Wish:
    """Wishes: an array with one number per row, or an expression."""

    def __init__(self, rule=None, values=None):
        self.rule = rule
        self.values = values

    @staticmethod
    def of(given, rows):
        if given is None or isinstance(given, str):
            return Wish(rule=given)
        if np.asarray(given).ndim == 0:
            return Wish(rule=repr(float(given)))
        return Wish(values=_numbers(given, rows, "wish"))


class Rows:
    """The rows of X in one of three forms: an array, a sparse matrix, or named columns."""

    def __init__(self, array=None, sparse=None, columns=None, index=None):
        self.array = array
        self.sparse = sparse
        self.columns = columns
        self.index = index
        if columns is not None:
            self.names = list(columns)
            self.rows = len(next(iter(columns.values()))) if columns else 0
            self.width = len(self.names)
        else:
            self.names = None
            self.rows, self.width = (array if sparse is None else sparse).shape

    @staticmethod
    def of(x, names=None):
        """The rows of X.

        @param names: names for the columns if X has none; None to leave them without names
        """
        if is_sparse(x):
            people = Rows(sparse=_sparse(x))
        elif is_frame(x):
            called = frame_names(x)
            if called is None and all(_is_number(x.iloc[:, j]) for j in range(x.shape[1])):
                people = Rows(array=_array(x.to_numpy()))
            else:
                called = [str(c) for c in x.columns] if called is None else called
                twice = sorted({c for c in called if called.count(c) > 1})
                if twice:
                    raise ValueError(f"There are two columns named '{twice[0]}'.\nMaybe rename one.")
                people = Rows(columns={c: x.iloc[:, j] for j, c in enumerate(called)}, index=x.index)
        else:
            people = Rows(array=_array(x))
        people._require_some()
        if names is not None and people.names is None and people.width == len(names):
            dense = people.array if people.sparse is None else people.sparse.toarray()
            people = Rows(columns={c: dense[:, j] for j, c in enumerate(names)})
        return people

    def _require_some(self):
        shape = (self.rows, self.width)
        if self.rows == 0:
            raise ValueError(f"Found array with 0 sample(s) (shape={shape}) while a minimum of 1 is required.")
        if self.width == 0:
            raise ValueError(f"Found array with 0 feature(s) (shape={shape}) while a minimum of 1 is required.")

    def positional(self):
        """A copy without column names."""
        if self.names is None:
            return self
        return Rows(array=_array(np.column_stack([np.asarray(c) for c in self.columns.values()])))

    def take(self, kept):
        """The rows that a mask selects."""
        if self.columns is not None:
            at = np.flatnonzero(kept)
            # pandas' own selection keeps the type of a column (categories, dates), which an array would lose
            columns = {name: values.iloc[at] if hasattr(values, "iloc") else values[at] for name, values in self.columns.items()}
            index = self.index[kept] if self.index is not None else None
            return Rows(columns=columns, index=index)
        return Rows(sparse=self.sparse[np.flatnonzero(kept)]) if self.array is None else Rows(array=self.array[kept])

    def with_column(self, wanted, values):
        """A copy with one more column, and the name of that column."""
        if self.columns is not None:
            name = self.unused(wanted)
            return Rows(columns={**self.columns, name: values}, index=self.index), name
        if self.sparse is not None:
            from scipy import sparse

            column = sparse.csr_matrix(np.reshape(values, (-1, 1)))
            return Rows(sparse=sparse.hstack([self.sparse, column], format="csr")), str(self.width + 1)
        return Rows(array=np.column_stack([self.array, values])), str(self.width + 1)

    def unused(self, *wanted):
        return _unused(self.columns, *wanted)

    def bytes(self, y=None):
        """The estimated number of bytes that words() writes."""
        if self._as_csv(y):
            return _CSV_BYTES * self.rows * (self.width + 2)
        if self.sparse is not None:
            return _LIBSVM_BYTES * (self.sparse.nnz + self.rows)
        return self.array.nbytes if mapped_file(self.array) is None else 0

    def with_folder(self, work, y=None, cells=0):
        """Calls work with a temporary folder and returns its result. The folder is in memory if the files fit; if memory runs full, work is
        called again with a folder on disk.

        @param cells: how many values the program writes
        """
        if _fits_in_memory(self.bytes(y) + _CSV_BYTES * cells):
            try:
                with folder(IN_MEMORY) as made:
                    return work(made)
            except (OSError, DataError) as e:
                if not _is_full(e):
                    raise
        with folder() as made:
            return work(made)

    def _as_csv(self, y):
        return self.columns is not None or y is not None and y.dtype.kind not in "fiub"

    def words(self, folder, y=None, wish=None, target="y"):
        """Writes the data to files in a folder and returns the program's arguments for them.

        @param y: the target values, None if the command does not need them
        @param wish: a Wish; an expression is passed as --wish
        """
        values = None if wish is None else wish.values
        words = [] if wish is None or wish.rule is None else ["--wish=" + wish.rule]
        if self._as_csv(y):
            return self._csv(folder, y, values, target) + words
        if values is not None:
            words.append("--z=" + _save(folder, "z.npy", values))
        if self.sparse is not None:
            file = os.path.join(folder, "x.svm")
            _write_libsvm(file, self.sparse, np.zeros(self.rows) if y is None else y)
            return [file] + words
        words.append("--x=" + (mapped_file(self.array) or _save(folder, "x.npy", self.array)))
        if y is not None:
            words.append("--y=" + _save(folder, "y.npy", y))
        return words

    def _csv(self, folder, y, wish, target):
        columns = self.columns
        if columns is None:
            dense = self.array if self.sparse is None else self.sparse.toarray()
            columns = {str(j + 1): dense[:, j] for j in range(self.width)}
        words = ["--header"]
        all_columns = dict(columns)
        if y is not None:
            all_columns[target] = y
            words.append("--target=" + target)
        if wish is not None:
            name = _unused(all_columns, "wish")
            all_columns[name] = wish
            words.append("--wish=" + name)
        file = os.path.join(folder, "data.csv")
        _write_csv(file, all_columns)
        return [file] + words

    def texts(self):
        """The names of text columns whose texts look like numbers: the program would read them as numbers unless told otherwise."""
        if self.columns is None:
            return []
        return [name for name, values in self.columns.items() if _is_text_of_numbers(values)]


def _fits_in_memory(size):
    if size >= _LARGE_BYTES or not os.access(IN_MEMORY, os.W_OK):
        return False
    there = os.statvfs(IN_MEMORY)
    return size < _SHARE_OF_FREE * there.f_bavail * there.f_frsize


def _is_full(e):
    # NumPy's error has no errno, and Java's message gives the reason in the language of the system
    return "could not be written" in str(e) if isinstance(e, DataError) else e.errno in (None, errno.ENOSPC, errno.EDQUOT)


def _unused(names, *wanted):
    """The first of the wanted names that is not in use, with underscores appended if all are."""
    for name in wanted:
        if name not in names:
            return name
    return _unused(names, *(name + "_" for name in wanted))


def is_sparse(x):
    scipy = sys.modules.get("scipy.sparse")
    return scipy is not None and scipy.issparse(x)


def is_frame(x):
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(x, pandas.DataFrame)


def frame_names(x):
    """The column names of a DataFrame by scikit-learn's rules: None if no name is a text."""
    if not is_frame(x):
        return None
    texts = [isinstance(c, str) for c in x.columns]
    if any(texts) and not all(texts):
        raise TypeError(
            "Feature names are only supported if all input features have string names, but your input has "
            f"{sorted({type(c).__qualname__ for c in x.columns})} as feature name / column name types. "
            "Maybe convert them: X.columns = X.columns.astype(str)."
        )
    return [str(c) for c in x.columns] if texts and all(texts) else None


def _array(x):
    a = x if isinstance(x, np.memmap) else np.asarray(x)
    if a.dtype.kind == "c":
        raise ValueError(f"Complex data not supported\n{a}\n")
    if a.dtype.kind not in "fiub" or a.dtype.itemsize == 2 and a.dtype.kind == "f" or a.dtype.itemsize > 8:
        a = _floats(a)
    if a.ndim != 2:
        raise ValueError(
            f"Expected 2D array, got {'scalar' if a.ndim == 0 else f'{a.ndim}D'} array instead:\narray={a}.\n"
            "Reshape your data either using array.reshape(-1, 1) if your data has a single feature or "
            "array.reshape(1, -1) if it contains a single sample."
        )
    return a


def _floats(a):
    try:
        return a.astype(np.float64)
    except TypeError:
        # NumPy cannot convert pandas' NA; any other value that is not a number still raises an error
        return np.array([np.nan if _is_missing(v) else v for v in a.ravel().tolist()], dtype=np.float64).reshape(a.shape)


def _sparse(x):
    if x.dtype.kind == "c":
        raise ValueError(f"Complex data not supported\n{x}\n")
    csr = x.tocsr().astype(np.float64)
    if not csr.has_canonical_format:
        csr = csr.copy()
        csr.sum_duplicates()
    odd = np.flatnonzero(~np.isfinite(csr.data))
    if len(odd):
        row = int(np.searchsorted(csr.indptr, odd[0], side="right")) - 1
        raise DataError(non_finite(csr.data[odd[0]], row, csr.indices[odd[0]]))
    return csr


def targets(y, rows, answers=False):
    """The target values as an array with one value per row.

    @param answers: whether texts are allowed, as answers to a yes-or-no question
    """
    if y is None:
        raise ValueError(
            "This StackelbergRegressor requires y to be passed, but the target y is None.\nMaybe fit(X, y)."
        )
    if is_sparse(y):
        raise ValueError("y is a sparse matrix; it must be an array with one value for each person.\nMaybe y.toarray().ravel().")
    a = np.asarray(y)
    if a.ndim == 2 and a.shape[1] == 1:
        warnings.warn(
            "A column-vector y was passed when a 1d array was expected. Please change the shape of y to (n_samples, ),"
            " for example using ravel().",
            DataConversionWarning,
            stacklevel=4,
        )
        a = a.ravel()
    if answers and a.dtype.kind not in "fiub":
        values = a.ravel().tolist()
        if np.isnat(a).any() if a.dtype.kind in "mM" else any(map(_is_missing, values)):
            raise ValueError(_NAN.format(what="y"))
        # booleans and numbers in an object array are the same answers as in an array of their own type
        if a.dtype.kind != "O" or not all(isinstance(v, (numbers.Real, np.bool_)) for v in values):
            a = a.astype(str)
            _require_rows(a, rows, "y")
            return a
    return _numbers(a, rows, "y")


def _numbers(values, rows, what):
    a = np.asarray(values)
    if a.dtype.kind == "c":
        raise ValueError(f"Complex data not supported\n{a}\n")
    if a.dtype.kind != "f" or a.dtype.itemsize != 8:
        a = _floats(a)
    if a.ndim == 2 and 1 in a.shape:
        a = a.ravel()
    _require_rows(a, rows, what)
    if np.isnan(a).any():
        raise ValueError(_NAN.format(what=what))
    if np.isinf(a).any():
        raise ValueError(f"Input {what} contains infinity or a value too large for dtype('float64').")
    return a


def _require_rows(a, rows, what):
    if a.ndim != 1:
        raise ValueError(f"{what} should be a 1d array, got an array of shape {a.shape} instead.")
    if len(a) != rows:
        raise ValueError(
            f"Found input variables with inconsistent numbers of samples: {what} has {len(a)} values, but X has {rows} rows."
        )


def weights(given, rows):
    given = np.asarray(given)
    a = np.full(rows, float(given)) if given.ndim == 0 else _numbers(given, rows, "sample_weight")
    if (a < 0).any():
        raise ValueError(f"sample_weight has {a.min()}; no weight may be negative.")
    return a


def mapped_file(a):
    """The .npy file that a memory-mapped array covers completely, so that the program can map the same file; None if there is none."""
    if not isinstance(a, np.memmap) or a.filename is None or a.mode not in ("r", "r+", "w+"):
        return None
    if a.dtype != np.dtype("<f8") or a.ndim != 2 or not a.flags.c_contiguous or a.size == 0:
        return None
    file = str(a.filename)
    try:
        there = np.load(file, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError):
        return None
    # A slice of a mapped array keeps the file's name and offset, and the file may have been replaced since: shape and some rows are compared.
    whole = (
        isinstance(there, np.memmap)
        and there.shape == a.shape
        and there.dtype == a.dtype
        and there.flags.c_contiguous
        and all(np.array_equal(there[i], a[i], equal_nan=True) for i in {0, len(a) // 2, len(a) - 1})
    )
    # the program recognises formats by their suffix
    return os.path.abspath(file) if whole and file.endswith(".npy") else None


def _save(folder, name, values):
    file = os.path.join(folder, name)
    np.save(file, values, allow_pickle=False)
    return file


def _write_libsvm(file, csr, y):
    width = csr.shape[1]
    with open(file, "w", encoding="ascii") as out:
        for first in range(0, csr.shape[0], _CHUNK):
            last = min(first + _CHUNK, csr.shape[0])
            begin, end = csr.indptr[first], csr.indptr[last]
            pairs = [f"{j}:{v!r}" for j, v in zip((csr.indices[begin:end] + 1).tolist(), csr.data[begin:end].tolist())]
            cuts = (csr.indptr[first : last + 1] - begin).tolist()
            lines = []
            for i in range(last - first):
                row = pairs[cuts[i] : cuts[i + 1]]
                # an explicit zero in the last column, so that the program knows the number of columns
                if first + i == 0 and (not row or not row[-1].startswith(f"{width}:")):
                    row = row + [f"{width}:0"]
                lines.append(" ".join([repr(float(y[first + i])), *row]))
            out.write("\n".join(lines) + "\n")


def _write_csv(file, columns):
    with open(file, "w", encoding="utf-8", newline="") as out:
        out.write(",".join(_quoted(name) for name in columns) + "\n")
        rows = len(next(iter(columns.values())))
        readers = [_cells(values) for values in columns.values()]
        for first in range(0, rows, _CHUNK):
            cells = [read(first, min(first + _CHUNK, rows)) for read in readers]
            out.write("\n".join(map(",".join, zip(*cells))) + "\n")


def _quoted(text):
    return '"' + text.replace('"', '""') + '"'


def _cells(values):
    """A function that returns a range of a column as texts of CSV cells; a missing value is an empty cell."""
    if _is_number(values):
        a = np.asarray(values.to_numpy(dtype=np.float64, na_value=np.nan) if hasattr(values, "isna") else values)
        if a.dtype.kind in "iu":
            return lambda i, j: list(map(str, a[i:j].tolist()))
        a = a.astype(np.float64)
        return lambda i, j: [repr(v) if v - v == 0 else _unusual(v) for v in a[i:j].tolist()]
    a = np.asarray(values, dtype=object)
    return lambda i, j: ["" if _is_missing(v) else _quoted(str(v)) for v in a[i:j].tolist()]


def _unusual(v):
    return "" if v != v else "inf" if v > 0 else "-inf"


def _is_missing(v):
    # NaN and NaT differ from themselves; comparing pandas' NA gives NA, so its type is checked instead
    return v is None or not isinstance(v, str) and not bool(v == v) if type(v).__name__ != "NAType" else True


def _is_number(values):
    dtype = values.dtype
    kind = getattr(dtype, "kind", "O")
    if getattr(dtype, "name", "") == "category":
        return False
    return kind in "fiub"


def _is_text_of_numbers(values):
    if getattr(values.dtype, "name", "") == "category":
        return True
    if _is_number(values) or getattr(values.dtype, "kind", "O") in "mM":
        return False
    some = False
    for v in np.asarray(values, dtype=object).tolist():
        if _is_missing(v):
            continue
        try:
            float(v)
        except (TypeError, ValueError):
            return False
        some = isinstance(v, str) or some
    return some
