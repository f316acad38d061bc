# The outside check of standard errors: weighted least squares on standard-errors.csv, with the sandwich as R's package of that name has it.
# Rscript standard-errors.R < standard-errors.csv > standard-errors-by-r.csv   (R and Debian's r-cran-sandwich)
library(sandwich)
people <- read.csv(file("stdin"))
options(digits = 15)
cat("fit,term,coefficient,hc0,hc1,low,high,t,p\n")
fits <- list(plain = lm(y ~ a + b + c, people), weighted = lm(y ~ a + b + c, people, weights = weight))
for (name in names(fits)) {
  fit <- fits[[name]]
  hc0 <- sqrt(diag(vcovHC(fit, type = "HC0")))
  hc1 <- sqrt(diag(vcovHC(fit, type = "HC1")))
  t <- coef(fit) / hc1
  far <- qt(0.975, fit$df.residual) * hc1
  table <- cbind(coef(fit), hc0, hc1, coef(fit) - far, coef(fit) + far, t, 2 * pt(-abs(t), fit$df.residual))
  for (term in rownames(table)) {
    cat(name, term, sprintf("%.15g", table[term, ]), sep = ",")
    cat("\n")
  }
}
