"""Stage 2/8 · frontier. A Candidate in, a Claim out."""
