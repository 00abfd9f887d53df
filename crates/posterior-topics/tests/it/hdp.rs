//! Hierarchical Dirichlet processes: as many topics as the corpus asks for (Teh et al. 2006).

mod calibration;
mod enumeration;
mod fitting;
mod online;
mod resuming;
mod stationarity;
