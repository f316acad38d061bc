"""A fitted rule as a notebook shows it."""

from html import escape

_STYLE = "style='text-align:right;padding:0 .6em'"
_LEFT = "style='text-align:left;padding:0 .6em'"


def of(rule):
    title = escape(repr(rule))
    if not hasattr(rule, "model_"):
        return f"<pre>{title}</pre><p>Not fitted.</p>"
    result = rule.result_
    seal = _seal(result, rule.hedge)
    share = f"<p>With gamma {_number(result['gamma'])}, people get {100 * rule.pull_through_:.0f}% of the way to what they want.</p>"
    parts = [f"<pre>{title}</pre>", f"<p>{seal}</p>", share if result["finite"] else "", _errors(result), _coefficients(result)]
    parts += [f"<p>Warning: {escape(warning)}</p>" for warning in rule.warnings_]
    return "".join(parts)


def _seal(result, hedge):
    if not result["finite"]:
        return "<b>There is no finite equilibrium.</b>"
    if result["certified"]:
        # of a hedged game: of all rules that keep its bound
        rules = "No rule" if hedge is None else f"No rule that keeps the hedge of {escape(str(hedge))}"
        return f"<b>Certified</b>: globally optimal. {rules} can be better by more than {_number(result['gapBound'], 2)} (before rounding)."
    gap = result["gapBound"]
    relative = result.get("relativeGap")
    within = "" if relative is None or relative >= 1 else f" It is within {100 * relative:.3g}% of the best."
    return "<b>Not certified.</b>" + within + ("" if gap is None else f" No rule can be better by more than {_number(gap, 2)}.")


def _errors(result):
    measure, name = (result["rmse"], "RMSE") if result["rmse"] else (result["meanLoss"], "mean loss")
    rows = [("today's rule", "naive", "naiveAttacked"), ("this rule", "honest", "anticipated")]
    body = "".join(
        f"<tr><td {_LEFT}>{title}</td><td {_STYLE}>{_number(measure[one])}</td><td {_STYLE}>{_number(measure[other])}</td></tr>"
        for title, one, other in rows
    )
    return (
        f"<table><thead><tr><th {_LEFT}>{name}</th><th {_STYLE}>nobody moves</th><th {_STYLE}>people move</th></tr></thead>"
        f"<tbody>{body}</tbody></table>"
    )


def _coefficients(result, most=50):
    errors = (result.get("standardErrors") or {}).get("coefficients") or {}
    today = (result.get("today") or {}).get("coefficients") or {}
    fixed = set(result["immutable"])
    rows = [("intercept", result["intercept"], (result.get("standardErrors") or {}).get("intercept"), (result.get("today") or {}).get("intercept"))]
    rows += [(name, value, errors.get(name), today.get(name)) for name, value in list(result["coefficients"].items())[:most]]
    body = "".join(
        f"<tr><td {_LEFT}>{escape(name)}</td><td {_STYLE}>{_number(value)}</td><td {_STYLE}>"
        f"{_number((error or {}).get('standardError'))}</td><td {_STYLE}>{_number(before)}</td>"
        f"<td {_LEFT}>{'immutable' if name in fixed else ''}</td></tr>"
        for name, value, error, before in rows
    )
    more = len(result["coefficients"]) - most
    body += f"<tr><td {_LEFT}>and {more} more</td></tr>" if more > 0 else ""
    return (
        f"<table><thead><tr><th {_LEFT}>{escape(result['target'])}</th><th {_STYLE}>coefficient</th><th {_STYLE}>std. error</th>"
        f"<th {_STYLE}>today's</th><th></th></tr></thead><tbody>{body}</tbody></table>"
    )


def _number(value, digits=5):
    return "" if value is None else f"{value:.{digits}g}"
