"""The leaf of the house: protocols, and the plain facts they speak. Nothing here decides anything."""
