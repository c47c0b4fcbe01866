"""Stage 8/8 · store. A Visit in, kept."""
