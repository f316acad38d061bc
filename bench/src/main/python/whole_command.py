"""The whole command beside what it is held against, in one sitting, taken in turns.

    python3 bench/src/main/python/whole_command.py arrays 20000 10000   fit --x beside trlib.py and beside what the library takes for the same, and its phases beside plain reads of X
    python3 bench/src/main/python/whole_command.py table 1000000 30     fit on a CSV beside its own reading, and its memory beside the numbers
    python3 bench/src/main/python/whole_command.py sparse 6000 30000    tune and compare on a LIBSVM file, 100 nonzeros in a row, beside one fit
    python3 bench/src/main/python/whole_command.py balance 100000 50    fit with a balanced rule beside --hedge none, on a CSV
    python3 bench/src/main/python/whole_command.py wide 20000 10000     the same on arrays, beside a fit and least squares (gamma 1e12: nobody moves)
    python3 bench/src/main/python/whole_command.py text 6000 30000      the same on a LIBSVM file

--runs N (default 7), --folder F for the data (default: a folder of the system's for temporary files; written where they are not there, and kept).
Needs numpy, for arrays scipy too. Medians, with the smallest and the largest in brackets.
"""
import argparse
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time

import numpy as np

HERE = pathlib.Path(__file__).resolve()
COMMAND = str(HERE.parents[4] / "stackelberg")


def arrays(m, n, folder):
    """The paper's dense game: range-scaled normal features, ten of them informative."""
    if (folder / "z.npy").exists():
        return
    rng = np.random.default_rng(1)
    coefficients = rng.uniform(0, 100, 10)
    x = np.lib.format.open_memmap(folder / "X.npy", "w+", "<f8", (m, n))
    y = np.empty(m)
    for i in range(0, m, 1000):
        rows = rng.standard_normal((min(1000, m - i), n))
        y[i : i + 1000] = rows[:, :10] @ coefficients + 0.1 * rng.standard_normal(len(rows))
        x[i : i + 1000] = rows / (2 * np.sqrt(2 * np.log(m))) + 0.5
    x.flush()
    np.save(folder / "y.npy", y)
    np.save(folder / "z.npy", np.maximum(y, np.quantile(y, 0.25)))


def table(m, n, file):
    if file.exists():
        return
    rng = np.random.default_rng(3)
    with open(file, "w") as out:
        out.write(",".join(f"x{j + 1}" for j in range(n)) + ",y\n")
        for i in range(0, m, 20000):
            x = rng.standard_normal((min(20000, m - i), n))
            y = x[:, :10] @ np.linspace(0.1, 1, min(n, 10)) + rng.standard_normal(len(x))
            np.savetxt(out, np.c_[x, y], fmt="%.5f", delimiter=",")


def sparse(m, n, file, nonzeros=100):
    if file.exists():
        return
    rng = np.random.default_rng(5)
    w = rng.standard_normal(n)
    with open(file, "w") as out:
        for _ in range(m):
            columns = np.sort(rng.choice(n, nonzeros, replace=False))
            values = rng.standard_normal(nonzeros)
            y = values @ w[columns] + rng.standard_normal()
            out.write(f"{y:.6f} " + " ".join(f"{j + 1}:{v:.6f}" for j, v in zip(columns, values)) + "\n")


def run(*command):
    """Seconds, the largest resident memory in bytes, what was printed, and seconds up to its last byte."""
    start = last = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    out = b""
    while piece := os.read(process.stdout.fileno(), 1 << 20):
        out += piece
        last = time.perf_counter()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 4):
        sys.exit(f"{' '.join(command)} ended with {process.returncode}")
    return seconds, usage.ru_maxrss * 1024, out, last - start


