package stackelberg.game;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Recognises texts that are dates, times of day, or both: 2024-01-31T12:30Z, 31.1.2024, 1/31/24, 31 Jan 2024, January 2024, 12:30. */
final class Dates {
    private static final String CLOCK =
            "\\d{1,2}:\\d{2}(:\\d{2}([.,]\\d+)?)?( ?[AaPp]\\.?[Mm]\\.?)?( ?(Z|UTC|GMT|[+-]\\d{2}:?(\\d{2})?))?";
    private static final String MONTH = "(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\\.?";
    private static final String AND_CLOCK = "([T ,]+" + CLOCK + ")?";

    /** Year, month and optionally the day, with the same separator between them. */
    private static final Pattern YEAR_FIRST =
            Pattern.compile("(?:1[5-9]|2[01])\\d{2}([-/.])(?<one>\\d{1,2})(\\1(?<two>\\d{1,2}))?" + AND_CLOCK);

    /** Day and month in either order, then the year; a text such as 1.2.34 is left out because it is more likely a version number. */
    private static final Pattern YEAR_LAST = Pattern.compile(
            "(?<one>\\d{1,2})([-/.])(?<two>\\d{1,2})\\2((?:1[5-9]|2[01])\\d{2}|(?<![.]\\d[.])\\d{2})" + AND_CLOCK);

    private static final Pattern NAMED_MONTH = Pattern.compile(
            "(\\d{1,2}(st|nd|rd|th)?\\.?[-/ ]?" + MONTH + "[-/, ]*\\d{2}(\\d{2})?|" + MONTH
                    + " ?\\d{1,2}(st|nd|rd|th)?,? ?\\d{4}|" + MONTH + "[-/ ]?\\d{4})" + AND_CLOCK,
            Pattern.CASE_INSENSITIVE);

    private static final Pattern TIME = Pattern.compile(CLOCK);

    private Dates() {}

    /** Whether all texts are dates or times; false for an empty list. */
    static boolean areDates(List<String> texts) {
        return !texts.isEmpty() && texts.stream().allMatch(Dates::isDate);
    }

    /** Whether a text is a date, a time of day, or both. */
    static boolean isDate(String text) {
        if (text.isEmpty() || text.length() > 40) {
            return false;
        }
        Matcher yearFirst = YEAR_FIRST.matcher(text);
        if (yearFirst.matches()) {
            String day = yearFirst.group("two");
            return isMonth(yearFirst.group("one")) && (day == null || isDay(day));
        }
        Matcher yearLast = YEAR_LAST.matcher(text);
        if (yearLast.matches()) {
            String one = yearLast.group("one");
            String two = yearLast.group("two");
            return isMonth(one) && isDay(two) || isDay(one) && isMonth(two);
        }
        return NAMED_MONTH.matcher(text).matches() || TIME.matcher(text).matches();
    }

    private static boolean isMonth(String digits) {
        int month = Integer.parseInt(digits);
        return month >= 1 && month <= 12;
    }

    private static boolean isDay(String digits) {
        int day = Integer.parseInt(digits);
        return day >= 1 && day <= 31;
    }
}
