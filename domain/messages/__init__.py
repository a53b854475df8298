"""The life of a message: envelope, delivery, hold, frame, evidence, answer."""
