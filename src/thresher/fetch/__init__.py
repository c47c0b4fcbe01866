"""Stage 4/8 · fetch. A Url in, a Response, Refused or Failed out."""
