"""Touch pads: from the bytes of a board to hits with a time, and to who was first."""
