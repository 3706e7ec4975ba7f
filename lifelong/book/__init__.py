"""What only the book needs: its figures, its pages made from the ledger."""
