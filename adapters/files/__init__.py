"""Small files: session records, consent marks, event spools, doorbells, the journal."""
