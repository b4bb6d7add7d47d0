"""What can be done with pads: one module each, found by being here, with `add` and `run`."""
