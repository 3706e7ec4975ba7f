"""The claims, a file for each chapter of the book, and one for Note 1."""
