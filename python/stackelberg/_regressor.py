"""StackelbergRegressor: the program's `fit`, `predict`, `respond` and others behind scikit-learn's conventions."""

import csv
import json
import os
import re
import warnings
from dataclasses import dataclass
from html import escape

import numpy as np

from ._data import Rows, Wish, frame_names, is_frame, targets, weights
from ._errors import NotCertifiedWarning, NotFittedError, ProgramError, StackelbergWarning, UsageError
from ._folders import folder
from ._messages import COLUMNS, LISTS, OPTIONS, about_missing, column_names, in_python
from ._program import checked, show

try:
    from sklearn.base import BaseEstimator, RegressorMixin

    _BASES = (RegressorMixin, BaseEstimator)
except ImportError:
    from ._base import Parameters

    _BASES = (Parameters,)

_WISH = "max(today,quantile(today,0.75))"
_GAMMA = "30%"

# Options that this class sets itself, so that `options` may not contain them.
_OWN = ("x", "y", "z", "target", "wish", "o", "json", "q", "quiet", "report", "help", "version", "gammas", "header", "no_header")


@dataclass
class Response:
    """The responses of people to a rule. All arrays have one entry per row of X; unknown values are NaN.

    `moves` has the change of every column of X, 0 for immutable ones; if the rule knows columns by name, it is a DataFrame of the columns that
    can be changed. `document` is the program's summary.
    """

    prediction: np.ndarray
    wish: np.ndarray
    after: np.ndarray
    cost: np.ndarray
    moves: object
    document: dict


@dataclass
class Path:
    """The rules of many gammas: `coef` has one row per gamma, `document` is the program's JSON."""

    gamma: np.ndarray
    coef: np.ndarray
    intercept: np.ndarray
    pull_through: np.ndarray
    certified: np.ndarray
    gap_bound: np.ndarray
    terms: list
    document: dict


