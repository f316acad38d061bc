"""The exceptions and warnings of this package; exceptions follow the program's exit codes."""

try:
    from sklearn.exceptions import DataConversionWarning
    from sklearn.exceptions import NotFittedError as _NotFitted
except ImportError:

    class _NotFitted(ValueError, AttributeError):
        """Replaces scikit-learn's NotFittedError where scikit-learn is not installed."""

    class DataConversionWarning(UserWarning):
        """Replaces scikit-learn's warning of the same name where scikit-learn is not installed."""


class StackelbergError(Exception):
    """Base class of all exceptions of this package; `exit` is the program's exit code, None if the program gave none."""

    exit = None


class UsageError(StackelbergError, ValueError):
    """An unknown option, or options that exclude each other (exit code 2)."""

    exit = 2


class DataError(StackelbergError, ValueError):
    """Data or files that cannot be used (exit code 3)."""

    exit = 3


class InternalError(StackelbergError, RuntimeError):
    """An internal error of the program, or too little memory (exit code 1)."""

    exit = 1


class ProgramError(StackelbergError, RuntimeError):
    """The program is not found, does not start, or has ended unexpectedly."""


class NotFittedError(StackelbergError, _NotFitted):
    """A method that needs a fitted rule was called before fit."""


class StackelbergWarning(UserWarning):
    """A warning of the program."""


class NotCertifiedWarning(StackelbergWarning):
    """There is an answer, but it is not proven to be optimal (exit code 4)."""


_BY_EXIT = {1: InternalError, 2: UsageError, 3: DataError}


def by_exit(code, message):
    """The exception for an exit code."""
    return _BY_EXIT.get(code, InternalError)(message)
