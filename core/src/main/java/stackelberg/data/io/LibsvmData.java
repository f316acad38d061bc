package stackelberg.data.io;

import stackelberg.data.Source;

/** What a LIBSVM file holds: one label and one sparse row of features per line. */
public record LibsvmData(double[] labels, SparseRows rows, Source source) {}
