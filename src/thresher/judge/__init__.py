"""Stage 6/8 · judge. A Page in, a Judgement out."""
