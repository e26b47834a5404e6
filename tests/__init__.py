"""Tests of the checker; what they feed to it lies in the folders beside them."""
