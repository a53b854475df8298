"""The core: decisions that are pure, and services that gather facts, ask one decision and act."""
