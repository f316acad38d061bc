"""The settings of the game, written from their declarations (stackelberg.game.Settings) by PythonSettingsTest: not edited by hand."""

# Parameters that are settings; target and wish have parameters of their own.
SETTINGS = ("weight", "group", "id", "features", "ignore", "missing", "gamma", "regret", "row_gamma", "truthful_share", "hedge", "immutable", "cost", "cost_units", "today", "wish_noise", "ridge", "loss", "yes", "wish_units", "limit", "one_sided", "effect", "intercept", "scale")  # fmt: skip

# What the program takes as one list; others are given once per value.
LISTS = ("features", "ignore", "immutable")

# What names columns.
COLUMNS = ("weight", "group", "id", "features", "ignore", "row_gamma", "immutable", "cost", "limit", "effect")  # fmt: skip

# Options that read a setting from a file.
FILES = ("costs", "effects")

# The words that a setting takes.
WORDS = {
    "missing": ("error", "drop", "mean"),
    "hedge": ("balanced", "none"),
    "immutable": ("none",),
    "cost_units": ("sd", "raw"),
    "today": ("cross-fitted",),
    "loss": ("squared", "logistic"),
    "wish_units": ("probability", "logodds"),
    "limit": ("data",),
    "one_sided": ("up", "down"),
    "intercept": ("immutable", "manipulable", "none"),
    "scale": ("standard", "range", "none"),
}  # fmt: skip
