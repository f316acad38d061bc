"""Linear regression for data that fights back.

People who are scored by a published rule change their features to get the score they wish. `StackelbergRegressor` finds the linear rule that
is best after they have done so, and proves it, by the Java program Stackelberg, of which one process is kept alive.
"""

from ._errors import (
    DataError,
    InternalError,
    NotCertifiedWarning,
    NotFittedError,
    ProgramError,
    StackelbergError,
    StackelbergWarning,
    UsageError,
)
from ._program import Answer, close, home, run
from ._regressor import Path, Response, StackelbergRegressor

__all__ = [
    "Answer",
    "DataError",
    "InternalError",
    "NotCertifiedWarning",
    "NotFittedError",
    "Path",
    "ProgramError",
    "Response",
    "StackelbergError",
    "StackelbergRegressor",
    "StackelbergWarning",
    "UsageError",
    "close",
    "home",
    "run",
]
