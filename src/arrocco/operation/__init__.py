"""What an operator watches: logs, numbers, checks and alarms of the running processes."""
