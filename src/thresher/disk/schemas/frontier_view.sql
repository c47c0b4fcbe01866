-- For whoever reads: all of a url in one row, with the columns of the table of this name that files of format 1 have in its place.
CREATE VIEW IF NOT EXISTS url AS
    SELECT known.seq, known.key AS hash, known.host, known.state, known.priority, origin.tries,
           iif(new.seq IS NULL, origin.depth, new.depth) AS depth, iif(new.seq IS NULL, origin.parent, new.parent) AS parent,
           iif(new.seq IS NULL, origin.anchor, new.anchor) AS anchor, iif(new.seq IS NULL, origin.chain, new.chain) AS chain, origin.url
    FROM known JOIN origin ON origin.seq = known.seq LEFT JOIN new_origin AS new ON new.host = known.host AND new.seq = known.seq;
