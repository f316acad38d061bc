"""A replacement for scikit-learn's BaseEstimator where scikit-learn is not installed."""

import inspect


class Parameters:
    """get_params and set_params for the arguments of the constructor, which are attributes of the same names."""

    @classmethod
    def _defaults(cls):
        taken = inspect.signature(cls.__init__).parameters
        return {name: p.default for name, p in taken.items() if name != "self"}

    def get_params(self, deep=True):
        return {name: getattr(self, name) for name in sorted(self._defaults())}

    def set_params(self, **params):
        known = self._defaults()
        for name, value in params.items():
            if name not in known:
                raise ValueError(f"Invalid parameter {name!r} for estimator {self}. Valid parameters are: {sorted(known)!r}.")
            setattr(self, name, value)
        return self

    def __repr__(self):
        said = ", ".join(
            f"{name}={getattr(self, name)!r}" for name, default in self._defaults().items() if getattr(self, name) is not default
        )
        return f"{type(self).__name__}({said})"
