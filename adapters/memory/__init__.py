"""A full in-memory twin of every port: part of the product, under the same contracts."""
