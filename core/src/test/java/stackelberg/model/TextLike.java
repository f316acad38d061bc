package stackelberg.model;

import java.util.Arrays;
import java.util.Random;
import stackelberg.data.NumericColumn;
import stackelberg.data.Table;
import stackelberg.linalg.CsrMatrix;

/** Games as texts give them: few words of many in each row, common ones and rare ones, weighted and of length 1; some of the words tell something about y. */
public final class TextLike {
    private TextLike() {}

    /**
     * Columns 1, 2, ... beside y.
     *
     * @param noise the standard deviation of what no word tells; what they tell has about 0.9
     */
    public static Table table(int rows, int words, int length, double noise, long seed) {
        Random random = new Random(seed);
        double[] cumulative = new double[words];
        double sum = 0;
        for (int j = 0; j < words; j++) {
            sum += 1.0 / (j + 10);
            cumulative[j] = sum;
        }
        double[] tells = new double[words];
        for (int j = 0; j < words; j++) {
            tells[j] = random.nextInt(10) == 0 ? random.nextGaussian() : 0;
        }
        CsrMatrix.Builder builder = new CsrMatrix.Builder();
        double[] y = new double[rows];
        for (int i = 0; i < rows; i++) {
            double[] counts = new double[words];
            for (int k = 0; k < length; k++) {
                int place = Arrays.binarySearch(cumulative, sum * random.nextDouble());
                counts[place < 0 ? -place - 1 : place]++;
            }
            double squares = 0;
            for (int j = 0; j < words; j++) {
                counts[j] = counts[j] == 0 ? 0 : (1 + Math.log(counts[j])) * Math.log(2 + j);
                squares += counts[j] * counts[j];
            }
            y[i] = 5 + noise * random.nextGaussian();
            for (int j = 0; j < words; j++) {
                if (counts[j] > 0) {
                    double value = counts[j] / Math.sqrt(squares);
                    builder.put(j, value);
                    y[i] += 3 * tells[j] * value;
                }
            }
            builder.endRow();
        }
        return Table.ofBlock(builder.build(words), Table.positions(words), NumericColumn.of("y", y));
    }
}
