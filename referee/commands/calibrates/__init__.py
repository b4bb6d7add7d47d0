"""What can be calibrated: one module each, found here by name: `add(subparsers)`, `run(args)`."""
