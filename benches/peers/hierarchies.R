# lme4 and mgcv on the tables of `cargo xtask compare hierarchical`. Usage: hierarchies.R FOLDER [--quick]
#
# Reads FOLDER/TABLE.COLUMN, each file a column of float64 of this machine, and prints a line for each number: rows, package and call, "TABLE what",
# value, with tabs between. What is `seconds` (processor time of this process, the median of the runs) or an estimate. One thread.
suppressMessages({library(lme4); library(mgcv)})
arguments <- commandArgs(trailingOnly = TRUE)
folder <- arguments[1]

column <- function(table, name) {
    path <- file.path(folder, paste0(table, ".", name))
    readBin(path, "double", file.size(path) / 8)
}
read <- function(table, names) {
    data <- as.data.frame(setNames(lapply(names, function(name) column(table, name)), names))
    for (name in intersect(c("a", "b"), names)) data[[name]] <- factor(data[[name]])
    data
}
# The median time of so many runs, and the estimates of the last one.
measure <- function(table, call, runs, fit, estimates) {
    seconds <- numeric(0)
    for (run in seq_len(runs)) {
        gc()
        seconds <- c(seconds, sum(system.time(found <- suppressWarnings(suppressMessages(fit())))[1:2]))
    }
    values <- c(seconds = median(seconds), estimates(found))
    rows <- length(column(table, "y"))
    for (name in names(values)) cat(paste(rows, call, paste(table, name), format(values[[name]], digits = 15), sep = "\t"), "\n", sep = "")
    flush(stdout())
}
mixed <- function(found) {
    sds <- as.data.frame(VarCorr(found))
    sds <- sds[is.na(sds$var2), ]
    names <- ifelse(sds$grp == "Residual", "sd", ifelse(is.na(sds$var1) | sds$var1 == "(Intercept)", paste0("sd(", sds$grp, ")"), paste0("sd(", sds$grp, ": ", sds$var1, ")")))
    effects <- fixef(found)
    c(setNames(sds$sdcor, names), intercept = effects[[1]], x = effects[[2]])
}
curve <- function(found) c(sd = sqrt(found$sig2), highest = max(fitted(found)))

crossed <- c("y", "x", "a", "b")
sleepers <- read("sleepers", c("y", "x", "a"))
measure("sleepers", "lme4::lmer", 11, function() lmer(y ~ x + (x | a), sleepers), mixed)
wave <- read("wave", c("y", "x"))
measure("wave", "mgcv::bam", 3, function() bam(y ~ s(x, bs = "cr", k = 20), data = wave, method = "fREML"), curve)
measure("wave", "mgcv::bam, discrete", 3, function() bam(y ~ s(x, bs = "cr", k = 20), data = wave, method = "fREML", discrete = TRUE), curve)
measure("wave", "mgcv::gam", 1, function() gam(y ~ s(x, bs = "cr", k = 20), data = wave, method = "REML"), curve)
gaussian <- read("gaussian", crossed)
measure("gaussian", "lme4::lmer", 1, function() lmer(y ~ x + (1 | a) + (1 | b), gaussian), mixed)
poisson <- read("poisson", crossed)
bernoulli <- read("bernoulli", crossed)
fast <- function(data, family) glmer(y ~ x + (1 | a) + (1 | b), data, family, nAGQ = 0)
whole <- function(data, family) glmer(y ~ x + (1 | a) + (1 | b), data, family)
measure("poisson", "lme4::glmer, nAGQ = 0", 1, function() fast(poisson, stats::poisson()), mixed)
measure("bernoulli", "lme4::glmer, nAGQ = 0", 1, function() fast(bernoulli, binomial()), mixed)
measure("poisson", "lme4::glmer", 1, function() whole(poisson, stats::poisson()), mixed)
measure("bernoulli", "lme4::glmer", 1, function() whole(bernoulli, binomial()), mixed)
