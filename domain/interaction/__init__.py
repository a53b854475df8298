"""What a session's hooks and status tell: dialogs, prompts, freedom to hear."""
