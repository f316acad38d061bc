"""The game of FOLDER/{X,y,z}.npy at gamma 0.1 by SciPy's trlib, as somebody would write it who has no Stackelberg: trlib.py FOLDER."""
import sys
import numpy as np
from scipy.optimize._trlib import get_trlib_quadratic_subproblem

X, y, z = (np.load(f"{sys.argv[1]}/{name}.npy", mmap_mode="r") for name in "Xyz")
gamma = 0.1
s = np.sqrt(gamma) / 2
b = y - z / 2
times = lambda r: s * (X @ r[:-2] + r[-2]) + z / 2 * r[-1]  # L r, with a column of ones that people can move
transposed = lambda u: np.concatenate([s * (u @ X), [s * u.sum(), z @ u / 2]])
g = -2 * transposed(b)
sphere = get_trlib_quadratic_subproblem(tol_rel_i=1e-8, tol_rel_b=1e-8)
problem = sphere(np.zeros(len(g)), lambda r: b @ b, lambda r: g, None, lambda r, v: 2 * transposed(times(v)))
r = problem.solve(1.0)[0]
r /= np.linalg.norm(r)
left = times(r) - b
w = r[:-1] * np.sqrt(gamma) / (1 - r[-1])
print(left @ left, w[:3])
