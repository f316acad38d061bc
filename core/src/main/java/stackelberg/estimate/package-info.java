/**
 * What any estimate needs, whatever game is played: losses, sums of products, and rows drawn again (folds, splits, bootstrap samples).
 */
@NullMarked
package stackelberg.estimate;

import org.jspecify.annotations.NullMarked;
