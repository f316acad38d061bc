"""What can go wrong, by the program's exit codes."""

try:
    from sklearn.exceptions import DataConversionWarning
    from sklearn.exceptions import NotFittedError as _NotFitted
except ImportError:

    class _NotFitted(ValueError, AttributeError):
        """As scikit-learn's, where there is none."""

    class DataConversionWarning(UserWarning):
        """As scikit-learn's, where there is none."""


class StackelbergError(Exception):
    """Everything that this package raises; `exit` is the program's exit code where it has spoken."""

    exit = None


class UsageError(StackelbergError, ValueError):
    """An option that is not one, or that makes no sense beside another (exit code 2)."""

    exit = 2


class DataError(StackelbergError, ValueError):
    """Data or files that cannot be used (exit code 3)."""

    exit = 3


class InternalError(StackelbergError, RuntimeError):
    """A bug of ours, or memory that does not suffice (exit code 1)."""

    exit = 1


class ProgramError(StackelbergError, RuntimeError):
    """There is no program, it does not start, or it has ended."""


class NotFittedError(StackelbergError, _NotFitted):
    """Asked before there is a rule."""


class StackelbergWarning(UserWarning):
    """What the program warns of."""


class NotCertifiedWarning(StackelbergWarning):
    """There is an answer, but no proof that no other is better (exit code 4)."""


_BY_EXIT = {1: InternalError, 2: UsageError, 3: DataError}


def by_exit(code, message):
    """The exception of an exit code."""
    return _BY_EXIT.get(code, InternalError)(message)
