package stackelberg.cli.answer;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import org.jspecify.annotations.Nullable;
import stackelberg.model.response.ByGroup;

/** The key {@code groups} of {@code fit --json}: what this rule and today's do to groups of people. */
record GroupsAnswer(
        @JsonUnwrapped Frame frame,

        @Meaning("One entry per group, the largest ones if there are many.")
        List<Row> rows) {

    /** What the figures of all groups have in common. */
    record Frame(
            @Meaning("The column that says who is in which group.")
            String column,

            @Meaning("The number of groups.") int groups,

            @Meaning("What the error is: RMSE, Huber loss or log loss.")
            String error,

            @Meaning("The confidence level of the intervals.")
            double level,

            @Meaning("People whose score moves by more than this count as moving.")
            double threshold) {
        static Frame of(ByGroup figures, String error) {
            return new Frame(figures.column(), figures.groups(), error, ByGroup.LEVEL, figures.threshold());
        }
    }

    /** A group under both rules. */
    record Row(
            @JsonUnwrapped Group who,

            @Meaning("What this rule does to the group; null if there is no rule.") @Nullable
            Figures rule,

            @Meaning("What today's rule does to the group; null if it is not known.") @Nullable
            Figures today) {}

    /** The size of a group. */
    record Group(
            @Meaning("The value of the column.") String group,
            @Meaning("The number of people.") int people,
            @Meaning("Their total weight.") double weight,

            @Meaning("The effective number of people: of equal weight, with as much information.")
            double effectivePeople,

            @Meaning("Whether these are too few to trust the intervals.")
            boolean few) {
        static Group of(ByGroup.Part part) {
            return new Group(part.name(), part.people(), part.weight(), part.effective(), part.few());
        }
    }

    /** The errors and moves of a group under a rule. */
    record Figures(
            @Meaning("Its error.") Twice error,
            @Meaning("The mean of prediction less truth.") Twice bias,
            @Meaning("What moving costs, on average.") Figure cost,

            @Meaning("How far people move, in scaled units, on average.")
            Figure distance,

            @Meaning("The share of people who move.") Figure moving,

            @Meaning("By how much the score or probability rises, on average.")
            Figure move) {
        /** Of the rule with this index, if there is one. */
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

    /** A figure before and after the move. */
    record Twice(
            @Meaning("If nobody moves.") Figure nobodyMoves,
            @Meaning("After people have moved.") Figure peopleMove) {
        static Twice of(ByGroup.Twice twice) {
            return new Twice(Figure.of(twice.before()), Figure.of(twice.after()));
        }
    }

    /** A figure with its confidence interval. */
    record Figure(
            @Meaning("The value; null if there are too few people.")
            double value,

            @Meaning("Its interval, [low, high], for the given rules; null if there are too few people.") @Nullable
            List<Double> interval) {
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

    /** The key {@code byGroup} of {@code evaluate --json}: what stands beside the groups of its rules. */
    public record Beside(
            @JsonUnwrapped Frame frame,

            @Meaning("What today's rule does to each group; null if it is not known.") @Nullable
            List<UnderRule> today) {
        /** @param rules how many rules stand before today's */
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
     * @param error what the error is called
     * @param rule the index of this rule among those of the figures, -1 if there is none
     * @param today the index of today's rule, likewise
     */
    public static GroupsAnswer of(ByGroup figures, String error, int rule, int today) {
        return new GroupsAnswer(
                Frame.of(figures, error),
                figures.parts().stream()
                        .map(part -> new Row(Group.of(part), Figures.of(part, rule), Figures.of(part, today)))
                        .toList());
    }
}
