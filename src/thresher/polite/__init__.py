"""Stage 3/8 · polite. A Claim in, go or Refused out."""
