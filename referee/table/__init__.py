"""The table: its layout and calibration in millimetres, and what lies on it."""
