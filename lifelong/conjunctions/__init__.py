"""Section 4: conjunctions over shared metafeatures."""
