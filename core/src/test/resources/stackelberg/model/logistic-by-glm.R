# The outside check of plain logistic regression: glm on logistic.csv and, for a yes of quality >= 6, on wine.csv.
# Rscript logistic-by-glm.R logistic.csv wine.csv > logistic-by-glm.csv   (R 4, Debian's r-base-core)
files <- commandArgs(trailingOnly = TRUE)
people <- read.csv(files[1])
wine <- read.csv(files[2], sep = ";", check.names = FALSE)
wine$answer <- as.numeric(wine$quality >= 6)
wine$quality <- NULL
exact <- glm.control(epsilon = 1e-16, maxit = 100)
fits <- list(
  plain = glm(answer ~ a + b + c + d, binomial, people, control = exact),
  # quasibinomial takes weights that are no counts, and has the same coefficients
  weighted = glm(answer ~ a + b + c + d, quasibinomial, people, weights = weight, control = exact),
  wine = glm(answer ~ ., binomial, wine, control = exact))
cat("fit,term,coefficient\n")
for (name in names(fits)) {
  table <- coef(fits[[name]])
  for (term in names(table)) {
    cat(name, gsub("`", "", term), sprintf("%.17g\n", table[term]), sep = ",")
  }
}
