"""What one does with what a crawl brought in: search it, ask why, judge by hand, take it away, keep it fresh."""
