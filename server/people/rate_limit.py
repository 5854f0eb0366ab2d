"""How much a peer may ask for: token buckets, for each name and for all names of one network together."""

import attrs


@attrs.frozen
class Budget:
    """How much of something dear one name may ask for, and all names of one network together.

    A whole league of bots may sit on one machine, so a network has much more than a name; but far less than
    as many names as it can connect.
    """

    per_second: float
    burst: int
    network_per_second: float
    network_burst: int


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

    def wait(self, now: float) -> float:
        """How long to wait until a token is there."""
        tokens = self.tokens + (now - self.at) * self.rate
        return 0.0 if tokens >= 1.0 else (1.0 - tokens) / self.rate

    def is_full(self, now: float) -> bool:
        return self.tokens + (now - self.at) * self.rate >= self.burst

    def take(self, now: float) -> float:
        """Takes a token in any case; returns how long to wait until it is there."""
        tokens = self.tokens + (now - self.at) * self.rate
        self.tokens = tokens = (tokens if tokens < self.burst else self.burst) - 1.0
        self.at = now
        return 0.0 if tokens >= 0 else -tokens / self.rate


@attrs.define(repr=False)
class Networks:
    """What the names of each network have asked for together. A network that has rested is forgotten."""

    _buckets: dict[tuple[str, str], Bucket] = attrs.field(factory=dict)
    """By network and what for; the one that was used last comes last."""

    def bucket(self, network: str, what: str, budget: Budget, now: float) -> Bucket:
        key = network, what
        bucket = self._buckets.pop(key, None)
        while self._buckets and next(iter(self._buckets.values())).is_full(now):
            del self._buckets[next(iter(self._buckets))]
        if bucket is None:
            bucket = Bucket.full(budget.network_per_second, budget.network_burst, now)
        self._buckets[key] = bucket
        return bucket

    def __len__(self) -> int:
        return len(self._buckets)
