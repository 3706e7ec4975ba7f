"""The claims, a file for each chapter of the book."""
