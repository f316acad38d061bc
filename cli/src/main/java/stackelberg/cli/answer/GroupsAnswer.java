package stackelberg.cli.answer;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import org.jspecify.annotations.Nullable;
import stackelberg.model.response.ByGroup;

/**
 * The key {@code groups} of {@code fit --json}: the effect of this rule and of today's rule on groups of people.
 *
 * @param rows one entry per group; only the largest groups if there are many
 */
record GroupsAnswer(@JsonUnwrapped Frame frame, List<Row> rows) {

    /**
     * The settings shared by the figures of all groups.
     *
     * @param column the grouping column
     * @param groups the number of groups
     * @param error the kind of error: RMSE, Huber loss or log loss
     * @param level the confidence level of the intervals
     * @param threshold the change of the score from which a person counts as moving
     */
    record Frame(String column, int groups, String error, double level, double threshold) {
        static Frame of(ByGroup figures, String error) {
            return new Frame(figures.column(), figures.groups(), error, ByGroup.LEVEL, figures.threshold());
        }
    }

    /**
     * A group under both rules.
     *
     * @param rule what this rule does to the group; null if there is no rule
     * @param today what today's rule does to the group; null if it is not known
     */
    record Row(
            @JsonUnwrapped Group who,
            @Nullable Figures rule,
            @Nullable Figures today) {}

    /**
     * The size of a group.
     *
     * @param group the value of the grouping column
     * @param people the number of people in the group
     * @param weight the total weight of the group
     * @param effectivePeople the effective sample size: the number of people of equal weight that would give as much
     * information
     * @param few whether effectivePeople is too small to trust the intervals
     */
    record Group(String group, int people, double weight, double effectivePeople, boolean few) {
        static Group of(ByGroup.Part part) {
            return new Group(part.name(), part.people(), part.weight(), part.effective(), part.few());
        }
    }

    /**
     * The errors and moves of a group under a rule.
     *
     * @param error the error of the rule on the group
     * @param bias the mean of the prediction minus the truth
     * @param cost the mean cost of moving
     * @param distance the mean distance that people move, in scaled units
     * @param moving the share of people who move
     * @param move by how much the score or probability rises, on average
     */
    record Figures(Twice error, Twice bias, Figure cost, Figure distance, Figure moving, Figure move) {
        /** Returns the figures of the rule with this index; null if the index is -1. */
        static @Nullable Figures of(ByGroup.Part part, int rule) {
            return rule < 0 || rule >= part.rules().size()
                    ? null
                    : of(part.rules().get(rule));
        }

        static Figures of(ByGroup.Figures does) {
            return new Figures(
                    Twice.of(does.error()),
                    Twice.of(does.bias()),
                    Figure.of(does.cost()),
                    Figure.of(does.distance()),
                    Figure.of(does.moving()),
                    Figure.of(does.move()));
        }
    }

    /**
     * A figure before and after the move.
     *
     * @param nobodyMoves the figure if nobody moves
     * @param peopleMove the figure after people have moved
     */
    record Twice(Figure nobodyMoves, Figure peopleMove) {
        static Twice of(ByGroup.Twice twice) {
            return new Twice(Figure.of(twice.before()), Figure.of(twice.after()));
        }
    }

    /**
     * A figure with its confidence interval.
     *
     * @param value the value of the figure; null if there are too few people
     * @param interval the confidence interval [low, high], with the rules held fixed; null if there are too few people
     */
    record Figure(double value, @Nullable List<Double> interval) {
        static Figure of(ByGroup.Figure figure) {
            return new Figure(
                    figure.value(), Double.isNaN(figure.low()) ? null : Finite.ends(figure.low(), figure.high()));
        }
    }

    /** A group under one rule, an entry of {@code groups} of {@code evaluate --json}. */
    record UnderRule(
            @JsonUnwrapped Group who, @JsonUnwrapped Figures figures) {

        static UnderRule of(ByGroup.Part part, int rule) {
            return new UnderRule(Group.of(part), Figures.of(part.rules().get(rule)));
        }
    }

    /**
     * The key {@code byGroup} of {@code evaluate --json}: the settings shared by all groups, and today's rule by group.
     *
     * @param today what today's rule does to each group; null if it is not known
     */
    public record Beside(
            @JsonUnwrapped Frame frame, @Nullable List<UnderRule> today) {
        /** @param rules the number of rules before today's rule */
        public static Beside of(ByGroup figures, String error, int rules) {
            return new Beside(
                    Frame.of(figures, error),
                    rules >= figures.rules().size()
                            ? null
                            : figures.parts().stream()
                                    .map(part -> UnderRule.of(part, rules))
                                    .toList());
        }
    }

    /**
     * @param error the name of the error
     * @param rule the index of this rule among the rules of the figures, -1 if there is no finite rule
     * @param today the index of today's rule, -1 if it is not known
     */
    public static GroupsAnswer of(ByGroup figures, String error, int rule, int today) {
        return new GroupsAnswer(
                Frame.of(figures, error),
                figures.parts().stream()
                        .map(part -> new Row(Group.of(part), Figures.of(part, rule), Figures.of(part, today)))
                        .toList());
    }
}
