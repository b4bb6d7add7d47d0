"""Simulating: the product's own cards and a rendered table with its ground truth."""
