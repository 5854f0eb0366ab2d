"""A token bucket: how long a peer that sends too fast has to wait."""

import attrs


@attrs.define
class Bucket:
    """Holds at most `burst` tokens and gains `rate` of them a second."""

    rate: float
    burst: float
    tokens: float
    at: float

    @classmethod
    def full(cls, rate: float, burst: int, now: float) -> "Bucket":
        return cls(rate, float(burst), float(burst), now)

    def spare(self, now: float) -> float:
        """Takes a token if there is one; returns how long to wait for it otherwise."""
        self.tokens = min(self.burst, self.tokens + (now - self.at) * self.rate)
        self.at = now
        if self.tokens < 1.0:
            return (1.0 - self.tokens) / self.rate
        self.tokens -= 1.0
        return 0.0

    def take(self, now: float) -> float:
        """Takes a token in any case; returns how long to wait until it is there."""
        tokens = self.tokens + (now - self.at) * self.rate
        self.tokens = tokens = (tokens if tokens < self.burst else self.burst) - 1.0
        self.at = now
        return 0.0 if tokens >= 0 else -tokens / self.rate
