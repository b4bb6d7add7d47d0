"""The benches: one module each, found by being here, with `add(subparsers)` and `run(args)`."""
