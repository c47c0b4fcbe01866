"""Thresher, a focused web crawler."""
