"""Seeing: from pixels to card reads. Knows no pile and no rule."""
