"""What the office and the hall keep in SQL: SQLite by default, PostgreSQL by its URL."""
