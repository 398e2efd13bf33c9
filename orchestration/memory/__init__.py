"""What agents remember of people, and the summary of a chat: extraction, checks, merging, recall, rights."""
