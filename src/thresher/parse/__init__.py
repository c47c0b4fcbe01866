"""Stage 5/8 · parse. A Response in, a Page out."""
