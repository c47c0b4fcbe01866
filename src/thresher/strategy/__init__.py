"""Stage 7/8 · strategy. A Visit in, a priority a link out."""
