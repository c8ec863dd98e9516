"""What is asked, who answered, how they agree; the store lives here."""