def plain_read(file):
    """The sum of all squares where the numbers are, by two threads."""
    x = np.load(file, mmap_mode="r").reshape(-1)

    def squares(values):
        for i in range(0, len(values), 1 << 18):
            np.dot(values[i : i + (1 << 18)], values[i : i + (1 << 18)])

    best = float("inf")
    for _ in range(4):
        start = time.perf_counter()
        halves = [threading.Thread(target=squares, args=(half,)) for half in np.array_split(x, 2)]
        [half.start() for half in halves]
        [half.join() for half in halves]
        best = min(best, time.perf_counter() - start)
    return best


def library(folder):
    """LikeTrlib as the launcher would start it: with its flags of the compilers, an archive of its classes, and its note of OpenBLAS."""
    home = pathlib.Path(COMMAND).parent
    archive = folder / "like-trlib.jsa"
    flags = re.findall(r"-XX:Tier\w+=\d+", pathlib.Path(COMMAND).read_text())
    notes = [f"-Dstackelberg.openblas={note}" for note in (home / "cli/target").glob("*.openblas")]
    jars = ":".join(str(jar) for jar in sorted((home / "cli/target/lib").glob("*.jar")))
    java = ["java", "-XX:+UseParallelGC", "-Xlog:disable", *flags, *notes[:1]]
    words = ["-cp", jars, "stackelberg.bench.LikeTrlib", str(folder)]
    run(*java, f"-XX:ArchiveClassesAtExit={archive}", *words)
    return (*java, f"-XX:SharedArchiveFile={archive}", *words)


def told(what, values):
    print(f"{what}: {statistics.median(values):.3f} ({min(values):.3f} to {max(values):.3f})")


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("what", choices=["arrays", "table", "sparse", "balance", "wide", "text"])
    options.add_argument("rows", type=int)
    options.add_argument("columns", type=int)
    options.add_argument("--runs", type=int, default=7)
    options.add_argument("--folder", type=pathlib.Path, default=pathlib.Path(tempfile.gettempdir()) / "whole-command")
    given = options.parse_args()
    kind = {"balance": "table", "wide": "arrays", "text": "sparse"}.get(given.what, given.what)
    folder = given.folder / f"{kind}-{given.rows}-{given.columns}"
    folder.mkdir(parents=True, exist_ok=True)
    run(COMMAND, "--version")
    measures = {"arrays": beside_trlib, "table": beside_reading, "sparse": beside_fit}
    measures.get(given.what, beside_none)(given, folder)


def beside_none(given, folder):
    """A balanced rule beside the best one after the move and the best one if nobody moves: whole commands, and from the first pass to the rule."""
    if given.what == "balance":
        file = folder / "people.csv"
        table(given.rows, given.columns, file)
        fit = (COMMAND, "fit", str(file), "--target", "y", "--wish", "max(today,quantile(today,0.75))", "--json")
    elif given.what == "wide":
        arrays(given.rows, given.columns, folder)
        fit = (COMMAND, "fit", "--x", f"{folder}/X.npy", "--y", f"{folder}/y.npy", "--z", f"{folder}/z.npy", "--json")
    else:
        file = folder / "words.svm"
        sparse(given.rows, given.columns, file)
        fit = (COMMAND, "fit", str(file), "--wish", "max(y,quantile(0.75))", "--json")
    kinds = {"none": ("--hedge", "none"), "balanced": ("--hedge", "balanced")}
    if given.what != "balance":
        kinds = {kind: ("--gamma", "1", *words) for kind, words in kinds.items()}
        kinds["least squares"] = ("--gamma", "1e12", "--hedge", "none")
    rows = []
    for _ in range(given.runs):
        row = {}
        for kind, words in kinds.items():
            seconds, _, out, _ = run(*fit, *words)
            answer = json.loads(out)
            phases = answer["seconds"]
            row[kind] = seconds, sum(phases[part] for part in ("assemble", "solve", "certify", "recover")), answer["passes"], answer["certified"]
        rows.append(row)
    for kind in kinds:
        told(f"{kind}: the command, s", [row[kind][0] for row in rows])
        told(f"{kind}: from the first pass to the rule, s", [row[kind][1] for row in rows])
        print(f"{kind}: {rows[0][kind][2]} passes, certified {rows[0][kind][3]}")
    told("balanced over none", [row["balanced"][0] / row["none"][0] for row in rows])
    if "least squares" in kinds:
        told("balanced over three fits and least squares, from the first pass to the rule",
             [row["balanced"][1] / (3 * row["none"][1] + row["least squares"][1]) for row in rows])


