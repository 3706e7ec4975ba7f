"""Section 3: halfspaces in a shared subspace."""
