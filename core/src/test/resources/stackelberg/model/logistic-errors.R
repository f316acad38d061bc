# The outside check of standard errors by logistic loss: glm and the sandwich, as R's package of that name has it, on logistic.csv and, for a yes of quality >= 6, on wine.csv.
# Rscript logistic-errors.R logistic.csv wine.csv > logistic-errors-by-r.csv   (R and Debian's r-cran-sandwich)
library(sandwich)
files <- commandArgs(trailingOnly = TRUE)
people <- read.csv(files[1])
wine <- read.csv(files[2], sep = ";", check.names = FALSE)
wine$answer <- as.numeric(wine$quality >= 6)
wine$quality <- NULL
exact <- glm.control(epsilon = 1e-16, maxit = 100)
fits <- list(
  plain = glm(answer ~ a + b + c + d, binomial, people, control = exact),
  # rows without weight are no people
  weighted = glm(answer ~ a + b + c + d, quasibinomial, subset(people, weight > 0), weights = weight, control = exact),
  wine = glm(answer ~ ., binomial, wine, control = exact))
cat("fit,term,hc0,hc1\n")
for (name in names(fits)) {
  table <- cbind(sqrt(diag(vcovHC(fits[[name]], type = "HC0"))), sqrt(diag(vcovHC(fits[[name]], type = "HC1"))))
  for (term in rownames(table)) {
    cat(name, gsub("`", "", term), sprintf("%.15g", table[term, ]), sep = ",")
    cat("\n")
  }
}
