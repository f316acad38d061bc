"""Linear regression that anticipates strategic responses.

People who are scored by a published rule change their features to get the score they want. `StackelbergRegressor` finds the linear rule that
is best after these changes, with a proof. The Java program Stackelberg does the work; one process of it is kept running.
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