class StackelbergRegressor(*_BASES):
    """The linear rule that is best, or balanced, once people have changed their features to get the score they want, with a proof.

    Parameters are the options of `stackelberg fit`, with underscores; None means the program's default. Parameters for
    columns take a list of names, or of positions 1, 2, 3, ... if X has no names; `cost` and `effect` take a dict, `limit`
    a text or a list of texts, `today` a file, "cross-fitted" or a dict of coefficients. `options` takes any other option of `fit`.

    wish : the score that people want, an expression in today, y and columns, or a number; fit also takes an array
    gamma : how hard it is to move: "30%" (the share of the gap that people close under today's rule), a number, or a range "10%..50%"
    unknown : "zero" treats a category that did not occur in fit like the base category; by default it is refused
    details : whether `result_` holds everything of `fit --json`, including what happens if the assumptions are wrong

    Fitted: `coef_`, `intercept_`, `pull_through_`, `certified_`, `gap_bound_`, `gamma_`, `terms_` and `coefficients_` (by name),
    `n_features_in_`, `feature_names_in_`, `warnings_`, `result_` (the JSON document of `summary`, or of `fit`) and `model_` (the model file's text).
    """

    def __init__(
        self,
        wish=_WISH,
        gamma=_GAMMA,
        *,
        hedge=None,
        ridge=None,
        loss="squared",
        yes=None,
        wish_units=None,
        cutoff=None,
        wish_noise=None,
        regret=False,
        row_gamma=None,
        truthful_share=None,
        immutable=None,
        cost=None,
        cost_units=None,
        effect=None,
        limit=None,
        one_sided=None,
        today=None,
        intercept=None,
        scale=None,
        paper=False,
        features=None,
        ignore=None,
        categorical=None,
        group=None,
        weight=None,
        id=None,
        missing=None,
        unknown=None,
        se=None,
        solver=None,
        tolerance=None,
        max_iterations=None,
        seed=None,
        threads=None,
        options=None,
        details=False,
        verbose=False,
    ):
        self.wish = wish
        self.gamma = gamma
        self.hedge = hedge
        self.ridge = ridge
        self.loss = loss
        self.yes = yes
        self.wish_units = wish_units
        self.cutoff = cutoff
        self.wish_noise = wish_noise
        self.regret = regret
        self.row_gamma = row_gamma
        self.truthful_share = truthful_share
        self.immutable = immutable
        self.cost = cost
        self.cost_units = cost_units
        self.effect = effect
        self.limit = limit
        self.one_sided = one_sided
        self.today = today
        self.intercept = intercept
        self.scale = scale
        self.paper = paper
        self.features = features
        self.ignore = ignore
        self.categorical = categorical
        self.group = group
        self.weight = weight
        self.id = id
        self.missing = missing
        self.unknown = unknown
        self.se = se
        self.solver = solver
        self.tolerance = tolerance
        self.max_iterations = max_iterations
        self.seed = seed
        self.threads = threads
        self.options = options
        self.details = details
        self.verbose = verbose

    # ------------------------------------------------------------------ learning

    def fit(self, X, y, wish=None, sample_weight=None):
        """Finds the rule.

        wish : an expression, or an array with one number per row; None for the wish of the constructor
        sample_weight : the weight of each row; rows with zero weight are left out
        """
        people = self._training_rows(X)
        names = frame_names(X)
        task = self._task(people, y, wish, sample_weight)
        answer, model = self._learned("fit", task)
        # nothing below can fail, so a failed fit leaves the previous rule unchanged
        self.model_ = model
        self._take(answer, people)
        self.n_features_in_ = people.width
        if names is not None:
            self.feature_names_in_ = np.array(names, dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        # the column names of the model, None if it finds columns by position
        self._names = people.names
        # references for report(), without a copy; they are not pickled
        self._training = (X, y, wish, sample_weight)
        for warning in self.warnings_ if self.certified_ else ():
            warnings.warn(warning, StackelbergWarning, stacklevel=2)
        if not self.certified_:
            why = "\n".join(self.warnings_) or f"The relative gap is at most {answer.document.get('relativeGap')}."
            head = "The rule is not proven to be the best." if answer.document["finite"] else "There is no finite equilibrium."
            warnings.warn(f"{head}\n{why}", NotCertifiedWarning, stacklevel=2)
        return self

    def _training_rows(self, X):
        """The rows to learn from. Columns of a DataFrame that are named 0, 1, ... are used by position, from 1 on, so naming one in a parameter
        would be ambiguous and is refused."""
        if is_frame(X) and frame_names(X) is None:
            named = [option for option in COLUMNS if getattr(self, option)]
            if named:
                raise UsageError(
                    f"{named[0]} names columns, and those of X have no texts for names, but {X.columns[0]!r} and the like.\n"
                    "Maybe X.columns = X.columns.astype(str), and the names as texts."
                )
        return Rows.of(X)

    def path(self, X, y, gammas="5%:80%:40", wish=None, sample_weight=None):
        """The rules for many gammas, from one decomposition. The estimator itself stays as it is.

        gammas : a list, or a range as on the command line, "5%:80%:40"
        """
        people = self._training_rows(X)
        task = self._task(people, y, wish, sample_weight)
        if not isinstance(gammas, str):
            gammas = ",".join(_text(g) for g in gammas)
        answer, _ = self._learned("path", task, "--gammas=" + gammas)
        rules = answer.document["path"]
        terms = _order(rules[0]["coefficients"], people.names, people.width)
        return Path(
            gamma=_floats(rule["gamma"] for rule in rules),
            coef=np.array([_floats(rule["coefficients"].get(t, 0.0) for t in terms) for rule in rules]),
            intercept=_floats(rule["intercept"] for rule in rules),
            pull_through=_floats(rule["pullThrough"] for rule in rules),
            certified=np.array([rule["certified"] for rule in rules]),
            gap_bound=_floats(rule["gapBound"] for rule in rules),
            terms=terms,
            document=answer.document,
        )

    def report(self, file, X=None, y=None, wish=None, sample_weight=None):
        """Writes the page that explains the rule as one file and returns its path. It needs the training data: pass them again if the estimator
        was pickled or copied since fit."""
        self._require_fitted()
        if X is None:
            if getattr(self, "_training", None) is None:
                raise UsageError(
                    "The training data are not available: the rule was pickled or copied without them.\n"
                    "Maybe report(file, X, y)."
                )
            X, y, wish, sample_weight = self._training
        task = self._task(self._training_rows(X), y, wish, sample_weight)
        file = os.path.abspath(os.fspath(file))
        part = file + ".part"
        answer, _ = self._learned("fit", task, "--report=" + part, page=(part, file))
        if answer.document["coefficients"] != self.coefficients_ or answer.document["gamma"] != self.gamma_:
            os.remove(part)
            raise UsageError(
                "These data and parameters give another rule than the fitted one.\n"
                "Maybe fit again; a page shows a rule with the data it was learned from."
            )
        os.replace(part, file)
        return file

    def _task(self, people, y, wish, sample_weight):
        """The checked data, target values, wish and options for a command that learns."""
        y_name = getattr(y, "name", None)
        y = targets(y, people.rows, self.loss == "logistic")
        if people.rows == 1:
            raise ValueError("Found array with n_samples=1; a rule needs at least 2 rows.\nMaybe add more.")
        wish = Wish.of(self.wish if wish is None else wish, people.rows)
        more = []
        if sample_weight is not None:
            if self.weight is not None:
                raise UsageError("Both sample_weight and the parameter weight are given.\nMaybe leave out one of them.")
            count = weights(sample_weight, people.rows)
            kept = count > 0
            if not kept.any():
                raise ValueError("sample_weight is 0 in every row.\nMaybe leave it out.")
            if not kept.all():
                people, y, count = people.take(kept), y[kept], count[kept]
                wish.values = None if wish.values is None else wish.values[kept]
            if (count != count[0]).any() or count[0] != 1:
                people, name = people.with_column("weight", count)
                more.append("--weight=" + name)
        target = "y"
        if people.names is not None:
            wanted = [y_name] if isinstance(y_name, str) and y_name else []
            target = people.unused(*wanted, "y", "target")
        return people, y, wish, target, more

    def _learned(self, command, task, *more, page=None):
        """Runs a command that learns, and returns its answer and the text of the model file.

        @param page: the page that it writes, as a pair of its temporary and its final name
        """
        people, y, wish, target, words = task

        def learn(folder):
            model = os.path.join(folder, "model.json")
            task = [command, *people.words(folder, y, wish, target), *self._words(people, folder, command), *words, *more]
            if command != "fit":
                return self._ask([*task, "--json"], folder), None
            if self.details or self.verbose or self.group is not None:
                answer = self._ask([*task, "--json", "-o", model], folder)
            else:
                # the other results that fit --json computes would take longer than a small fit
                self._ask([*task, "-q", "-o", model], folder)
                answer = self._ask(["summary", model, "--json"], folder)
            if page is not None:
                _rewrite(page[0], lambda text: _without_folder(text, folder).replace(*page))
            return answer, _without_folder(_read(model), folder)

        return people.with_folder(learn, y)

    def _words(self, people, folder, command):
        words = []
        for name in OPTIONS:
            value = getattr(self, name)
            if name == "gamma" and (value == _GAMMA or command == "path") or name == "loss" and value == "squared":
                continue
            if name == "categorical":
                given = [] if value is None else [value] if isinstance(value, str) else list(value)
                value = given + [text for text in people.texts() if text not in given]
            if name == "today" and isinstance(value, dict):
                value = _rule_file(folder, value)
            elif name == "today" and value is not None and value != "cross-fitted":
                value = os.path.abspath(os.fspath(value))
            words += _option(name, value)
        for name, value in (self.options or {}).items():
            key = str(name).replace("-", "_")
            if key in _OWN:
                raise UsageError(f"options: '{name}' is set by this class itself.\nMaybe leave it out.")
            if key in OPTIONS or key == "unknown":
                raise UsageError(f"options: '{name}' is a parameter of StackelbergRegressor.\nMaybe StackelbergRegressor({key}=...).")
            if not re.fullmatch(r"[a-z][a-z0-9_]*", key):
                raise UsageError(f"options: '{name}' is no option of {command}.\nMaybe it is misspelt.")
            words += _option(key, value)
        return words

    def _take(self, answer, people):
        result = answer.document
        self.result_ = result
        self.coefficients_ = result["coefficients"]
        self.terms_ = _order(self.coefficients_, people.names, people.width)
        self.coef_ = _floats(self.coefficients_.get(term, 0.0) for term in self.terms_)
        self.intercept_ = _float(result["intercept"])
        self.pull_through_ = _float(result["pullThrough"])
        self.gamma_ = result["gamma"]
        self.certified_ = bool(result["certified"])
        self.gap_bound_ = _float(result["gapBound"])
        self.warnings_ = [in_python(warning, names=people.names or ()) for warning in result["warnings"]]

    # ------------------------------------------------------------------ applying

    def predict(self, X):
        """The predictions for X before any move; with loss="logistic" the probabilities of a yes."""
        people = self._people(X)
        columns, _ = self._applied("predict", people, None, None)
        return columns["prediction"]

    def respond(self, X, wish=None, y=None, gamma=None):
        """How people respond to the rule.

        wish : None for the wish that the model was fitted with
        y : needed if the wish uses y
        gamma : how hard it really is to move, as a number or a share such as "30%"; None for the gamma of the fit
        """
        people = self._people(X)
        y = None if y is None else targets(y, people.rows, self.loss == "logistic")
        columns, document = self._applied("respond", people, y, Wish.of(wish, people.rows), _option("gamma", gamma))
        moves = {name[len("move ") :]: values for name, values in columns.items() if name.startswith("move ")}
        nothing = np.full(people.rows, np.nan)
        return Response(
            prediction=columns.get("prediction", nothing),
            wish=columns.get("wish", nothing),
            after=columns.get("after_response", nothing),
            cost=columns.get("cost", nothing),
            moves=_moves(moves, people),
            document=document,
        )

    def score(self, X, y, sample_weight=None):
        """R2 of the predictions before any move; with loss="logistic" of the probabilities."""
        p = self.predict(X)
        y = self._yes(targets(y, len(p), self.loss == "logistic"))
        return _r_squared(y, p, np.ones(len(p)) if sample_weight is None else weights(sample_weight, len(p)))

    def score_moved(self, X, y, wish=None, sample_weight=None, gamma=None):
        """R2 of the predictions after people have moved; with effects, against the target after the moves.

        gamma : how hard it really is to move, as for respond; None for the gamma of the fit. Give it to compare rules that were fitted with
            different gammas: without it, each is scored at its own gamma.
        """
        people = self._people(X)
        y = targets(y, people.rows, self.loss == "logistic")
        count = np.ones(people.rows) if sample_weight is None else weights(sample_weight, people.rows)
        if self.result_.get("effects"):
            if sample_weight is not None:
                raise UsageError("score_moved takes no sample_weight together with effect.\nMaybe leave it out.")
            people = self._weighed(people)
            wishes = Wish.of(wish, people.rows)

            def evaluate(folder):
                words = ["evaluate", self._model_file(folder), *people.words(folder, y, wishes, self.result_["target"])]
                words += _option("unknown", self.unknown) + _option("gamma", gamma)
                return self._ask([*(w for w in words if not w.startswith("--target=")), "--json"], folder)

            return people.with_folder(evaluate, y).document["rules"][0]["peopleMove"]["r2"]
        return _r_squared(self._yes(y), self.respond(X, wish, y, gamma).after, count)

    def _weighed(self, people):
        """A copy with a weight column of ones, if the model has one and evaluate would need it."""
        column = self.result_["weight"]
        if column is None or people.names is not None and column in people.names:
            return people
        if people.names is None and column != str(people.width + 1):
            return people
        return people.with_column(column, np.ones(people.rows))[0]

    def _yes(self, y):
        """1 for a yes and 0 for a no, by the model's definition of a yes; y itself if the target is a number."""
        yes = self.result_.get("yes")
        if yes is None:
            return y
        if y.dtype.kind in "fiub":
            below = re.fullmatch(r"(>=|<=|>|<)\s*(.+)", str(yes))
            if below:
                compare = {">=": np.greater_equal, "<=": np.less_equal, ">": np.greater, "<": np.less}[below[1]]
                return compare(y, float(below[2])).astype(float)
            try:
                return (y == float(yes)).astype(float)
            except ValueError:
                raise UsageError(f"A yes is '{yes}', but y has numbers.\nMaybe give y as it was for fit.") from None
        return (y == str(yes)).astype(float)

    def _people(self, X):
        """The rows of X with the column names that the model knows, after scikit-learn's checks of names and number of features."""
        self._require_fitted()
        known = getattr(self, "feature_names_in_", None)
        names = frame_names(X)
        me = type(self).__name__
        if known is None and names is not None:
            warnings.warn(f"X has feature names, but {me} was fitted without feature names", UserWarning, stacklevel=3)
        elif known is not None and names is None:
            warnings.warn(f"X does not have valid feature names, but {me} was fitted with feature names", UserWarning, stacklevel=3)
        elif known is not None and names != list(known):
            raise ValueError(_other_names(names, list(known)))
        people = Rows.of(X, names=self._names)
        if people.width != self.n_features_in_:
            raise ValueError(f"X has {people.width} features, but {me} is expecting {self.n_features_in_} features as input.")
        return people if self._names is not None else people.positional()

    def _applied(self, command, people, y, wish, more=()):
        """Runs predict or respond, and returns the columns that it writes, by name, with one entry per row of X, and its document.

        @param more: further options
        """
        if command == "respond" and people.sparse is not None and y is None:
            self._refuse_truth_in(wish)
        finite = self.result_["finite"]

        def apply(folder):
            file = os.path.join(folder, "out.csv")
            target = self.result_["target"]
            words = [w for w in people.words(folder, y, wish, target) if not w.startswith("--target=")]
            document = ["--json"] if command == "respond" else []
            words += _option("unknown", self.unknown)
            answer = self._ask([command, self._model_file(folder), *words, *more, *document, "-o", file], folder)
            return _columns(file, people.rows) if finite else None, answer.document

        # the number of values written: eight per row, and for respond one move per column
        columns, document = people.with_folder(apply, y, people.rows * (8 + (people.width if command == "respond" else 0)))
        if not finite:
            # without a finite rule, the predictions of the model file mean nothing
            warnings.warn("There is no finite equilibrium, so there is no rule to predict with.", NotCertifiedWarning, stacklevel=3)
            columns = {"prediction": np.full(people.rows, np.nan)}
        return columns, document

    def _refuse_truth_in(self, wish):
        """Refuses a wish that uses y for a sparse matrix without y: the LIBSVM file has target values of 0 in that case."""
        rule = json.loads(self.model_)["game"].get("wish") if wish.rule is None and wish.values is None else wish.rule
        if re.search(r"(?<![\w.])y(?![\w(])", rule or ""):
            raise UsageError(f"The wish {rule} uses y, the target, which is not given.\nMaybe respond(X, y=...).")

    def _model_file(self, folder):
        file = os.path.join(folder, "model.json")
        with open(file, "w", encoding="utf-8") as out:
            out.write(self.model_)
        return file

    def _ask(self, words, folder):
        def said(text):
            return in_python(about_missing(text, words), folder, column_names(folder))

        answer = checked(words, (lambda note: show(said(note))) if self.verbose else None, said)
        answer.document = _without_folder(answer.document, folder)
        return answer

    def _require_fitted(self):
        if not hasattr(self, "model_"):
            raise NotFittedError(
                f"This {type(self).__name__} instance is not fitted yet. Call 'fit' with appropriate arguments before using this estimator."
            )

    # ------------------------------------------------------------------ around it

    def __sklearn_is_fitted__(self):
        return hasattr(self, "model_")

    def __getstate__(self):
        above = getattr(super(), "__getstate__", None)
        state = dict(above() if above is not None else self.__dict__)
        state.pop("_training", None)
        return state

    def _repr_html_(self):
        """What `stackelberg summary --html` prints of the rule; the plain text where there is no rule or no program."""
        plain = f"<pre>{escape(repr(self))}</pre>"
        if not hasattr(self, "model_"):
            return plain + "<p>Not fitted.</p>"
        model, shown = getattr(self, "_shown", (None, None))
        if model is not self.model_:
            try:
                with folder() as place:
                    shown = checked(["summary", self._model_file(place), "--html"]).text
            except (ProgramError, OSError):
                return plain
            self._shown = (self.model_, shown)
        return shown

    def _repr_mimebundle_(self, **kwargs):
        return {"text/plain": repr(self), "text/html": self._repr_html_()}

    def _more_tags(self):
        # for scikit-learn's checks: a rule for people who have moved predicts badly before they move, so its R2 is low
        return {"poor_score": True}

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.regressor_tags.poor_score = True
        tags.input_tags.sparse = True
        return tags


def _option(name, value):
    """The arguments of the command line for one parameter; none if it is None or False."""
    flag = "--" + name.replace("_", "-")
    if value is None or value is False:
        return []
    if value is True:
        return [flag]
    if isinstance(value, dict):
        return [f"{flag}={column}={_text(number)}" for column, number in value.items()]
    if isinstance(value, (list, tuple, set, frozenset, np.ndarray)):
        texts = [_text(v) for v in value]
        if name not in LISTS:
            return [f"{flag}={text}" for text in texts]
        comma = [text for text in texts if "," in text]
        if comma:
            raise UsageError(f"{name}: a column with a comma in its name, '{comma[0]}', cannot be named here.\nMaybe rename it.")
        return [f"{flag}={','.join(texts)}"] if texts else [f"{flag}=none"] if name == "immutable" else []
    return [f"{flag}={_text(value)}"]


def _text(value):
    if isinstance(value, (bool, np.bool_)):
        return str(bool(value)).lower()
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    return str(value)


def _rule_file(folder, coefficients):
    file = os.path.join(folder, "today.csv")
    with open(file, "w", encoding="utf-8", newline="") as out:
        rows = csv.writer(out, lineterminator="\n")
        rows.writerow(["term", "coefficient"])
        rows.writerows([term, _text(value)] for term, value in coefficients.items())
    return file


def _order(coefficients, names, width):
    """The terms of a rule in the order of the columns of X; in the program's order if there are categories, which have one term per level."""
    columns = names if names is not None else [str(j + 1) for j in range(width)]
    return list(columns) if set(coefficients) <= set(columns) else list(coefficients)


def _columns(file, rows):
    with open(file, encoding="utf-8", newline="") as text:
        header = next(csv.reader(text))
        wanted = [j for j, name in enumerate(header) if j == header.index("row") or _is_number_column(name)]
        table = np.loadtxt(text, delimiter=",", quotechar='"', usecols=wanted, ndmin=2, comments=None, converters=_cell, encoding="utf-8")
    columns = {}
    at = table[:, wanted.index(header.index("row"))].astype(int) - 1
    for k, j in enumerate(wanted):
        values = np.full(rows, np.nan)
        values[at] = table[:, k]
        columns[header[j]] = values
    return columns


def _is_number_column(name):
    return name in ("prediction", "score", "wish", "pull_through", "after_response", "after_score", "cost") or name.startswith("move ")


def _cell(text):
    return float(text) if text else np.nan


def _moves(moves, people):
    if people.names is None:
        all_moves = np.zeros((people.rows, people.width))
        for name, values in moves.items():
            all_moves[:, int(name) - 1] = values
        return all_moves
    import pandas

    index = people.index if people.index is not None else range(people.rows)
    rest = {name: moves[name] for name in moves if name not in people.names}
    return pandas.DataFrame({**{n: moves.get(n, np.zeros(people.rows)) for n in people.names if n in moves}, **rest}, index=index)


def _r_squared(y, p, count):
    if len(y) < 2:
        warnings.warn("R2 is not defined for fewer than two people.", StackelbergWarning, stacklevel=3)
        return float("nan")
    mean = np.average(y, weights=count)
    total = np.sum(count * (y - mean) ** 2)
    lost = np.sum(count * (y - p) ** 2)
    return float(1 - lost / total) if total > 0 else 1.0 if lost == 0 else 0.0


def _other_names(names, known):
    message = "The feature names should match those that were passed during fit.\n"
    unseen = sorted(set(names) - set(known))
    missing = sorted(set(known) - set(names))
    for title, some in (("Feature names unseen at fit time:\n", unseen), ("Feature names seen at fit time, yet now missing:\n", missing)):
        if some:
            message += title + "".join(f"- {name}\n" for name in some[:5]) + ("- ...\n" if len(some) > 5 else "")
    return message if unseen or missing else message + "Feature names must be in the same order as they were in fit.\n"


def _without_folder(said, folder):
    """Replaces the names of temporary files in texts by their base names (data, today, x), because the files will be gone."""
    if isinstance(said, str):
        return re.sub(re.escape(os.path.join(folder, "")) + r"(\w+)\.\w+", r"\1", said) if folder in said else said
    if isinstance(said, dict):
        return {key: _without_folder(value, folder) for key, value in said.items()}
    return [_without_folder(value, folder) for value in said] if isinstance(said, list) else said


def _float(value):
    return float("nan") if value is None else float(value)


def _floats(values):
    return np.array([_float(v) for v in values], dtype=np.float64)


def _read(file):
    with open(file, encoding="utf-8", newline="") as text:
        return text.read()


def _rewrite(file, change):
    text = _read(file)
    with open(file, "w", encoding="utf-8", newline="") as out:
        out.write(change(text))
