"""What comes along with parts that another table gave, or that were set aside meanwhile."""
