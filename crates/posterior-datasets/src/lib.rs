//! Small embedded data sets, as figures with their provenance.
