"""Screens: what people see of the referee. They decide nothing."""
