//! Influence diagrams: decisions in networks.
