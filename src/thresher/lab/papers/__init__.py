"""The experiments of the papers, run again: each paper is a module of its own with `reproduce(setting) -> Reproduction`."""

PAPERS = {
    "lokman": "kayisoglu_2005",
    "interclass": "altingovde_ulusoy_2004",
    "multilingual": "kumar_vig_2010",
    "lin": "pesaranghader_2014",
    "priority": "choudhary_roy_2013",
}
"""What `thresher lab reproduce` calls a paper, and its module here."""
