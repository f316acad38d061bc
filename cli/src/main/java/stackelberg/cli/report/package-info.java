/** The HTML report: what its page shows ({@link stackelberg.cli.report.ReportData}), and how the page is put together. */
@NullMarked
package stackelberg.cli.report;

import org.jspecify.annotations.NullMarked;
