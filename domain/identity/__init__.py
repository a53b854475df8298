"""Who is who: owners, places, callers, addresses, routes."""