def beside_trlib(given, folder):
    arrays(given.rows, given.columns, folder)
    fit = (COMMAND, "fit", "--x", f"{folder}/X.npy", "--y", f"{folder}/y.npy", "--z", f"{folder}/z.npy", "--gamma", "0.1",
           "--scale", "none", "--intercept", "manipulable", "--hedge", "none", "--json")
    script = (sys.executable, str(HERE.with_name("trlib.py")), str(folder))
    alone = library(folder)
    os.environ["OPENBLAS_NUM_THREADS"] = "2"
    rows = []
    for _ in range(given.runs):
        start = run(COMMAND, "--version")[3]
        ours, memory, out, told_in = run(*fit)
        theirs = run(*script)[0]
        seconds = json.loads(out)["seconds"]
        phases = sum(seconds.values())
        rows.append((ours, theirs, phases / (told_in - start), phases - seconds["start"] - seconds["read"], plain_read(f"{folder}/X.npy"), memory, ours - told_in, run(*alone)[0]))
    told("fit, s", [row[0] for row in rows])
    told("trlib.py, s", [row[1] for row in rows])
    told("fit over trlib.py", [row[0] / row[1] for row in rows])
    told("the library alone, certificate included, over trlib.py", [row[7] / row[1] for row in rows])
    told("phases over what fit takes beyond --version, to its last byte", [row[2] for row in rows])
    told("from the last byte to the end of the process, s", [row[6] for row in rows])
    told("phases after reading, in plain reads of X", [row[3] / row[4] for row in rows])
    told("memory over X", [row[5] / (8 * given.rows * given.columns) for row in rows])


def beside_reading(given, folder):
    file = folder / "people.csv"
    table(given.rows, given.columns, file)
    fit = (COMMAND, "fit", str(file), "--target", "y", "--wish", "max(y,2)", "--wish-noise", "1", "--hedge", "none", "--json")
    rows = []
    for _ in range(given.runs):
        start = run(COMMAND, "--version")
        ours, memory, out, told_in = run(*fit)
        seconds = json.loads(out)["seconds"]
        rows.append((ours, start[0], seconds["read"], memory, sum(seconds.values()) / (told_in - start[3]), seconds["start"]))
        print({phase: round(value, 3) for phase, value in seconds.items()})
    told("fit, s", [row[0] for row in rows])
    told("reading, s", [row[2] for row in rows])
    told("fit beyond --version over reading", [(row[0] - row[1]) / row[2] for row in rows])
    told("fit beyond all that comes before reading over reading", [(row[0] - row[1] - row[5]) / row[2] for row in rows])
    told("phases over what fit takes beyond --version, to its last byte", [row[4] for row in rows])
    told("memory over the numbers", [row[3] / (8 * given.rows * (given.columns + 1)) for row in rows])


def beside_fit(given, folder):
    file = folder / "words.svm"
    sparse(given.rows, given.columns, file)
    wish = (str(file), "--wish", "max(y,quantile(0.75))", "--wish-noise", "1", "--hedge", "none", "--json")
    rows = []
    for _ in range(given.runs):
        rows.append([run(COMMAND, command, *wish)[0] for command in ("fit", "tune", "compare")])
        print(rows[-1])
    told("fit, s", [row[0] for row in rows])
    told("tune over fit", [row[1] / row[0] for row in rows])
    told("compare over fit", [row[2] / row[0] for row in rows])


if __name__ == "__main__":
    main()
