"""Who should answer: pure functions from a message and its surroundings to a `RouteDecision`. No model calls here."""
