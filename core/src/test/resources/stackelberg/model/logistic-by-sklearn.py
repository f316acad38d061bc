# The outside check of a common wish: L2-penalised logistic regression on standardised columns of logistic.csv and, for a yes of quality >= 6, of wine.csv.
# python3 logistic-by-sklearn.py logistic.csv wine.csv > logistic-by-sklearn.csv   (Debian's python3-sklearn 1.2)
# A line is a penalty C, a term and its coefficient in units of the data; norm is that of the standardised coefficients.
import csv
import sys

import numpy
from sklearn.linear_model import LogisticRegression


def read(name, delimiter, target, cut, weight):
    with open(name) as lines:
        table = list(csv.DictReader(lines, delimiter=delimiter))
    names = [column for column in table[0] if column not in (target, weight)]
    x = numpy.array([[float(row[column]) for column in names] for row in table])
    y = numpy.array([1 if float(row[target]) >= cut else 0 for row in table])
    s = numpy.array([float(row[weight]) if weight else 1 for row in table])
    return names, x, y, s


print("fit,C,term,coefficient")
people, wine = sys.argv[1:]
for fit, (names, x, y, s) in {
    "plain": read(people, ",", "answer", 1, "weight")[:3] + (None,),
    "weighted": read(people, ",", "answer", 1, "weight"),
    "wine": read(wine, ";", "quality", 6, None),
}.items():
    mean, sd = x.mean(axis=0), x.std(axis=0)
    for c in (0.001, 0.01, 0.1, 1):
        found = LogisticRegression(C=c, solver="newton-cholesky", tol=1e-14, max_iter=1000)
        found.fit((x - mean) / sd, y, sample_weight=s)
        u = found.coef_[0]
        print(f"{fit},{c},norm,{numpy.linalg.norm(u)!r}")
        print(f"{fit},{c},(Intercept),{found.intercept_[0] - (u / sd) @ mean!r}")
        for term, value in zip(names, u / sd):
            print(f"{fit},{c},{term},{value!r}")
