"""What can be printed: one module each, found by being here, with `add(subparsers)` and `run`."""
