"""Stage 1/8 · seed. A Topic in, Candidates out."""
