"""Section 5: polynomials over shared metafeatures."""
